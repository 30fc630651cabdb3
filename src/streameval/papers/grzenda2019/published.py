"""The tables of Grzenda et al. (2019), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from streameval.base.settings import ROOT
from streameval.evaluation.roles import TARGET_MEAN
from streameval.report.claims import AccuracyGap, Check, Condition, Need, Predicate, on_each
from streameval.report.published import PublishedTable, read_published
from streameval.report.results import FRAME_COLUMNS, Finding, NotRunError, Results, data_of
from streameval.significance.intervals import (
    CONFIDENCE,
    Interval,
    interval_of_difference,
)
from streameval.significance.stream_mean import SECTIONS
from streameval.view.numbers import number_text

# ---- thresholds: the meaning of the words of its claims in numbers, fixed before a run

#: "About 10": within so much of it, as a fraction.
ABOUT = 0.2
#: "Stable over time": from where a tenth of the labels has arrived, within this of the last value,
#: as a fraction of it.
STABLE = 0.2
SETTLED = 0.1
#: "Nearly the same curve": no bin's accuracy differs by more; "coarse": one does.
NEARLY = 0.01
#: "Not much variation": over all bins, the largest error of a learner less the smallest one, as a
#: fraction of the mean.
LITTLE = 0.1
#: Accuracies that are "similar" are so close; those that "largely differ", or are "substantially"
#: higher or lower, are farther apart.
APART = 0.02
#: "Almost linear": a straight line explains at least this fraction of the variance over bins.
LINEAR = 0.9
#: A clear trend, or a "close relation": a rank correlation of at least this.
TREND = 0.9
#: "Drop significantly": at some time the value is at most this fraction of its median.
DROP = 0.5

# ---- streams and learners

#: Our ids of what its tables call otherwise.
STREAMS: Mapping[str, str] = {
    "hyperplane": "hyperplane_delayed",
    "agrawal": "agrawal_delayed",
    "led": "led_delayed",
}
LEARNERS: Mapping[str, str] = {
    "majority_class": "majority",
    "adaptive_random_forest": "adaptive_random_forest_2017",
}
#: Regressors of its Table 2, with the predictions of MOA.
REGRESSORS: Mapping[str, str] = {
    name: f"{name}_moa" for name in ("orto", "fimt_dd", "amrules", "arf_reg")
}


def _labels() -> dict[str, int]:
    folder = ROOT / "resources" / "published" / "grzenda2019"
    columns = ["stream", "labelled_instances"]
    rows = [
        row
        for name in ("table1", "table2")
        for row in read_published(folder / f"{name}.csv", (*columns,))[columns].to_numpy()
    ]
    return {STREAMS.get(stream, stream): int(labels) for stream, labels in rows}


#: The numbers of labels after which the paper's evaluation stops, as its tables say.
LABELS: Mapping[str, int] = _labels()

# ---- tables

_BIN = ("stream", "bin", "learner")
_SIZE = ("labelled_instances", "attributes")
_COUNTED = ("*/labelled_instances", "*/attributes")
#: The columns of our table for the numbers that are given once for each stream.
_COLUMNS = {"labelled_instances": "labels", "attributes": "attributes"}


def _accuracy(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/`` and a size, in our table."""
    name, _, rest = key.partition("/")
    stream = STREAMS.get(name, name)
    if rest in _COLUMNS:
        return _size_of(results, item, stream, rest, "no_change")
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": LEARNERS.get(learner, learner)}
    return results.find(item, stream, "accuracy_percent", **where).of_counts(100)


def _error(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/`` and a size, in our table."""
    stream, _, rest = key.partition("/")
    if rest in _COLUMNS:
        return _size_of(results, item, stream, rest, TARGET_MEAN)
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": REGRESSORS.get(learner, learner)}
    finding, low, high = (
        results.find(item, stream, column, **where)
        for column in ("mean_absolute_error", "seeds_low", "seeds_high")
    )
    if finding.reason or np.isnan(low.value):
        return finding
    return finding._replace(interval=(low.value, high.value))


def _size_of(results: Results, item: str, stream: str, size: str, learner: str) -> Finding:
    return results.find(item, stream, _COLUMNS[size], which="0", learner=learner)


TABLES = (
    PublishedTable(
        "table1",
        _BIN,
        _accuracy,
        values=("accuracy_percent",),
        per_stream=_SIZE,
        of_labels=(*_COUNTED, "*/no_change", "*/majority_class"),
    ),
    PublishedTable(
        "table2",
        _BIN,
        _error,
        values=("mean_absolute_error",),
        per_stream=_SIZE,
        of_labels=(*_COUNTED, "*/target_mean"),
    ),
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
#: The real streams among them.
REAL = (AIRLINES, ELECTRICITY, COVERTYPE)
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
    "undecided where it is not or where there is none; it is that of the differences at the same "
    f"labels ({SECTIONS} sections of time), and, of bins that the figure does not compare, follows "
    "from both accuracies, taken as independent"
)


class Cell(NamedTuple):
    """The accuracy of a learner in a bin."""

    learner: str
    bin: int


class Accuracies(NamedTuple):
    """The accuracies of a figure, with their intervals, and differences at the same labels."""

    stream: str
    cells: dict[Cell, Interval]
    bins: int
    paired: Mapping[tuple[Cell, Cell], AccuracyGap]

    def curve(self, learner: str) -> np.ndarray:
        """The accuracies of a learner in all bins in their order."""
        return np.array([self.cells[Cell(learner, b)].mean for b in range(self.bins)])

    def trends(self) -> dict[str, float]:
        """The rank correlation of accuracy and bin, by trained learner."""
        return {
            name: float(scipy.stats.spearmanr(np.arange(self.bins), self.curve(name)).statistic)
            for name in TRAINED
        }

    def gap(self, first_cell: Cell, other: Cell) -> AccuracyGap:
        """The difference in accuracy between two cells; see `BY_BIN`."""
        first, second = (cell._replace(bin=cell.bin % self.bins) for cell in (first_cell, other))
        if (first, second) in self.paired:
            return self.paired[first, second]
        return AccuracyGap(*interval_of_difference(self.cells[first], self.cells[second]))

    def above(self, cell: Cell, other: Cell, least: float = 0.0) -> Condition:
        """Whether a cell is more accurate than another cell, by more than a number."""
        gap = self.gap(cell, other)
        return self._condition(cell, other, gap, gap.above(least), gap.value > least)

    def near(self, cell: Cell, other: Cell, most: float) -> Condition:
        """Whether two cells are as accurate, but for a number."""
        gap = self.gap(cell, other)
        return self._condition(cell, other, gap, gap.within(most), abs(gap.value) <= most)

    def _condition(
        self, cell: Cell, other: Cell, gap: AccuracyGap, holds: bool | None, digits: bool
    ) -> Condition:
        difference = (
            f"{number_text(gap.value, 5)}, without an interval" if np.isnan(gap.low) else gap.text
        )
        text = f"{self.text(cell)} less {self.text(other)} {difference}"
        alone = f" (by digits alone it {'holds' if digits else 'does not hold'})"
        return Condition(holds, text + alone * (holds is None))

    def text(self, cell: Cell) -> str:
        """A cell in words."""
        return f"{cell.learner} in bin {cell.bin % self.bins}"


AccuracyCheck = Callable[[Accuracies], list[Condition]]


def of_figures(streams: Sequence[str], check: AccuracyCheck) -> Check:
    """A check of the accuracies in the figures of streams; all have to be there."""

    def of_stream(results: Results, stream: str) -> list[Condition]:
        frame = data_of(results, FIGURES[stream], stream, "bins")
        lacking = [name for name in ALL if name not in set(frame["learner"])]
        if lacking:
            names = ", ".join(lacking)
            raise NotRunError(f"{stream}: the figure of this run does not have {names}")
        rows = frame[["learner", "bin", "accuracy", "low", "high"]].itertuples(index=False)
        cells = {Cell(str(name), int(b)): Interval(*ends) for name, b, *ends in rows}
        pairs = paired(
            data_of(results, FIGURES[stream], stream, "pairs")[[*FRAME_COLUMNS["pairs"]]]
        )
        conditions = check(Accuracies(stream, cells, int(frame["bin"].max()) + 1, pairs))
        return [
            condition._replace(numbers=f"{stream}: {condition.numbers}") for condition in conditions
        ]

    return on_each(streams, of_stream)


def paired(frame: pd.DataFrame) -> dict[tuple[Cell, Cell], AccuracyGap]:
    """The differences of pairs of cells, in both directions."""
    gaps = {}
    for name, b, other, other_bin, value, low, high in frame.itertuples(index=False):
        first, second = Cell(str(name), int(b)), Cell(str(other), int(other_bin))
        gaps[first, second] = AccuracyGap(value, low, high)
        gaps[second, first] = AccuracyGap(-value, -high, -low)
    return gaps


def of_bins(
    streams: str | Sequence[str],
    rule: str,
    check: AccuracyCheck,
    *,
    needs: tuple[Need, ...] | None = None,
    universal: bool = True,
    by_interval: bool = True,
) -> Predicate:
    """The predicate of a claim on accuracies; on real streams, it needs all labels."""
    named = (streams,) if isinstance(streams, str) else streams
    wanted = all_labels(*(stream for stream in named if stream in REAL)) if needs is None else needs
    stated = f"{rule}; {BY_BIN}" if by_interval else rule
    return Predicate(stated, of_figures(named, check), wanted, universal=universal)


def all_above(pairs: Iterable[tuple[Cell, Cell]], least: float = 0.0) -> AccuracyCheck:
    """The check that in each pair the first cell is more accurate."""
    chosen = tuple(pairs)
    return lambda accuracies: [accuracies.above(cell, other, least) for cell, other in chosen]


def each_above(learners: Iterable[str], others: Iterable[str], b: int) -> list[tuple[Cell, Cell]]:
    """All pairs of a learner and another learner in a bin."""
    below = tuple(others)
    return [
        (Cell(name, b), Cell(other, b)) for name in learners for other in below if name != other
    ]


def gains(learners: Iterable[str], start: int, end: int) -> list[tuple[Cell, Cell]]:
    """The pairs of two bins of each learner."""
    return [(Cell(name, end), Cell(name, start)) for name in learners]


def linearity(accuracy: np.ndarray) -> float:
    """The proportion of the variance over bins that a straight line explains."""
    return float(np.corrcoef(np.arange(len(accuracy)), accuracy)[0, 1] ** 2)


def is_linear(learner: str, accuracies: Accuracies, least: float) -> Condition:
    """Whether a straight line explains the accuracies of a learner."""
    share = linearity(accuracies.curve(learner))
    return Condition(share >= least, f"R² of a line for {learner} {number_text(share)}")


def all_labels(*streams: str) -> tuple[Need, ...]:
    """The needs of figures: all labels of the paper."""
    return tuple(
        Need(FIGURES[stream], "stages", (stream,), "labels", values=(LABELS[stream],))
        for stream in streams
    )


def latency_of(stream: str) -> int:
    """The label delay of a generated stream, in instances."""
    from streameval.streams.registry import GeneratorSpec, load_registry  # claims are read without

    spec = load_registry(check_options=False)[stream]
    return (isinstance(spec, GeneratorSpec) and spec.label_delay) or 0
