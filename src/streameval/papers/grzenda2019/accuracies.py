"""Accuracies by bin as the claims of Grzenda et al. (2019) compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.papers.grzenda2019.published import LABELS
from streameval.report.claims import (
    Condition,
    Difference,
    Need,
    Outcome,
    of_traces,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import (
    CONFIDENCE,
    Interval,
    difference_of_intervals,
)

HYPERPLANE, AIRLINES, ELECTRICITY = "hyperplane_delayed", "dataexpo_atl", "elec2_dayahead"
COVERTYPE, LED, AGRAWAL = "covtype", "led_delayed", "agrawal_delayed"
#: The figures of accuracy by bin.
FIGURES = {
    HYPERPLANE: "grzenda2019/fig3",
    AIRLINES: "grzenda2019/fig4",
    ELECTRICITY: "grzenda2019/fig5",
    COVERTYPE: "grzenda2019/fig7",
    LED: "grzenda2019/fig8",
    AGRAWAL: "grzenda2019/fig9",
}
NAIVE_BAYES, KNN, TREE = "naive_bayes", "knn", "hoeffding_tree"
ADAPTIVE, FOREST = "hoeffding_adaptive_tree", "adaptive_random_forest_2017"
NO_CHANGE, MAJORITY = PAPER_BASELINES = ("no_change", "majority")
#: The learners of the paper that are no baselines.
TRAINED = (NAIVE_BAYES, KNN, TREE, ADAPTIVE, FOREST)
ALL = (*TRAINED, *PAPER_BASELINES)
#: Bin 0; one that the paper shows "shortly before the label"; and bin B + 1 by any B.
FIRST, LATE, LAST = 0, 45, -1
BY_BIN = (
    f"a difference counts where its whole {100 * CONFIDENCE:g} % interval is on one side, and is "
    "undecided where it is not; it follows from those of both accuracies, taken as independent, "
    "which is cautious for the same instances"
)


class Cell(NamedTuple):
    """The accuracy of a learner in a bin."""

    learner: str
    bin: int


class Accuracies(NamedTuple):
    """The accuracies of a figure, with their intervals."""

    stream: str
    cells: dict[Cell, Interval]
    bins: int

    def curve(self, learner: str) -> np.ndarray:
        """Return the accuracies of a learner in all bins in their order."""
        return np.array([self.cells[Cell(learner, b)].mean for b in range(self.bins)])

    def gap(self, one: Cell, other: Cell) -> Difference:
        """Return the difference in accuracy between two cells."""
        found = (self.cells[cell._replace(bin=cell.bin % self.bins)] for cell in (one, other))
        return Difference(*difference_of_intervals(*found))

    def above(self, one: Cell, other: Cell, least: float = 0.0) -> Condition:
        """Return whether a cell is more accurate than another cell, by more than a number."""
        gap = self.gap(one, other)
        return Condition(gap.above(least), f"{self.text(one)} less {self.text(other)} {gap.text}")

    def text(self, cell: Cell) -> str:
        """Return a cell in words."""
        return f"{cell.learner} in bin {cell.bin % self.bins}"


Check = Callable[[Accuracies], list[Condition]]


def of_figure(stream: str, check: Check) -> Callable[[Results], Outcome]:
    """Return a check of the accuracies in the figure of a stream."""
    return of_figures((stream,), check)


def of_figures(streams: Sequence[str], check: Check) -> Callable[[Results], Outcome]:
    """Return a check of the accuracies in the figures of streams; all have to be there."""

    def each(results: Results) -> Outcome:
        conditions, reasons = list[Condition](), list[str]()
        for stream in streams:
            found = of_traces(results, FIGURES[stream], "bins", (stream,), checked)
            if isinstance(found, str):
                reasons.append(found)
            else:
                conditions += found
        return unless_lacking(conditions, reasons)

    def checked(frame: pd.DataFrame, stream: str) -> Outcome:
        lacking = [name for name in ALL if name not in set(frame["learner"])]
        if lacking:
            return f"{stream}: the figure of this run does not have {', '.join(lacking)}"
        rows = frame[["learner", "bin", "accuracy", "low", "high"]].itertuples(index=False)
        cells = {Cell(str(name), int(b)): Interval(*ends) for name, b, *ends in rows}
        bins = int(frame["bin"].max()) + 1
        found = check(Accuracies(stream, cells, bins))
        return [one._replace(numbers=f"{stream}: {one.numbers}") for one in found]

    return each


def all_above(pairs: Iterable[tuple[Cell, Cell]], least: float = 0.0) -> Check:
    """Return the check that in each pair the first cell is more accurate."""
    chosen = tuple(pairs)
    return lambda found: [found.above(one, other, least) for one, other in chosen]


def each_above(learners: Iterable[str], others: Iterable[str], b: int) -> list[tuple[Cell, Cell]]:
    """Return all pairs of a learner and another learner in a bin."""
    below = tuple(others)
    return [(Cell(one, b), Cell(other, b)) for one in learners for other in below if one != other]


def gains(learners: Iterable[str], start: int, end: int) -> list[tuple[Cell, Cell]]:
    """Return the pairs of two bins of each learner."""
    return [(Cell(name, end), Cell(name, start)) for name in learners]


def linearity(accuracy: np.ndarray) -> float:
    """Return the proportion of the variance over bins that a straight line explains."""
    return float(np.corrcoef(np.arange(len(accuracy)), accuracy)[0, 1] ** 2)


def is_linear(learner: str, found: Accuracies, least: float) -> Condition:
    """Return whether a straight line explains the accuracies of a learner."""
    share = linearity(found.curve(learner))
    return Condition(share >= least, f"R² of a line for {learner} {number_text(share)}")


def all_labels(*streams: str) -> tuple[Need, ...]:
    """Return the needs of figures: all labels of the paper."""
    return tuple(
        Need(FIGURES[stream], "stages", (stream,), "labels", values=(LABELS[stream],))
        for stream in streams
    )
