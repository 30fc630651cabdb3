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
from streameval.report.published import NumberFinder, PublishedTable
from streameval.report.results import Finding, NotRunError, Results
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_of_rates
from streameval.view.numbers import number_text

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "A period of time", or "some time": at least this proportion of the stream without a break.
MIN_PERIOD_FRACTION = 0.02
#: The proportion of false rejections in "at least 42 %".
MIN_MISLEADING_RATE = 0.42
#: The proportion of false rejections in "at most 10 %".
MAX_FALSE_REJECTION_RATE = 0.1
#: The level of the tests.
TEST_LEVEL = 0.05
#: "Similar": above the other measure by at most this.
MAX_SIMILAR_EXCESS = 0.05
#: "Very similar": the mean distance is at most this.
MAX_VERY_SIMILAR_DISTANCE = 0.02
#: A test "detects" a difference in at least this proportion of the runs, and otherwise "cannot".
MIN_DETECTION_RATE = 0.5
#: "Comparable" rates differ from their median by at most this.
MAX_COMPARABLE_DEVIATION = 0.1
#: A "large gap" between rates is above this.
MIN_LARGE_RATE_GAP = 0.2
#: A "little difference" of rates is at most this.
MAX_SMALL_RATE_GAP = 0.05
#: Differences in accuracy are equal if they differ by at most this, which is many times the
#: sampling error of our runs.
EQUAL_ACCURACY_TOLERANCE = 0.0005

# ---- streams and their lengths

#: Length of the paper's generated streams.
GENERATED_LENGTH = 1_000_000
#: Generated streams with drift.
_DRIFTING_NON_RBF = ("led_50000", "sea_50", "sea_50000", "hyp_10_0.001", "hyp_10_0.0001")
_DRIFTING_RBF = ("rbf_50_0.001", "rbf_10_0.001", "rbf_50_0.0001", "rbf_10_0.0001")
DRIFTING_STREAMS = (*_DRIFTING_NON_RBF, *_DRIFTING_RBF)
#: All generated streams.
GENERATED_STREAMS = (*_DRIFTING_NON_RBF, "rbf_0_0", *_DRIFTING_RBF)
#: Length by stream. The paper gives no lengths of real streams: here they have those of the files.
STREAM_LENGTHS: Mapping[str, int] = {
    "covtype": 581_012,
    "elec2": 45_312,
    "poker": 829_201,
    **dict.fromkeys(GENERATED_STREAMS, GENERATED_LENGTH),
}
#: Number of runs of the paper on each stream. The mean rate over streams has at most the variance
#: of one proportion over all runs, since p (1 - p) is concave.
RUNS_PER_STREAM = 50
#: The item whose rates the tables show.
RATES_ITEM = "bifet2015/errors"
#: Columns of our tables of rates.
RATE_COLUMNS = (
    *("stream", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "value", "low", "high"),
)


def length_difference_text(stream: str, instances: int) -> str:
    """Text with the lengths of our runs and of the paper's; "" unless our runs are shorter."""
    published_length = STREAM_LENGTHS[stream]
    if instances >= published_length:
        return ""
    in_paper = number_text(published_length)
    return f"runs of {number_text(instances)} instances, in the paper {in_paper}"


def streams_difference_text(results: Results, n_streams: int) -> str:
    """Text with the difference between the streams of an average and the paper's; "" if none."""
    if n_streams != len(STREAM_LENGTHS):
        return f"an average over {n_streams} streams, in the paper {len(STREAM_LENGTHS)}"
    for stream in STREAM_LENGTHS:
        rates, reason = results.find_figure_data(RATES_ITEM, stream, "rates")
        if rates is not None:
            reason = length_difference_text(stream, int(rates["instances"].max()))
        if reason:
            return f"{stream}: {reason}"
    return ""


#: The proportion of predictions of Class+ in Section 5.3.
PREDICTED_PLUS = 0.45
#: The proportion of Class+ that a random classifier predicts correctly, in Section 5.3.
CHANCE_PLUS = 0.315
#: The proportion of Class- that a random classifier predicts correctly, in Section 5.3.
CHANCE_MINUS = 0.165

# ---- tables

#: Key columns of Tables 3 and 4.
_RATE_KEY = ("stream", "p_noise", "validation")
#: Our names of the modes in the paper's tables: a mode is called a reading here.
_READINGS = {title: name for name, title in READING_TITLES.items()}
#: Our names of the schemes of validation in the paper's tables.
_SCHEMES = {title: name for name, title in SCHEME_TITLES.items()}
#: Our names of the tests in the paper's tables. `sign_printed` is the sign test as printed there.
_TESTS = {"mcnemar": "mcnemar", "sign": "sign_printed", "wilcoxon": "wilcoxon"}
#: The value of the column "test" in rows of Table 2 that have times instead of rates.
_TIME_TEST = "seconds"
_OTHER_MACHINE = "times of the authors' machine, which those of another one cannot reproduce"

#: The class that our table of the matrix has for measures of all classes together.
ALL_CLASSES = "all"
#: Our measure and class for names in the paper's Table 5.
_OUR_MEASURES = {
    "p_c": ("chance_accuracy", ALL_CLASSES),
    "accuracy_class_plus": ("recall", "plus"),
    "accuracy_class_minus": ("recall", "minus"),
}


def find_value(results: Results, item: str, **where: str) -> Finding:
    """The value of the first row with the entries `where`, or the reason why it is missing."""
    frame = results.frame(item, ("value", *where))
    if frame is None:
        return Finding(np.nan, f"this run has no {item}")
    is_match = pd.Series(True, index=frame.index)
    for name, entry in where.items():
        is_match &= frame[name].astype(str) == entry
    if not is_match.any():
        return Finding(np.nan, f"{item} of this run does not have {' '.join(where.values())}")
    value = float(frame.loc[is_match, "value"].iloc[0])
    return Finding(value, "undefined in this run" if np.isnan(value) else "")


def _find_in_folds(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``fold/quantity`` or ``test/quantity`` in our table of the folds."""
    subject, _, quantity = key.partition("/")
    return find_value(results, "bifet2015/table1", of=subject, quantity=quantity)


def _find_in_matrix(results: Results, item: str, key: str) -> Finding:
    """Look up a measure in our table of the confusion matrix; the result is in per cent."""
    measure, class_name = _OUR_MEASURES.get(key, (key, ALL_CLASSES))
    finding = find_value(results, item, measure=measure, **{"class": class_name})
    if finding.reason:
        return finding
    return Finding(100 * finding.value, exact=100 * Fraction(repr(finding.value)))


def _find_average_rate(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``test/mode/p_noise/validation`` in our table of averages."""
    test, mode, noise, validation = key.split("/")
    if test == _TIME_TEST:
        return Finding(np.nan, _OTHER_MACHINE)
    row, reason = _rate_row(results, item, "all", _TESTS[test], _READINGS[mode], noise, validation)
    if row is None:
        return Finding(np.nan, reason)
    scale = streams_difference_text(results, int(row["streams"]))
    if scale:
        scale += f", here of at least {number_text(int(row['instances']))} instances each"
    interval = (float(row["low"]), float(row["high"]))
    return Finding(
        float(row["value"]), "", interval, scale, n_runs=RUNS_PER_STREAM * len(STREAM_LENGTHS)
    )


def _stream_rate_finder(test: str, reading: str) -> NumberFinder:
    """The look-up of keys ``stream/p_noise/validation`` in a table of a single test."""

    def find(results: Results, item: str, key: str) -> Finding:
        stream, noise, validation = key.split("/")
        row, reason = _rate_row(results, item, stream, test, reading, noise, validation)
        if row is None:
            return Finding(np.nan, reason)
        scale = length_difference_text(stream, int(row["instances"]))
        interval = (float(row["low"]), float(row["high"]))
        return Finding(float(row["value"]), "", interval, scale, n_runs=RUNS_PER_STREAM)

    return find


def _rate_row(
    results: Results, item: str, stream: str, test: str, reading: str, noise: str, validation: str
) -> tuple[pd.Series | None, str]:
    """The row of a rate, or None and the reason why it is missing."""
    frame = results.frame(item, RATE_COLUMNS)
    where = {
        "stream": stream,
        "test": test,
        "reading": reading,
        "scheme": _SCHEMES[validation],
        "alternative": "same" if float(noise) == 0 else f"noise {float(noise):g}",
    }
    if frame is None or stream not in {*frame["stream"]}:
        average = f"this run has no {item}, or only with simulated streams"
        return None, average if stream == "all" else results.missing_reason(item, stream)
    rows = frame[(frame[list(where)] == pd.Series(where)).all(axis=1)]
    if len(rows) != 1:
        return None, f"{item} of this run does not have {' '.join(where.values())}"
    return rows.iloc[0], ""


#: The value column of Tables 3 and 4.
_RATE_VALUE = ("rejection_fraction",)
_FROM_PRINTED_ACCURACIES = (
    "it is computed from the accuracies that the paper prints, and not from a run"
)

TABLES = (
    PublishedTable(
        "table1",
        ("fold",),
        _find_in_folds,
        ("classifier_a", "classifier_b", "difference", "rank"),
        by_construction={"*": _FROM_PRINTED_ACCURACIES},
        without_learner=("*",),
    ),
    PublishedTable(
        "table1_tests",
        ("test", "quantity"),
        _find_in_folds,
        by_construction={"*": _FROM_PRINTED_ACCURACIES},
        without_learner=("*",),
    ),
    PublishedTable("table2", ("test", "mode", "p_noise", "validation"), _find_average_rate),
    PublishedTable(
        "table3",
        _RATE_KEY,
        _stream_rate_finder(test="mcnemar", reading="held_out"),
        _RATE_VALUE,
    ),
    PublishedTable(
        "table4",
        _RATE_KEY,
        _stream_rate_finder(test="wilcoxon", reading="learnt"),
        _RATE_VALUE,
    ),
    PublishedTable(
        "table5",
        ("measure",),
        _find_in_matrix,
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
#: Tests that compare one value for each fold.
FOLD_TESTS = (SIGN, WILCOXON)
#: Pairs of learners: learners that differ only by seed, and a learner with and without noise.
SAME_LEARNER, *NOISE_LEVELS = ALTERNATIVES = ("same", "noise 0.05", "noise 0.1")
# Ids of the schemes of validation, and of the modes, which are called readings here.
BOOTSTRAP, CV, SPLIT = SCHEME_TITLES
HELD_OUT_READING, LEARNT_READING = READING_TITLES
#: Columns of the rates of a stream.
_STREAM_RATE_COLUMNS = (
    "scheme",
    "reading",
    "alternative",
    "instances",
    "test",
    "runs",
    "value",
    "low",
    "high",
)
#: Number of rates of a stream at a single length of runs.
_N_RATES = len(TESTS) * len(SCHEME_TITLES) * len(READING_TITLES) * len(ALTERNATIVES)
# Common parts of rules on these rates.
_CONFIDENCE_TEXT = f"{100 * CONFIDENCE:g} %"
STREAM_INTERVAL_RULE = (
    f"a difference counts where its whole {_CONFIDENCE_TEXT} interval over the streams is on one "
    "side, and is undecided where not"
)
RUN_INTERVAL_RULE = (
    f"a rate counts where its whole {_CONFIDENCE_TEXT} interval, from the runs on these streams, "
    "is on one side, and is undecided where not"
)
ALL_STREAMS_TEXT = "the paper's 13 streams at their full length"


def full_length_need(item: str, part: str, streams: tuple[str, ...]) -> Need:
    """Runs of the paper's length on generated streams, some of which may be left out."""
    return Need(
        item,
        part=part,
        streams=streams,
        column="instances",
        values=(GENERATED_LENGTH,),
        may_lack_streams=True,
    )


FULL_LENGTH_NEEDS = (full_length_need(RATES_ITEM, "rates", GENERATED_STREAMS),)


@dataclass(frozen=True)
class Rates:
    """Rates of several streams. `rows` has the columns of `RATES_ITEM` and a column stream."""

    rows: pd.DataFrame

    def where(self, **values: str | Iterable[str]) -> Rates:
        """The rates in rows whose columns have these values, or one of several values."""
        rows = self.rows
        for column, allowed in values.items():
            allowed_values = [allowed] if isinstance(allowed, str) else [*allowed]
            rows = rows[rows[column].isin(allowed_values)]
        return Rates(rows)

    def by_stream(self, **values: str | Iterable[str]) -> Floats:
        """The mean rate by stream, over the rows that `where` selects."""
        means = self.where(**values).rows.groupby("stream", sort=False)["value"].mean()
        rates: Floats = means.to_numpy(dtype=np.float64)
        return rates

    def gap(
        self, first: Mapping[str, str | Iterable[str]], second: Mapping[str, str | Iterable[str]]
    ) -> AccuracyGap:
        """The mean rate at values `first` minus that at `second`, with an interval over streams."""
        return mean_gap(self.by_stream(**first) - self.by_stream(**second))

    def mean(self) -> AccuracyGap:
        """The mean of all rates, with the interval from the numbers of runs.

        Rates of a stream are averaged first, since they may come from the same runs.
        """
        by_stream = self.rows.groupby("stream", sort=False)
        return AccuracyGap(*mean_of_rates(by_stream["value"].mean(), by_stream["runs"].min()))


def mean_gap(values: Floats) -> AccuracyGap:
    """The mean over streams and its interval."""
    return AccuracyGap(*mean_interval(values))


def full_rates(results: Results) -> Rates:
    """The rates of all streams of the paper at their full length."""
    rates_by_stream, reasons = collect_outcomes(
        STREAM_LENGTHS, lambda stream: rates_by_length(results, stream)
    )
    if reasons:
        raise NotRunError("; ".join(dict.fromkeys(reasons)))
    full = [
        rates[rates["instances"] == rates["instances"].max()] for rates in rates_by_stream.values()
    ]
    return Rates(pd.concat(full))


def rates_by_length(results: Results, stream: str) -> pd.DataFrame:
    """The rates of a stream at all lengths of its runs."""
    frame = results.frame(f"{RATES_ITEM}/{stream}.rates", _STREAM_RATE_COLUMNS)
    if frame is None:
        raise NotRunError(results.missing_reason(RATES_ITEM, stream))
    rows = frame[frame["test"].isin(TESTS) & frame["alternative"].isin(ALTERNATIVES)]
    counts = rows.groupby("instances").size()
    if counts.empty or (counts != _N_RATES).any():
        raise NotRunError(
            f"{RATES_ITEM} of this run does not have all tests and schemes for {stream}"
        )
    return rows.assign(stream=stream)


def rate_growth(results: Results) -> Rates:
    """The rates in the longest runs of each stream minus those in the shortest."""
    growths = []
    rates_by_stream, _ = collect_outcomes(
        STREAM_LENGTHS, lambda stream: rates_by_length(results, stream)
    )
    for stream, rates in rates_by_stream.items():
        if len(set(rates["instances"])) == 1:
            continue
        keys = ["scheme", "reading", "alternative", "test"]
        shortest, longest = (
            rates[rates["instances"] == length].set_index(keys)["value"]
            for length in (rates["instances"].min(), rates["instances"].max())
        )
        growths.append((longest - shortest).reset_index().assign(stream=stream))
    if len(growths) < 2:  # an interval over streams needs two
        raise NotRunError(
            f"{RATES_ITEM} of this run has no two streams with runs of several lengths"
        )
    return Rates(pd.concat(growths))


def check_gap_above(text: str, gap: AccuracyGap, threshold: float = 0.0) -> Condition:
    """Whether a difference is above a threshold."""
    return Condition(gap.above(threshold), f"{text} {gap.text}")


def power_per_second(results: Results) -> dict[str, float]:
    """The mean power of each scheme, divided by the mean seconds of a run."""
    rates = full_rates(results)
    seconds: dict[str, list[float]] = {scheme: [] for scheme in SCHEME_TITLES}
    for stream in STREAM_LENGTHS:
        frame = results.frame(f"{RATES_ITEM}/{stream}.seconds", ("scheme", "runs", "seconds"))
        if frame is None:
            raise NotRunError(
                f"{stream}: no times of this run are compared, as they depend on the machine; "
                "those of a record are"
            )
        for row in frame.to_dict("records"):
            seconds[row["scheme"]].append(row["seconds"] / row["runs"])
    return {
        scheme: float(
            rates.by_stream(scheme=scheme, alternative=NOISE_LEVELS).mean() / np.mean(times)
        )
        for scheme, times in seconds.items()
    }
