"""The tables of Bifet et al. (2015), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.report.claims import AccuracyGap, Condition, Need, collect_outcomes
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.published import Find, PublishedTable
from streameval.report.results import Finding, NotRunError, Results
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_of_rates
from streameval.view.numbers import number_text

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "A period of time", or "some": at least this proportion of the stream without a break.
PERIOD = 0.02
#: False rejections of "at least 42 %".
MISLEADING = 0.42
#: False rejections of "at most 10 %".
TENTH = 0.1
#: The level of the tests.
LEVEL = 0.05
#: "Similar": not above by more than this.
SIMILAR = 0.05
#: "Very similar": the mean distance is at most this.
VERY_SIMILAR = 0.02
#: A test "detects" a difference in at least this proportion of the runs; below, it "cannot".
HALF = 0.5
#: "Comparable" rates differ from their median by at most this.
COMPARABLE = 0.1
#: A "large gap" between rates is above this.
LARGE = 0.2
#: A "little difference" of rates is at most this.
LITTLE = 0.05
#: Two differences in accuracy count as equal within this: many times the sampling error of our
#: runs.
EQUAL = 0.0005

# ---- streams and their lengths

#: Length of the paper's generated streams.
MILLION = 1_000_000
#: Generated streams with drift.
DRIFTING = (
    *("led_50000", "sea_50", "sea_50000", "hyp_10_0.001", "hyp_10_0.0001"),
    *("rbf_50_0.001", "rbf_10_0.001", "rbf_50_0.0001", "rbf_10_0.0001"),
)
#: All generated streams.
GENERATED = (*DRIFTING[:5], "rbf_0_0", *DRIFTING[5:])
#: Lengths of all streams. The paper gives no lengths of real streams; these are the whole files.
LENGTHS: Mapping[str, int] = {
    "covtype": 581_012,
    "elec2": 45_312,
    "poker": 829_201,
    **dict.fromkeys(GENERATED, MILLION),
}
#: Number of runs of the paper on each stream. The variance of an average over streams is at most
#: that of a proportion over all runs, since p (1 - p) is concave.
RUNS = 50
#: The study whose rates the tables show.
STUDY = "bifet2015/errors"
#: Columns of our tables of rates.
RATES = (
    *("stream", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "value", "low", "high"),
)


def length_difference(stream: str, instances: int) -> str:
    """The lengths of our runs and the paper's on a stream, in words; "" unless ours are shorter."""
    published_length = LENGTHS[stream]
    if instances >= published_length:
        return ""
    in_paper = number_text(published_length)
    return f"runs of {number_text(instances)} instances, in the paper {in_paper}"


def streams_difference(results: Results, streams: int) -> str:
    """The difference between the streams of an average and the paper's, in words; "" if equal."""
    if streams != len(LENGTHS):
        return f"an average over {streams} streams, in the paper {len(LENGTHS)}"
    for stream in LENGTHS:
        rates, reason = results.trace(STUDY, stream, "rates")
        if rates is not None:
            reason = length_difference(stream, int(rates["instances"].max()))
        if reason:
            return f"{stream}: {reason}"
    return ""


#: The proportion of predictions of Class+ in Section 5.3.
OF_PLUS = 0.45
#: The proportion of Class+ that a random classifier predicts correctly, in Section 5.3.
CHANCE_PLUS = 0.315
#: The proportion of Class- that a random classifier predicts correctly, in Section 5.3.
CHANCE_MINUS = 0.165

# ---- tables

#: Key columns of Tables 3 and 4.
_RATE_KEY = ("stream", "p_noise", "validation")
#: Our names of the modes in the paper's tables.
_READINGS = {title: name for name, title in READING_TITLES.items()}
#: Our names of the schemes of validation in the paper's tables.
_SCHEMES = {title: name for name, title in SCHEME_TITLES.items()}
#: Our names of the tests in the paper's tables.
_TESTS = {"mcnemar": "mcnemar", "sign": "sign_printed", "wilcoxon": "wilcoxon"}
#: Rows of Table 2 with times instead of rates.
_SECONDS = "seconds"
_OTHER_MACHINE = "times of the authors' machine, which those of another one cannot reproduce"

#: The class, in our table of the matrix, of measures of all classes together.
ALL_CLASSES = "all"
#: Our measure and class for names in the paper's Table 5.
_OURS = {
    "p_c": ("chance_accuracy", ALL_CLASSES),
    "accuracy_class_plus": ("recall", "plus"),
    "accuracy_class_minus": ("recall", "minus"),
}


def value_of(results: Results, item: str, **where: str) -> Finding:
    """The value of the first row of a table with these entries, or the reason why it is missing."""
    frame = results.frame(item, ("value", *where))
    if frame is None:
        return Finding(np.nan, f"this run has no {item}")
    fits = pd.Series(True, index=frame.index)
    for name, entry in where.items():
        fits &= frame[name].astype(str) == entry
    if not fits.any():
        return Finding(np.nan, f"{item} of this run does not have {' '.join(where.values())}")
    value = float(frame.loc[fits, "value"].iloc[0])
    return Finding(value, "undefined in this run" if np.isnan(value) else "")


def _paired(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``fold/quantity`` or ``test/quantity`` in our table of the folds."""
    subject, _, quantity = key.partition("/")
    return value_of(results, "bifet2015/table1", of=subject, quantity=quantity)


def _confusion(results: Results, item: str, key: str) -> Finding:
    """Look up a measure, in per cent, in our table of the confusion matrix."""
    measure, class_name = _OURS.get(key, (key, ALL_CLASSES))
    finding = value_of(results, item, measure=measure, **{"class": class_name})
    if finding.reason:
        return finding
    return Finding(100 * finding.value, exact=100 * Fraction(repr(finding.value)))


def _average_rate(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``test/mode/p_noise/validation`` in our table of averages."""
    test, mode, noise, validation = key.split("/")
    if test == _SECONDS:
        return Finding(np.nan, _OTHER_MACHINE)
    row, reason = _rate(results, item, "all", _TESTS[test], _READINGS[mode], noise, validation)
    if row is None:
        return Finding(np.nan, reason)
    scale = streams_difference(results, int(row["streams"]))
    if scale:
        scale += f", here of at least {number_text(int(row['instances']))} instances each"
    ends = (float(row["low"]), float(row["high"]))
    return Finding(float(row["value"]), "", ends, scale, runs=RUNS * len(LENGTHS))


def _rate_of_stream(test: str, reading: str) -> Find:
    """The look-up of keys ``stream/p_noise/validation`` in a table of a single test."""

    def find(results: Results, item: str, key: str) -> Finding:
        stream, noise, validation = key.split("/")
        row, reason = _rate(results, item, stream, test, reading, noise, validation)
        if row is None:
            return Finding(np.nan, reason)
        scale = length_difference(stream, int(row["instances"]))
        ends = (float(row["low"]), float(row["high"]))
        return Finding(float(row["value"]), "", ends, scale, runs=RUNS)

    return find


def _rate(
    results: Results, item: str, stream: str, test: str, reading: str, noise: str, validation: str
) -> tuple[pd.Series | None, str]:
    """The row of a rate, or None and the reason why it is missing."""
    frame = results.frame(item, RATES)
    where = {
        "stream": stream,
        "test": test,
        "reading": reading,
        "scheme": _SCHEMES[validation],
        "alternative": "same" if float(noise) == 0 else f"noise {float(noise):g}",
    }
    if frame is None or stream not in {*frame["stream"]}:
        average = f"this run has no {item}, or only with simulated streams"
        return None, average if stream == "all" else results.absence(item, stream)
    rows = frame[(frame[list(where)] == pd.Series(where)).all(axis=1)]
    if len(rows) != 1:
        return None, f"{item} of this run does not have {' '.join(where.values())}"
    return rows.iloc[0], ""


#: The value column of Tables 3 and 4.
_RATE_VALUE = ("rejection_fraction",)
_PRINTED = "it is computed from the accuracies that the paper prints, and not from a run"

TABLES = (
    PublishedTable(
        "table1",
        ("fold",),
        _paired,
        ("classifier_a", "classifier_b", "difference", "rank"),
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable(
        "table1_tests",
        ("test", "quantity"),
        _paired,
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable("table2", ("test", "mode", "p_noise", "validation"), _average_rate),
    PublishedTable("table3", _RATE_KEY, _rate_of_stream("mcnemar", "held_out"), _RATE_VALUE),
    PublishedTable("table4", _RATE_KEY, _rate_of_stream("wilcoxon", "learnt"), _RATE_VALUE),
    PublishedTable(
        "table5",
        ("measure",),
        _confusion,
        ("value_percent",),
        by_construction={
            "*": (
                "it is computed from the confusion matrix that the paper prints, and not from a run"
            )
        },
    ),
)


# ---- rates of rejection in Tables 2 to 4


#: The tests of these tables.
MCNEMAR, SIGN, WILCOXON = TESTS = ("mcnemar", "sign_printed", "wilcoxon")
#: Tests whose sample has one value for each fold.
OVER_FOLDS = (SIGN, WILCOXON)
#: The tested pairs: learners that differ only by seed, and learners with noise in one of them.
SAME, *NOISE = ALTERNATIVES = ("same", "noise 0.05", "noise 0.1")
# Ids of the schemes of validation, and of the modes, which are called readings here.
BOOTSTRAP, CV, SPLIT = SCHEME_TITLES
HELD_OUT, LEARNT = READING_TITLES
#: Columns of the rates of a stream.
_COLUMNS = ("scheme", "reading", "alternative", "instances", "test", "runs", "value", "low", "high")
#: Number of rates of a stream at one length.
_CELLS = len(TESTS) * len(SCHEME_TITLES) * len(READING_TITLES) * len(ALTERNATIVES)
#: Common parts of the rules of claims on these rates.
_CONFIDENT = f"{100 * CONFIDENCE:g} %"
BY_STREAMS = (
    f"a difference counts where its whole {_CONFIDENT} interval over the streams is on one side, "
    "and is undecided where not"
)
BY_RUNS = (
    f"a rate counts where its whole {_CONFIDENT} interval, from the runs on these streams, is on "
    "one side, and is undecided where not"
)
ALL = "the paper's 13 streams at their full length"
FULL_LENGTH = (Need(STUDY, "rates", GENERATED, "instances", (MILLION,), may_lack_streams=True),)


@dataclass(frozen=True)
class Rates:
    """Rates of several streams, with the columns of the study and a column stream."""

    cells: pd.DataFrame

    def where(self, **values: str | Iterable[str]) -> Rates:
        """The rates in rows with one of these values in each column."""
        cells = self.cells
        for column, allowed in values.items():
            allowed_values = [allowed] if isinstance(allowed, str) else [*allowed]
            cells = cells[cells[column].isin(allowed_values)]
        return Rates(cells)

    def by_stream(self, **values: str | Iterable[str]) -> Floats:
        """The mean rate of each stream over rows with these values."""
        means = self.where(**values).cells.groupby("stream", sort=False)["value"].mean()
        rates: Floats = means.to_numpy(dtype=np.float64)
        return rates

    def gap(
        self, first: Mapping[str, str | Iterable[str]], second: Mapping[str, str | Iterable[str]]
    ) -> AccuracyGap:
        """The difference of two mean rates, with its interval over the streams."""
        return mean_gap(self.by_stream(**first) - self.by_stream(**second))

    def mean(self) -> AccuracyGap:
        """The mean of all rates, with the interval from the numbers of runs.

        Rates of a stream are averaged first, since they may come from the same runs.
        """
        by_stream = self.cells.groupby("stream", sort=False)
        return AccuracyGap(*mean_of_rates(by_stream["value"].mean(), by_stream["runs"].min()))


def mean_gap(values: Floats) -> AccuracyGap:
    """The mean over streams and its interval."""
    return AccuracyGap(*mean_interval(values))


def full_rates(results: Results) -> Rates:
    """The rates of all streams of the paper at their full length."""
    rates_by_stream, reasons = collect_outcomes(LENGTHS, lambda stream: by_length(results, stream))
    if reasons:
        raise NotRunError("; ".join(dict.fromkeys(reasons)))
    full = [
        rates[rates["instances"] == rates["instances"].max()] for rates in rates_by_stream.values()
    ]
    return Rates(pd.concat(full))


def by_length(results: Results, stream: str) -> pd.DataFrame:
    """The rates of a stream at all lengths of runs."""
    frame = results.frame(f"{STUDY}/{stream}.rates", _COLUMNS)
    if frame is None:
        raise NotRunError(results.absence(STUDY, stream))
    rows = frame[frame["test"].isin(TESTS) & frame["alternative"].isin(ALTERNATIVES)]
    counts = rows.groupby("instances").size()
    if counts.empty or (counts != _CELLS).any():
        raise NotRunError(f"{STUDY} of this run does not have all tests and schemes for {stream}")
    return rows.assign(stream=stream)


def growth_of_rates(results: Results) -> Rates:
    """The rates in the longest runs of each stream minus those in the shortest."""
    growths = []
    rates_by_stream, _ = collect_outcomes(LENGTHS, lambda stream: by_length(results, stream))
    for stream, rates in rates_by_stream.items():
        if len(set(rates["instances"])) == 1:
            continue
        keys = ["scheme", "reading", "alternative", "test"]
        shortest, longest = (
            rates[rates["instances"] == length].set_index(keys)["value"]
            for length in (rates["instances"].min(), rates["instances"].max())
        )
        growths.append((longest - shortest).reset_index().assign(stream=stream))
    if len(growths) < 2:
        raise NotRunError(f"{STUDY} of this run has no two streams with runs of several lengths")
    return Rates(pd.concat(growths))


def above(text: str, gap: AccuracyGap, threshold: float = 0.0) -> Condition:
    """Whether a difference is above a threshold."""
    return Condition(gap.above(threshold), f"{text} {gap.text}")


def power_per_second(results: Results) -> dict[str, float]:
    """The mean power of each scheme, divided by the mean seconds of a run."""
    rates = full_rates(results)
    seconds: dict[str, list[float]] = {scheme: [] for scheme in SCHEME_TITLES}
    for stream in LENGTHS:
        frame = results.frame(f"{STUDY}/{stream}.seconds", ("scheme", "runs", "seconds"))
        if frame is None:
            raise NotRunError(
                f"{stream}: no times of this run are compared, as they depend on the machine; "
                "those of a record are"
            )
        for row in frame.to_dict("records"):
            seconds[row["scheme"]].append(row["seconds"] / row["runs"])
    return {
        scheme: float(rates.by_stream(scheme=scheme, alternative=NOISE).mean() / np.mean(times))
        for scheme, times in seconds.items()
    }
