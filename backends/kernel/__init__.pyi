"""What the package offers: written of its tables by python -m tests.support.computed_docs."""

from bsp_sat.backends.kernel.anywhere.positions import positions_anywhere as positions_anywhere
from bsp_sat.backends.kernel.backend import MAX_CAPACITY as MAX_CAPACITY, Kernel as Kernel
from bsp_sat.backends.kernel.batches.batch import Answer as Answer, solve_boards as solve_boards
from bsp_sat.backends.kernel.batches.distances import Distances as Distances
from bsp_sat.backends.kernel.graph.position_graph import Position as Position, PositionGraph as PositionGraph, Reachable as Reachable, ShortestPlans as ShortestPlans, TooFar as TooFar
from bsp_sat.backends.kernel.search.board_search import Search as Search
from bsp_sat.backends.kernel.search.position_table import PlanFound as PlanFound, PositionTable as PositionTable, TooManyPositions as TooManyPositions, positions_of as positions_of
