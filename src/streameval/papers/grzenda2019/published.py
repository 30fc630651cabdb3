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
from streameval.significance.stream_mean import N_SECTIONS
from streameval.view.numbers import number_text

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "About": within this fraction of the stated number.
ABOUT_TOLERANCE = 0.2
#: "Stable over time": within this fraction of the last value, once `SETTLING_FRACTION` of the
#: labels have arrived.
MAX_STABLE_DEVIATION = 0.2
#: The fraction of labels after which a value has to be stable.
SETTLING_FRACTION = 0.1
#: "Nearly the same curve": the accuracies differ by at most this in all bins. The accuracies of a
#: "coarse" curve differ by more in some bin.
MAX_NEARLY_SAME_DISTANCE = 0.01
#: "Not much variation": the range of a learner's errors over all bins is at most this fraction of
#: their mean.
MAX_LITTLE_VARIATION = 0.1
#: "Similar" accuracies differ by at most this; accuracies that "largely differ", or are
#: "substantially" higher or lower, differ by more.
MAX_SIMILAR_DIFFERENCE = 0.02
#: "Almost linear": a straight line explains at least this fraction of the variance over bins.
MIN_LINEAR_R_SQUARED = 0.9
#: A clear trend, or a "close relation": a rank correlation of at least this.
MIN_TREND_CORRELATION = 0.9
#: "Drop significantly": at some time the value is at most this fraction of its median.
MAX_DROP_FRACTION = 0.5

# ---- streams and learners

#: Our id by the name of a stream in the paper's tables, if they differ.
OUR_STREAMS: Mapping[str, str] = {
    "hyperplane": "hyperplane_delayed",
    "agrawal": "agrawal_delayed",
    "led": "led_delayed",
}
#: Our id by the name of a learner in the paper's Table 1, if they differ.
OUR_LEARNERS: Mapping[str, str] = {
    "majority_class": "majority",
    "adaptive_random_forest": "adaptive_random_forest_2017",
}
#: Our id by the name of a regressor in the paper's Table 2: MOA's predictions.
REGRESSORS: Mapping[str, str] = {
    name: f"{name}_moa" for name in ("orto", "fimt_dd", "amrules", "arf_reg")
}


def _read_n_labels() -> dict[str, int]:
    folder = ROOT / "resources" / "published" / "grzenda2019"
    columns = ("stream", "labelled_instances")
    tables = [read_published(folder / f"{name}.csv", columns) for name in ("table1", "table2")]
    rows = pd.concat(tables)[[*columns]].to_numpy()
    return {OUR_STREAMS.get(stream, stream): int(labels) for stream, labels in rows}


#: Number of labels after which the paper's evaluation stops, by stream, according to its tables.
N_LABELS: Mapping[str, int] = _read_n_labels()

# ---- tables

#: Key columns of Tables 1 and 2.
_BIN_KEY = ("stream", "bin", "learner")
#: Columns of the paper's tables with one number for each stream.
_SIZE_COLUMNS = ("labelled_instances", "attributes")
#: Keys that match the numbers of `_SIZE_COLUMNS`.
_SIZE_KEYS = ("*/labelled_instances", "*/attributes")
#: Columns of our table that have the numbers of `_SIZE_COLUMNS`.
_OUR_SIZE_COLUMNS = {"labelled_instances": "labels", "attributes": "attributes"}


def _find_accuracy(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/size``; sizes are `_SIZE_COLUMNS`."""
    name, _, rest = key.partition("/")
    stream = OUR_STREAMS.get(name, name)
    if rest in _OUR_SIZE_COLUMNS:
        return _find_size(results, item, stream, rest, NO_CHANGE)
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": OUR_LEARNERS.get(learner, learner)}
    finding = results.find(item, stream, "accuracy_percent", **where)
    return finding.with_exact_ratio(scale=100)


def _find_error(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/size``; sizes are `_SIZE_COLUMNS`."""
    stream, _, rest = key.partition("/")
    if rest in _OUR_SIZE_COLUMNS:
        return _find_size(results, item, stream, rest, TARGET_MEAN)
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": REGRESSORS.get(learner, learner)}
    finding, low, high = (
        results.find(item, stream, column, **where)
        for column in ("mean_absolute_error", "seeds_low", "seeds_high")
    )
    if finding.reason or np.isnan(low.value):  # NaN for a single run
        return finding
    return finding._replace(interval=(low.value, high.value))


def _find_size(results: Results, item: str, stream: str, size: str, baseline: str) -> Finding:
    # All rows of a stream have its sizes, and each stream has a row for the baseline in bin 0.
    return results.find(item, stream, _OUR_SIZE_COLUMNS[size], which="0", learner=baseline)


TABLES = (
    PublishedTable(
        "table1",
        _BIN_KEY,
        _find_accuracy,
        values=("accuracy_percent",),
        per_stream=_SIZE_COLUMNS,
        without_learner=(*_SIZE_KEYS, "*/no_change", "*/majority_class"),
    ),
    PublishedTable(
        "table2",
        _BIN_KEY,
        _find_error,
        values=("mean_absolute_error",),
        per_stream=_SIZE_COLUMNS,
        without_learner=(*_SIZE_KEYS, "*/target_mean"),
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
BIN_FIGURES = {
    HYPERPLANE: "grzenda2019/fig3",
    AIRLINES: "grzenda2019/fig4",
    ELECTRICITY: "grzenda2019/fig5",
    COVERTYPE: "grzenda2019/fig7",
    LED: "grzenda2019/fig8",
    AGRAWAL: "grzenda2019/fig9",
}
#: The streams of `BIN_FIGURES` that are not generated.
REAL_STREAMS = (AIRLINES, ELECTRICITY, COVERTYPE)
# Ids of learners.
NAIVE_BAYES = "naive_bayes"
KNN = "knn"
HOEFFDING_TREE = "hoeffding_tree"
ADAPTIVE_TREE = "hoeffding_adaptive_tree"
ADAPTIVE_FOREST = "adaptive_random_forest_2017"
NO_CHANGE, MAJORITY = PAPER_BASELINES = ("no_change", "majority")
#: The learners of the paper without the baselines.
TRAINED_LEARNERS = (NAIVE_BAYES, KNN, HOEFFDING_TREE, ADAPTIVE_TREE, ADAPTIVE_FOREST)
ALL_LEARNERS = (*TRAINED_LEARNERS, *PAPER_BASELINES)
#: The first bin.
FIRST_BIN = 0
#: A bin that the paper shows as "shortly before the label".
LATE_BIN = 45
#: The last bin, B + 1 in the paper: an index from the end, since B differs between figures.
LAST_BIN = -1
BIN_INTERVAL_RULE = (
    f"a difference counts where its whole {100 * CONFIDENCE:g} % interval is on one side, and is "
    "undecided where it is not or where there is none; it is that of the differences at the same "
    f"labels ({N_SECTIONS} sections of time), and, of bins that the figure does not compare, "
    "follows from both accuracies, taken as independent"
)


class Cell(NamedTuple):
    """The accuracy of a learner in a bin."""

    learner: str
    bin: int


class Accuracies(NamedTuple):
    """The accuracies of a figure with intervals.

    `bins` is the number of bins, `paired` has differences of accuracies at the same labels.
    """

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
            for name in TRAINED_LEARNERS
        }

    def gap(self, cell: Cell, other: Cell) -> AccuracyGap:
        """The difference in accuracy between two cells; see `BIN_INTERVAL_RULE`."""
        # `LAST_BIN` is -1, while the cells have the number of the last bin.
        first, second = (c._replace(bin=c.bin % self.bins) for c in (cell, other))
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
        self, cell: Cell, other: Cell, gap: AccuracyGap, holds: bool | None, holds_for_value: bool
    ) -> Condition:
        """Condition on a gap; `holds` is by its interval, `holds_for_value` by its value alone."""
        difference = (
            f"{number_text(gap.value, 5)}, without an interval" if np.isnan(gap.low) else gap.text
        )
        text = f"{self.text(cell)} less {self.text(other)} {difference}"
        if holds is None:
            text += f" (by digits alone it {'holds' if holds_for_value else 'does not hold'})"
        return Condition(holds, text)

    def text(self, cell: Cell) -> str:
        """Text that names a cell."""
        return f"{cell.learner} in bin {cell.bin % self.bins}"


AccuracyCheck = Callable[[Accuracies], list[Condition]]


def check_accuracies(streams: Sequence[str], check: AccuracyCheck) -> Check:
    """The check of accuracies by bin; raises NotRunError if the run lacks one of the figures."""

    def check_stream(results: Results, stream: str) -> list[Condition]:
        frame = figure_data(results, BIN_FIGURES[stream], stream, "bins")
        missing = [name for name in ALL_LEARNERS if name not in set(frame["learner"])]
        if missing:
            names = ", ".join(missing)
            raise NotRunError(f"{stream}: the figure of this run does not have {names}")
        rows = frame[["learner", "bin", "accuracy", "low", "high"]].itertuples(index=False)
        cells = {Cell(str(name), int(b)): Interval(*ends) for name, b, *ends in rows}
        gaps = paired_gaps(figure_data(results, BIN_FIGURES[stream], stream, "pairs"))
        conditions = check(Accuracies(stream, cells, int(frame["bin"].max()) + 1, gaps))
        return [condition._replace(text=f"{stream}: {condition.text}") for condition in conditions]

    return check_each(streams, check_stream)


def paired_gaps(frame: pd.DataFrame) -> dict[tuple[Cell, Cell], AccuracyGap]:
    """Accuracy differences by pair of cells, and by the reversed pair."""
    gaps = {}
    rows = frame[[*FRAME_COLUMNS["pairs"]]].itertuples(index=False)
    for name, b, other, other_bin, value, low, high in rows:
        first, second = Cell(str(name), int(b)), Cell(str(other), int(other_bin))
        gaps[first, second] = AccuracyGap(value, low, high)
        gaps[second, first] = AccuracyGap(-value, -high, -low)
    return gaps


def bin_predicate(
    streams: str | Sequence[str],
    rule: str,
    check: AccuracyCheck,
    *,
    needs: tuple[Need, ...] | None = None,
    universal: bool = True,
    by_interval: bool = True,
) -> Predicate:
    """The predicate of a claim on accuracies by bin.

    Without `needs`, it needs all labels of the real streams. `by_interval` adds
    `BIN_INTERVAL_RULE` to the text of the rule, for checks that compare cells. See `Predicate` for
    `universal`.
    """
    names = (streams,) if isinstance(streams, str) else streams
    if needs is None:
        needs = all_labels_needs(*(stream for stream in names if stream in REAL_STREAMS))
    full_rule = f"{rule}; {BIN_INTERVAL_RULE}" if by_interval else rule
    return Predicate(full_rule, check_accuracies(names, check), needs, universal=universal)


def check_cells_above(pairs: Iterable[tuple[Cell, Cell]], threshold: float = 0.0) -> AccuracyCheck:
    """The check that the first cell of each pair is more accurate by more than a threshold."""
    cells = tuple(pairs)
    return lambda accuracies: [accuracies.above(cell, other, threshold) for cell, other in cells]


def pairs_in_bin(learners: Iterable[str], others: Iterable[str], b: int) -> list[tuple[Cell, Cell]]:
    """All pairs of cells of a learner and of another learner in bin `b`."""
    other_learners = tuple(others)
    return [
        (Cell(name, b), Cell(other, b))
        for name in learners
        for other in other_learners
        if name != other
    ]


def pairs_over_bins(learners: Iterable[str], start: int, end: int) -> list[tuple[Cell, Cell]]:
    """For each learner, the pair of its cells in bin `end` and in bin `start`."""
    return [(Cell(name, end), Cell(name, start)) for name in learners]


def r_squared_of_line(accuracy: np.ndarray) -> float:
    """The proportion of the variance over bins that a straight line explains."""
    return float(np.corrcoef(np.arange(len(accuracy)), accuracy)[0, 1] ** 2)


def is_linear(learner: str, accuracies: Accuracies, threshold: float) -> Condition:
    """Whether a straight line explains at least `threshold` of the variance over bins."""
    r_squared = r_squared_of_line(accuracies.curve(learner))
    text = f"R² of a line for {learner} {number_text(r_squared)}"
    return Condition(r_squared >= threshold, text)


def all_labels_needs(*streams: str) -> tuple[Need, ...]:
    """The needs of claims on accuracies by bin: all labels of the paper.

    The data "stages" of a figure has the values after several numbers of labels.
    """
    return tuple(
        Need(
            BIN_FIGURES[stream],
            part="stages",
            streams=(stream,),
            column="labels",
            values=(N_LABELS[stream],),
        )
        for stream in streams
    )


def label_delay(stream: str) -> int:
    """The label delay of a generated stream, in instances."""
    from streameval.streams.registry import (
        GeneratorSpec,
        load_registry,
    )  # here: reading claims does not need it

    spec = load_registry(check_options=False)[stream]  # checking imports them all
    return (isinstance(spec, GeneratorSpec) and spec.label_delay) or 0
