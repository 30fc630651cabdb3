"""The tables of Bifet et al. (2015), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.report.claims import AccuracyGap, Condition, Need, each_found
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.published import Find, PublishedTable
from streameval.report.results import Finding, NotRunError, Results
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_of_rates
from streameval.view.numbers import number_text

# ---- thresholds: the meaning of the words of its claims in numbers, fixed before a run

#: "A period of time" is at least this proportion of the stream without a break, and so is "some".
PERIOD = 0.02
#: "At least 42 %"; "at most 10 %"; and the level of the tests.
MISLEADING, TENTH, LEVEL = 0.42, 0.1, 0.05
#: "Similar": not above by more than this. "Very similar": the mean distance is at most this.
SIMILAR, VERY_SIMILAR = 0.05, 0.02
#: A test "detects" a difference in at least this proportion of the runs; in less it "cannot".
HALF = 0.5
#: Rates that are "comparable" are at most so far from their median; a "large gap" is wider.
COMPARABLE, LARGE = 0.1, 0.2
#: "Little difference": at most this.
LITTLE = 0.05
#: Two differences in accuracy are equal within this; many times the sampling error of our runs.
EQUAL = 0.0005

# ---- streams, and how far a run goes along each

#: Length of the paper's generated streams.
MILLION = 1_000_000
#: Generated streams with drift.
DRIFTING = (
    *("led_50000", "sea_50", "sea_50000", "hyp_10_0.001", "hyp_10_0.0001"),
    *("rbf_50_0.001", "rbf_10_0.001", "rbf_50_0.0001", "rbf_10_0.0001"),
)
#: All that are generated.
GENERATED = (*DRIFTING[:5], "rbf_0_0", *DRIFTING[5:])
#: All streams with their lengths. Of real ones the paper gives none; these are the whole files.
LENGTHS: Mapping[str, int] = {
    "covtype": 581_012,
    "elec2": 45_312,
    "poker": 829_201,
    **dict.fromkeys(GENERATED, MILLION),
}
#: The runs of the paper for each stream. An average over streams has at most the variance of a
#: proportion of all their runs, as p (1 - p) is concave.
RUNS = 50
#: The study whose rates the tables show.
STUDY = "bifet2015/errors"
#: Columns of our tables of rates.
RATES = (
    *("stream", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "value", "low", "high"),
)


def shorter(stream: str, instances: int) -> str:
    """The lengths of our runs of a stream and the paper's; "" unless ours are shorter."""
    wanted = LENGTHS[stream]
    if instances >= wanted:
        return ""
    return f"runs of {number_text(instances)} instances, in the paper {number_text(wanted)}"


def fewer_streams(results: Results, streams: int) -> str:
    """The difference between the streams of an average and the paper's; "" if there is none."""
    if streams != len(LENGTHS):
        return f"an average over {streams} streams, in the paper {len(LENGTHS)}"
    for stream in LENGTHS:
        rates, lacking = results.trace(STUDY, stream, "rates")
        short = lacking if rates is None else shorter(stream, int(rates["instances"].max()))
        if short:
            return f"{stream}: {short}"
    return ""


#: Section 5.3: the proportion of predictions of Class+, and what a random classifier has right of
#: either class.
OF_PLUS, CHANCE_PLUS, CHANCE_MINUS = 0.45, 0.315, 0.165

# ---- tables

_FOLDS = ("stream", "p_noise", "validation")
#: Our names of what the tables call otherwise.
_READINGS = {title: name for name, title in READING_TITLES.items()}
_SCHEMES = {title: name for name, title in SCHEME_TITLES.items()}
_TESTS = {"mcnemar": "mcnemar", "sign": "sign_printed", "wilcoxon": "wilcoxon"}
#: Rows of Table 2 that are no rates.
_SECONDS = "seconds"
_OTHER_MACHINE = "times of the authors' machine, which those of another one cannot reproduce"

#: The class of measures that are of no single class, in our table of the matrix.
ALL_CLASSES = "all"
#: Names in the paper's Table 5 of what our table calls otherwise: measure and class.
_OURS = {
    "p_c": ("chance_accuracy", ALL_CLASSES),
    "accuracy_class_plus": ("recall", "plus"),
    "accuracy_class_minus": ("recall", "minus"),
}


def value_of(results: Results, item: str, **where: str) -> Finding:
    """The value of the first row of a table that holds this, or why there is none."""
    frame = results.frame(item, ("value", *where))
    if frame is None:
        return Finding(np.nan, f"this run has no {item}")
    fits = pd.Series(True, index=frame.index)
    for name, wanted in where.items():
        fits &= frame[name].astype(str) == wanted
    if not fits.any():
        return Finding(np.nan, f"{item} of this run does not have {' '.join(where.values())}")
    value = float(frame.loc[fits, "value"].iloc[0])
    return Finding(value, "undefined in this run" if np.isnan(value) else "")


def _paired(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``fold/quantity`` or ``test/quantity`` in our table of the folds."""
    of, _, quantity = key.partition("/")
    return value_of(results, "bifet2015/table1", of=of, quantity=quantity)


def _confusion(results: Results, item: str, key: str) -> Finding:
    """Look up a measure, in per cent, in our table of the confusion matrix."""
    measure, of = _OURS.get(key, (key, ALL_CLASSES))
    finding = value_of(results, item, measure=measure, **{"class": of})
    if finding.reason:
        return finding
    return Finding(100 * finding.value, exact=100 * Fraction(repr(finding.value)))


def _average_rate(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``test/mode/p_noise/validation`` in our table of averages."""
    test, mode, noise, validation = key.split("/")
    if test == _SECONDS:
        return Finding(np.nan, _OTHER_MACHINE)
    row, lacking = _rate(results, item, "all", _TESTS[test], _READINGS[mode], noise, validation)
    if row is None:
        return Finding(np.nan, lacking)
    scale = fewer_streams(results, int(row["streams"]))
    if scale:
        scale += f", here of at least {number_text(int(row['instances']))} instances each"
    ends = (float(row["low"]), float(row["high"]))
    return Finding(float(row["value"]), "", ends, scale, runs=RUNS * len(LENGTHS))


def _rate_of_stream(test: str, reading: str) -> Find:
    """The look-up of keys ``stream/p_noise/validation`` in a table of a single test."""

    def find(results: Results, item: str, key: str) -> Finding:
        stream, noise, validation = key.split("/")
        row, lacking = _rate(results, item, stream, test, reading, noise, validation)
        if row is None:
            return Finding(np.nan, lacking)
        scale = shorter(stream, int(row["instances"]))
        ends = (float(row["low"]), float(row["high"]))
        return Finding(float(row["value"]), "", ends, scale, runs=RUNS)

    return find


def _rate(
    results: Results, item: str, stream: str, test: str, reading: str, noise: str, validation: str
) -> tuple[pd.Series | None, str]:
    """The row of a rate, or why there is none."""
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


_RATE = ("rejection_fraction",)
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
    PublishedTable("table3", _FOLDS, _rate_of_stream("mcnemar", "held_out"), _RATE),
    PublishedTable("table4", _FOLDS, _rate_of_stream("wilcoxon", "learnt"), _RATE),
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


#: The tests of these tables, and their columns by noise.
MCNEMAR, SIGN, WILCOXON = TESTS = ("mcnemar", "sign_printed", "wilcoxon")
OVER_FOLDS = (SIGN, WILCOXON)
SAME, *NOISE = ALTERNATIVES = ("same", "noise 0.05", "noise 0.1")
BOOTSTRAP, CV, SPLIT = SCHEME_TITLES
HELD_OUT, LEARNT = READING_TITLES
_COLUMNS = ("scheme", "reading", "alternative", "instances", "test", "runs", "value", "low", "high")
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
FULL_LENGTH = (Need(STUDY, "rates", GENERATED, "instances", (MILLION,), fewer=True),)


@dataclass(frozen=True)
class Rates:
    """Rates of several streams, with the columns of the study and that of the stream."""

    cells: pd.DataFrame

    def where(self, **wanted: str | Iterable[str]) -> Rates:
        """The rates in rows with these values."""
        cells = self.cells
        for name, wanted_values in wanted.items():
            cells = cells[
                cells[name].isin(
                    [wanted_values] if isinstance(wanted_values, str) else [*wanted_values]
                )
            ]
        return Rates(cells)

    def by_stream(self, **wanted: str | Iterable[str]) -> Floats:
        """The mean rate of each stream."""
        means = self.where(**wanted).cells.groupby("stream", sort=False)["value"].mean()
        rates: Floats = means.to_numpy(dtype=np.float64)
        return rates

    def gap(
        self, first: Mapping[str, str | Iterable[str]], second: Mapping[str, str | Iterable[str]]
    ) -> AccuracyGap:
        """The difference of two mean rates, with its interval over the streams."""
        return mean_gap(self.by_stream(**first) - self.by_stream(**second))

    def mean(self) -> AccuracyGap:
        """The mean of all rates, with the interval that follows from their runs.

        Rates of one stream count as one, since they may be of the same runs.
        """
        by_stream = self.cells.groupby("stream", sort=False)
        return AccuracyGap(*mean_of_rates(by_stream["value"].mean(), by_stream["runs"].min()))


def mean_gap(values: Floats) -> AccuracyGap:
    """The mean over streams and its interval."""
    return AccuracyGap(*mean_interval(values))


def full_rates(results: Results) -> Rates:
    """The rates of all streams of the paper at their full length."""
    rates_by_stream, reasons = each_found(LENGTHS, lambda stream: by_length(results, stream))
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


def grown(results: Results) -> Rates:
    """The rates in the longest runs of each stream less those in the shortest."""
    growths = []
    known, _ = each_found(LENGTHS, lambda stream: by_length(results, stream))
    for stream, rates in known.items():
        if len(set(rates["instances"])) == 1:
            continue
        keys = ["scheme", "reading", "alternative", "test"]
        ends = [
            rates[rates["instances"] == end].set_index(keys)["value"]
            for end in (rates["instances"].min(), rates["instances"].max())
        ]
        growths.append((ends[1] - ends[0]).reset_index().assign(stream=stream))
    if len(growths) < 2:
        raise NotRunError(f"{STUDY} of this run has no two streams with runs of several lengths")
    return Rates(pd.concat(growths))


def above(text: str, gap: AccuracyGap, least: float = 0.0) -> Condition:
    """Whether a difference is above a value."""
    return Condition(gap.above(least), f"{text} {gap.text}")


def power_per_second(results: Results) -> dict[str, float]:
    """The mean power of each scheme by the mean seconds of a run."""
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
        scheme: float(rates.by_stream(scheme=scheme, alternative=NOISE).mean() / np.mean(spent))
        for scheme, spent in seconds.items()
    }
