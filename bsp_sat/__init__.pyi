"""The public names, for type checkers; `__init__.py` imports them when they are asked for."""

from bsp_sat.backends.campaign.many import solve_many as solve_many
from bsp_sat.backends.campaign.pool import Failure as Failure
from bsp_sat.backends.proofs.certificate import CertificateError as CertificateError
from bsp_sat.backends.proofs.certificate import verify_certificate as verify_certificate
from bsp_sat.backends.proofs.certificate import write_certificate as write_certificate
from bsp_sat.backends.registry import BACKENDS as BACKENDS
from bsp_sat.backends.registry import make_backend as make_backend
from bsp_sat.backends.result import BackendError as BackendError
from bsp_sat.backends.result import Result as Result
from bsp_sat.backends.result import Status as Status
from bsp_sat.backends.solve import Limits as Limits
from bsp_sat.backends.solve import Progress as Progress
from bsp_sat.backends.solve import solve as solve
from bsp_sat.drawing.draw import draw as draw
from bsp_sat.encoder.registry import ENCODINGS as ENCODINGS
from bsp_sat.exploring.explorer import Explorer as Explorer
from bsp_sat.exploring.unseen import Effects as Effects
from bsp_sat.grading.grade import Grade as Grade
from bsp_sat.grading.grade import Grades as Grades
from bsp_sat.grading.grade import grade as grade
from bsp_sat.grading.hint import Hint as Hint
from bsp_sat.grading.hint import hint as hint
from bsp_sat.grading.registry import MEASURES as MEASURES
from bsp_sat.instances.errors import BoardError as BoardError
from bsp_sat.instances.errors import BspSatError as BspSatError
from bsp_sat.instances.errors import GoalNotReached as GoalNotReached
from bsp_sat.instances.errors import IllegalMove as IllegalMove
from bsp_sat.instances.errors import PlanError as PlanError
from bsp_sat.instances.errors import Unsupported as Unsupported
from bsp_sat.instances.files import Instance as Instance
from bsp_sat.instances.files import load_instance as load_instance
from bsp_sat.instances.files import load_instances as load_instances
from bsp_sat.instances.files import load_puzzle as load
from bsp_sat.instances.generators import random_boards as random_boards
from bsp_sat.instances.plan import Plan as Plan
from bsp_sat.instances.puzzle import Move as Move
from bsp_sat.instances.puzzle import Puzzle as Puzzle
from bsp_sat.instances.registry import PUZZLES as PUZZLES
from bsp_sat.instances.shot import Knock as Knock
from bsp_sat.instances.shot import Shot as Shot
from bsp_sat.instances.sorting import BallSort as BallSort
from bsp_sat.instances.sorting import Pour as Pour
from bsp_sat.instances.sorting import WaterSort as WaterSort
from bsp_sat.instances.tiles import Click as Click
from bsp_sat.instances.tiles import Tiles as Tiles

__version__: str
__all__ = [
    "BACKENDS",
    "ENCODINGS",
    "MEASURES",
    "PUZZLES",
    "BackendError",
    "BallSort",
    "BoardError",
    "BspSatError",
    "CertificateError",
    "Click",
    "Effects",
    "Explorer",
    "Failure",
    "GoalNotReached",
    "Grade",
    "Grades",
    "Hint",
    "IllegalMove",
    "Instance",
    "Knock",
    "Limits",
    "Move",
    "Plan",
    "PlanError",
    "Pour",
    "Progress",
    "Puzzle",
    "Result",
    "Shot",
    "Status",
    "Tiles",
    "Unsupported",
    "WaterSort",
    "draw",
    "grade",
    "hint",
    "load",
    "load_instance",
    "load_instances",
    "make_backend",
    "random_boards",
    "solve",
    "solve_many",
    "verify_certificate",
    "write_certificate",
]
from bsp_sat.pictures.board import PictureBoard as PictureBoard
from bsp_sat.pictures.loading import PictureError as PictureError
from bsp_sat.pictures.reading import read_picture as read_picture
