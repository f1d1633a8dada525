"""The plots of a campaign, drawn with matplotlib and readable in black and white.

Solvers differ by line style and marker, never by colour alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import cycle
from math import ceil
from statistics import mean
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bsp_sat.apps.study.store import CampaignRun, Summary, tally
from bsp_sat.backends.baselines import Heuristic
from bsp_sat.backends.registry import make_backend
from bsp_sat.instances.errors import Unsupported

LINES = ("-", "--", "-.", ":")
MARKERS = "os^Dxv*P<+>h"
GREYS = ("0.0", "0.35", "0.55")
PANELS_IN_A_ROW = 3
FAR_OFF = 10  # from this multiple of the optimum the axis of lengths is logarithmic
LARGE_WEIGHT = 1e12
SHORTEST_SECONDS = 0.001  # results are rounded to this


def explored_states(runs: Sequence[CampaignRun]) -> Figure | None:
    """States explored by each solver, on a logarithmic axis."""
    explored = {
        solver: [run.explored for run in of_solver if run.explored and run.length is not None]
        for solver, of_solver in _apart_from_sweeps(runs).items()
    }
    known = {solver: values for solver, values in explored.items() if values}
    if not known:
        return None
    figure = Figure(figsize=(7, 1.2 + 0.45 * len(known)), layout="constrained")
    axes = figure.add_subplot()
    axes.boxplot(
        list(known.values()),
        orientation="horizontal",
        tick_labels=list(known),
        showmeans=True,
        patch_artist=True,
        boxprops={"facecolor": "0.88"},
        medianprops={"color": "black", "linewidth": 2},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"},
        flierprops={"marker": ".", "markersize": 4},
    )
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("states explored (bar: median, diamond: mean)")
    axes.grid(axis="x", color="0.85")
    axes.set_axisbelow(True)
    return figure


def lengths(runs: Sequence[CampaignRun]) -> Figure | None:
    """Plan lengths against the optimum, a panel for each solver; larger dots are more boards."""
    panels = {
        solver: Counter(
            (run.optimum, run.length) for run in of_solver if run.optimum is not None and run.length is not None
        )
        for solver, of_solver in _apart_from_sweeps(runs).items()
    }
    known = {solver: points for solver, points in panels.items() if any(low != high for low, high in points)}
    if not known:
        return None
    columns = min(PANELS_IN_A_ROW, len(known))
    rows = ceil(len(known) / columns)
    figure = Figure(figsize=(1 + 2.6 * columns, 0.6 + 2.6 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, (solver, points) in zip(grid.flat, known.items(), strict=False):
        optima = [optimum for optimum, _ in points]
        sizes = [12 + 8 * count for count in points.values()]
        axes.scatter(optima, [length for _, length in points], sizes, "0.3", alpha=0.7, linewidths=0)
        if max(length for _, length in points) > FAR_OFF * max(optima):
            axes.set_yscale("log")
        ends = [min(optima) - 1, max(optima) + 1]
        axes.plot(ends, ends, color="black", linewidth=1)
        excess = sum((length - optimum) * count for (optimum, length), count in points.items()) / points.total()
        axes.set_title(f"{solver}\n{excess:.1f} moves above on average", fontsize=8)
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in grid.flat[len(known) :]:
        axes.remove()
    figure.supxlabel("fewest moves possible", fontsize=10)
    figure.supylabel("moves of the plan (line: optimal)", fontsize=10)
    return figure


def sweeps(runs: Sequence[CampaignRun]) -> Figure | None:
    """Mean states and mean length over each weight with several values."""
    curves = _swept(runs)
    if not curves:
        return None
    values = sorted({value for points in curves.values() for value in points})
    # An axis that ends near the largest float has ends beyond it: large weights stand side by side instead.
    places = {value: place for place, value in enumerate(values)} if values[-1] > LARGE_WEIGHT else {}
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    measures: tuple[tuple[Axes, str, Callable[[CampaignRun], float | None]], ...] = (
        (left, "states explored, mean", lambda run: run.explored),
        (right, "moves, mean", lambda run: run.length),
    )
    for axes, label, measure in measures:
        for (curve, points), style in zip(curves.items(), _styles(), strict=False):
            summaries = {value: Summary.of(map(measure, points[value])) for value in sorted(points)}
            means = {value: summary.mean for value, summary in summaries.items() if summary}
            axes.plot([places.get(value, value) for value in means], list(means.values()), label=curve, **style)
        if places:
            axes.set_xticks(list(places.values()), [f"{value:g}" for value in places])
        axes.set_xlabel("weight")
        axes.set_ylabel(label)
        axes.grid(color="0.88")
        axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
    optima = [run.optimum for run in runs if run.optimum is not None]
    if optima:
        right.axhline(mean(optima), color="black", linewidth=1)
        right.annotate("optimal", (0.02, mean(optima)), xycoords=("axes fraction", "data"), va="top", fontsize=8)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", fontsize=8)
    return figure


def _styles() -> Iterator[dict[str, Any]]:
    """Line styles; the first dozen differ in their markers."""
    for line, marker, grey in zip(cycle(LINES), cycle(MARKERS), cycle(GREYS), strict=False):
        yield {"linestyle": line, "marker": marker, "color": grey}


def _swept(runs: Sequence[CampaignRun]) -> dict[str, dict[float, list[CampaignRun]]]:
    """The runs by heuristic and varied weight, then by its value; only weights with several values."""
    curves: dict[str, dict[float, list[CampaignRun]]] = {}
    for spec, of_solver in tally(runs).items():
        try:
            solver = make_backend(spec)
        except Unsupported:  # somebody's program
            continue
        if not isinstance(solver, Heuristic):
            continue
        for weight, value in solver.weights.items():
            others = replace(solver, weights={name: v for name, v in solver.weights.items() if name != weight})
            fixed = "".join(f", {name}={v:g}" for name, v in others.weights.items())
            curve = f"{solver.driver}:{solver.heuristic}{fixed}, {weight}"
            curves.setdefault(curve, {})[value] = of_solver
    return {curve: points for curve, points in curves.items() if len(points) > 1}


def _apart_from_sweeps(runs: Sequence[CampaignRun]) -> dict[str, list[CampaignRun]]:
    """The runs of each solver, without those that only vary a weight (unless there are no others)."""
    varied = [of_value for points in _swept(runs).values() for of_value in points.values()]
    rest = {solver: of_solver for solver, of_solver in tally(runs).items() if of_solver not in varied}
    return rest or tally(runs)


def cactus(runs: Sequence[CampaignRun]) -> Figure | None:
    """The number of boards that each solver has solved, over time."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for (solver, of_solver), style in zip(_apart_from_sweeps(runs).items(), _styles(), strict=False):
        solved = [run for run in of_solver if run.length is not None and run.seconds is not None]
        times = sorted(max(SHORTEST_SECONDS, run.seconds or 0) for run in solved)
        counts = range(1, len(times) + 1)
        every = max(1, len(times) // 8)
        axes.plot(times, counts, drawstyle="steps-post", markevery=every, markersize=5, label=solver, **style)
    axes.set_xscale("log")
    axes.set_xlabel("seconds for one board")
    axes.set_ylabel("boards solved within that time")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.grid(color="0.88")
    figure.legend(loc="outside right upper", fontsize=8)
    return figure


FIGURES: dict[str, Callable[[Sequence[CampaignRun]], Figure | None]] = {
    "states": explored_states,
    "lengths": lengths,
    "sweep": sweeps,
    "cactus": cactus,
}
"""The plots by file name; None if a campaign has no data for one."""


def saved(figure: Figure, form: str) -> bytes:
    """A figure as a file, ``png`` or ``svg``; the same for the same figure."""
    picture = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "bsp-sat", "svg.fonttype": "none"}):
        figure.savefig(picture, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return picture.getvalue()
