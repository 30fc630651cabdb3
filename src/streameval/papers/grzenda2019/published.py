"""The tables of Grzenda et al. (2019), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from streameval.base.settings import ROOT
from streameval.evaluation.roles import TARGET_MEAN
from streameval.report.claims import AccuracyGap, Check, Condition, Need, Predicate, check_each
from streameval.report.published import PublishedTable, read_published
from streameval.report.results import FRAME_COLUMNS, Finding, NotRunError, Results, figure_data
from streameval.significance.intervals import (
    CONFIDENCE,
    Interval,
    interval_of_difference,
)
from streameval.significance.stream_mean import SECTIONS
from streameval.view.numbers import number_text

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "About 10": within this fraction of it.
ABOUT = 0.2
#: "Stable over time": within this fraction of the last value, once `SETTLED` labels have arrived.
STABLE = 0.2
#: The fraction of labels after which a value has to be stable.
SETTLED = 0.1
#: "Nearly the same curve": no bin's accuracy differs by more; in a "coarse" curve, some bin's does.
NEARLY = 0.01
#: "Not much variation": the range of a learner's errors over all bins is at most this fraction of
#: their mean.
LITTLE = 0.1
#: "Similar" accuracies differ by at most this; accuracies that "largely differ", or are
#: "substantially" higher or lower, differ by more.
APART = 0.02
#: "Almost linear": a straight line explains at least this fraction of the variance over bins.
LINEAR = 0.9
#: A clear trend, or a "close relation": a rank correlation of at least this.
TREND = 0.9
#: "Drop significantly": at some time the value is at most this fraction of its median.
DROP = 0.5

# ---- streams and learners

#: Our ids of streams in the paper's tables, if they differ.
STREAMS: Mapping[str, str] = {
    "hyperplane": "hyperplane_delayed",
    "agrawal": "agrawal_delayed",
    "led": "led_delayed",
}
#: Our ids of learners in the paper's Table 1, if they differ.
LEARNERS: Mapping[str, str] = {
    "majority_class": "majority",
    "adaptive_random_forest": "adaptive_random_forest_2017",
}
#: Our ids of the regressors in the paper's Table 2: predictions of MOA.
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


#: The numbers of labels after which the paper's evaluation stops, according to its tables.
LABELS: Mapping[str, int] = _labels()

# ---- tables

#: Key columns of both tables.
_BIN = ("stream", "bin", "learner")
#: Columns of the paper's tables with one number for each stream.
_SIZE = ("labelled_instances", "attributes")
#: Keys of these numbers.
_SIZE_KEYS = ("*/labelled_instances", "*/attributes")
#: The columns of our table for the numbers of `_SIZE`.
_COLUMNS = {"labelled_instances": "labels", "attributes": "attributes"}


def _accuracy(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/`` and a size, in our table."""
    name, _, rest = key.partition("/")
    stream = STREAMS.get(name, name)
    if rest in _COLUMNS:
        return _size_of(results, item, stream, rest, "no_change")
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": LEARNERS.get(learner, learner)}
    return results.find(item, stream, "accuracy_percent", **where).with_exact_ratio(100)


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
        of_labels=(*_SIZE_KEYS, "*/no_change", "*/majority_class"),
    ),
    PublishedTable(
        "table2",
        _BIN,
        _error,
        values=("mean_absolute_error",),
        per_stream=_SIZE,
        of_labels=(*_SIZE_KEYS, "*/target_mean"),
    ),
)


# Ids of streams.
HYPERPLANE = "hyperplane_delayed"
AIRLINES = "dataexpo_atl"
ELECTRICITY = "elec2_dayahead"
COVERTYPE = "covtype"
LED = "led_delayed"
AGRAWAL = "agrawal_delayed"
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
# Ids of learners.
NAIVE_BAYES = "naive_bayes"
KNN = "knn"
TREE = "hoeffding_tree"
ADAPTIVE = "hoeffding_adaptive_tree"
FOREST = "adaptive_random_forest_2017"
NO_CHANGE, MAJORITY = PAPER_BASELINES = ("no_change", "majority")
#: The learners of the paper without the baselines.
TRAINED = (NAIVE_BAYES, KNN, TREE, ADAPTIVE, FOREST)
ALL = (*TRAINED, *PAPER_BASELINES)
#: The first bin.
FIRST = 0
#: A bin "shortly before the label" that the paper shows.
LATE = 45
#: The last bin, B + 1, for any number B.
LAST = -1
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

    def gap(self, cell: Cell, other: Cell) -> AccuracyGap:
        """The difference in accuracy between two cells; see `BY_BIN`."""
        # A bin of -1 is the last one.
        first, second = (end._replace(bin=end.bin % self.bins) for end in (cell, other))
        if (first, second) in self.paired:
            return self.paired[first, second]
        return AccuracyGap(*interval_of_difference(self.cells[first], self.cells[second]))

    def above(self, cell: Cell, other: Cell, threshold: float = 0.0) -> Condition:
        """Whether a cell is more accurate than another cell by more than a threshold."""
        gap = self.gap(cell, other)
        return self._condition(cell, other, gap, gap.above(threshold), gap.value > threshold)

    def near(self, cell: Cell, other: Cell, tolerance: float) -> Condition:
        """Whether the accuracies of two cells differ by at most a tolerance."""
        gap = self.gap(cell, other)
        return self._condition(cell, other, gap, gap.within(tolerance), abs(gap.value) <= tolerance)

    def _condition(
        self, cell: Cell, other: Cell, gap: AccuracyGap, holds: bool | None, holds_by_value: bool
    ) -> Condition:
        difference = (
            f"{number_text(gap.value, 5)}, without an interval" if np.isnan(gap.low) else gap.text
        )
        text = f"{self.text(cell)} less {self.text(other)} {difference}"
        by_value = f" (by digits alone it {'holds' if holds_by_value else 'does not hold'})"
        return Condition(holds, text + by_value * (holds is None))

    def text(self, cell: Cell) -> str:
        """A cell in words."""
        return f"{cell.learner} in bin {cell.bin % self.bins}"


AccuracyCheck = Callable[[Accuracies], list[Condition]]


def of_figures(streams: Sequence[str], check: AccuracyCheck) -> Check:
    """A check of the accuracies in the figures of streams, all of which the run must have."""

    def of_stream(results: Results, stream: str) -> list[Condition]:
        frame = figure_data(results, FIGURES[stream], stream, "bins")
        missing = [name for name in ALL if name not in set(frame["learner"])]
        if missing:
            names = ", ".join(missing)
            raise NotRunError(f"{stream}: the figure of this run does not have {names}")
        rows = frame[["learner", "bin", "accuracy", "low", "high"]].itertuples(index=False)
        cells = {Cell(str(name), int(b)): Interval(*ends) for name, b, *ends in rows}
        pairs = paired_gaps(
            figure_data(results, FIGURES[stream], stream, "pairs")[[*FRAME_COLUMNS["pairs"]]]
        )
        conditions = check(Accuracies(stream, cells, int(frame["bin"].max()) + 1, pairs))
        return [
            condition._replace(numbers=f"{stream}: {condition.numbers}") for condition in conditions
        ]

    return check_each(streams, of_stream)


def paired_gaps(frame: pd.DataFrame) -> dict[tuple[Cell, Cell], AccuracyGap]:
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
    """The predicate of a claim on accuracies by bin; on real streams, it needs all labels."""
    names = (streams,) if isinstance(streams, str) else streams
    if needs is None:
        needs = all_labels(*(stream for stream in names if stream in REAL))
    full_rule = f"{rule}; {BY_BIN}" if by_interval else rule
    return Predicate(full_rule, of_figures(names, check), needs, universal=universal)


def all_above(pairs: Iterable[tuple[Cell, Cell]], threshold: float = 0.0) -> AccuracyCheck:
    """The check that the first cell of each pair is more accurate by more than a threshold."""
    cells = tuple(pairs)
    return lambda accuracies: [accuracies.above(cell, other, threshold) for cell, other in cells]


def each_above(learners: Iterable[str], others: Iterable[str], b: int) -> list[tuple[Cell, Cell]]:
    """All pairs of a learner and another learner in a bin."""
    references = tuple(others)
    return [
        (Cell(name, b), Cell(other, b))
        for name in learners
        for other in references
        if name != other
    ]


def gains(learners: Iterable[str], start: int, end: int) -> list[tuple[Cell, Cell]]:
    """The pairs of the bins `end` and `start` of each learner."""
    return [(Cell(name, end), Cell(name, start)) for name in learners]


def linearity(accuracy: np.ndarray) -> float:
    """The proportion of the variance over bins that a straight line explains."""
    return float(np.corrcoef(np.arange(len(accuracy)), accuracy)[0, 1] ** 2)


def is_linear(learner: str, accuracies: Accuracies, threshold: float) -> Condition:
    """Whether a straight line explains the accuracies of a learner over bins."""
    r_squared = linearity(accuracies.curve(learner))
    text = f"R² of a line for {learner} {number_text(r_squared)}"
    return Condition(r_squared >= threshold, text)


def all_labels(*streams: str) -> tuple[Need, ...]:
    """The needs of figures by bin: all labels of the paper."""
    return tuple(
        Need(FIGURES[stream], "stages", (stream,), "labels", values=(LABELS[stream],))
        for stream in streams
    )


def latency_of(stream: str) -> int:
    """The label delay of a generated stream, in instances."""
    from streameval.streams.registry import (
        GeneratorSpec,
        load_registry,
    )  # here: reading claims does not need it

    spec = load_registry(check_options=False)[stream]
    return (isinstance(spec, GeneratorSpec) and spec.label_delay) or 0
