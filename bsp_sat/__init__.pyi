"""What the package offers: written of its tables by python -m tests.support.computed_docs."""

from bsp_sat.apps.covered.effects import Effects as Effects
from bsp_sat.apps.covered.explorer import Explorer as Explorer
from bsp_sat.apps.covered.knowledge import Contradiction as Contradiction
from bsp_sat.apps.covered.policy import Advice as Advice
from bsp_sat.apps.drawing.draw import draw as draw
from bsp_sat.apps.levels.figure import Figure as Figure
from bsp_sat.apps.levels.grade import Grade as Grade, Grades as Grades, grade as grade
from bsp_sat.apps.levels.hint import Hint as Hint, hint as hint
from bsp_sat.apps.levels.measures import MEASURES as MEASURES, measure as measure
from bsp_sat.apps.pictures.board import PictureBoard as PictureBoard
from bsp_sat.apps.pictures.reading import read_picture as read_picture
from bsp_sat.backends.backend import Backend as Backend, Choice as Choice, Report as Report
from bsp_sat.backends.proofs.certificate import verify_certificate as verify_certificate, write_certificate as write_certificate
from bsp_sat.backends.registry import BACKENDS as BACKENDS, make_backend as make_backend
from bsp_sat.backends.result import Result as Result, Status as Status
from bsp_sat.backends.run import Failure as Failure
from bsp_sat.backends.solve import Limits as Limits, Progress as Progress, solve as solve
from bsp_sat.backends.solve_many import solve_many as solve_many
from bsp_sat.encoder.encoding import Encoding as Encoding, PlanFormula as PlanFormula, Unsat as Unsat
from bsp_sat.encoder.registry import ENCODINGS as ENCODINGS
from bsp_sat.instances.choices import Reading as Reading, ReadingChoices as ReadingChoices
from bsp_sat.instances.errors import AmbiguousBoard as AmbiguousBoard, BackendError as BackendError, BoardError as BoardError, BspSatError as BspSatError, CertificateError as CertificateError, GoalNotReached as GoalNotReached, IllegalMove as IllegalMove, PictureError as PictureError, PlanError as PlanError, Unsupported as Unsupported
from bsp_sat.instances.files import Instance as Instance, board as board, load as load, load_instance as load_instance, load_instances as load_instances
from bsp_sat.instances.generators import random_boards as random_boards
from bsp_sat.instances.plan import Plan as Plan
from bsp_sat.instances.puzzle import AnyPuzzle as AnyPuzzle, Cell as Cell, Move as Move, Picture as Picture, Puzzle as Puzzle
from bsp_sat.instances.registry import PUZZLES as PUZZLES
from bsp_sat.instances.scope import Scope as Scope
from bsp_sat.instances.shot import Knock as Knock, Shot as Shot
from bsp_sat.instances.sorting import NEW_COLOUR as NEW_COLOUR, BallSort as BallSort, Pour as Pour, WaterSort as WaterSort
from bsp_sat.instances.text.reading import BoardFields as BoardFields
from bsp_sat.instances.tiles import Click as Click, Tiles as Tiles

__version__: str
