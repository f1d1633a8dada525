"""What the package offers: written by ``python -m tests.support.computed_docs`` of its tables."""

from bsp_sat.backends.kernel.anywhere.positions import positions_anywhere as positions_anywhere
from bsp_sat.backends.kernel.backend import MAX_CAPACITY as MAX_CAPACITY
from bsp_sat.backends.kernel.backend import Kernel as Kernel
from bsp_sat.backends.kernel.batches.batch import Answer as Answer
from bsp_sat.backends.kernel.batches.batch import solve_boards as solve_boards
from bsp_sat.backends.kernel.batches.distances import Distances as Distances
from bsp_sat.backends.kernel.graph.position_graph import Position as Position
from bsp_sat.backends.kernel.graph.position_graph import PositionGraph as PositionGraph
from bsp_sat.backends.kernel.graph.position_graph import Reachable as Reachable
from bsp_sat.backends.kernel.graph.position_graph import ShortestPlans as ShortestPlans
from bsp_sat.backends.kernel.graph.position_graph import TooFar as TooFar
from bsp_sat.backends.kernel.search.board_search import Search as Search
from bsp_sat.backends.kernel.search.position_table import PlanFound as PlanFound
from bsp_sat.backends.kernel.search.position_table import PositionTable as PositionTable
from bsp_sat.backends.kernel.search.position_table import TooManyPositions as TooManyPositions
from bsp_sat.backends.kernel.search.position_table import positions_of as positions_of
