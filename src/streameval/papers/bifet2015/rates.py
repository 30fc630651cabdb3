"""Rates of rejection by stream, as the claims of Bifet et al. (2015) compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.papers.bifet2015.published import GENERATED, LENGTHS, MILLION, STUDY
from streameval.report.claims.condition import Condition, Difference, Need, Outcome
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.results import Results
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_of_rates

Floats = NDArray[np.float64]

#: The tests of these tables, and their columns by noise.
MCNEMAR, SIGN, WILCOXON = TESTS = ("mcnemar", "sign_printed", "wilcoxon")
OVER_FOLDS = (SIGN, WILCOXON)
SAME, *NOISE = ALTERNATIVES = ("same", "noise 0.05", "noise 0.1")
BOOTSTRAP, CV, SPLIT = SCHEME_TITLES
HELD_OUT, LEARNT = READING_TITLES
_COLUMNS = ("scheme", "reading", "alternative", "instances", "test", "runs", "value", "low", "high")
_CELLS = len(TESTS) * len(SCHEME_TITLES) * len(READING_TITLES) * len(ALTERNATIVES)
#: What the rules of claims on these rates share.
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
        """Return those that hold these values."""
        found = self.cells
        for name, one in wanted.items():
            found = found[found[name].isin([one] if isinstance(one, str) else [*one])]
        return Rates(found)

    def by_stream(self, **wanted: str | Iterable[str]) -> Floats:
        """Return the mean rate of each stream."""
        means = self.where(**wanted).cells.groupby("stream", sort=False)["value"].mean()
        found: Floats = means.to_numpy(dtype=np.float64)
        return found

    def gap(
        self, one: Mapping[str, str | Iterable[str]], other: Mapping[str, str | Iterable[str]]
    ) -> Difference:
        """Return the difference of two mean rates, with its interval over the streams."""
        return over_streams(self.by_stream(**one) - self.by_stream(**other))

    def mean(self) -> Difference:
        """Return the mean of all rates, with the interval that follows from their runs.

        Rates of one stream count as one, since they may be of the same runs.
        """
        by_stream = self.cells.groupby("stream", sort=False)
        return Difference(*mean_of_rates(by_stream["value"].mean(), by_stream["runs"].min()))


def over_streams(values: Floats) -> Difference:
    """Return the mean over streams and its interval."""
    return Difference(*mean_interval(values))


def on_all_streams(check: Callable[[Rates], list[Condition]]) -> Callable[[Results], Outcome]:
    """Return the check of rates of all streams of the paper, or why there are none."""

    def of_results(results: Results) -> Outcome:
        found = full_rates(results)
        return found if isinstance(found, str) else check(found)

    return of_results


def full_rates(results: Results) -> Rates | str:
    """Return the rates of all streams of the paper at their full length, or why not."""
    found, reasons = [], []
    for stream in LENGTHS:
        rates, lacking = by_length(results, stream)
        if rates is None:
            reasons.append(lacking)
        else:
            found.append(rates[rates["instances"] == rates["instances"].max()])
    return "; ".join(dict.fromkeys(reasons)) if reasons else Rates(pd.concat(found))


def by_length(results: Results, stream: str) -> tuple[pd.DataFrame | None, str]:
    """Return the rates of a stream at all lengths of runs, or why there are none."""
    name = f"{STUDY}/{stream}.rates"
    frame = results.frame(name, _COLUMNS)
    if frame is None:
        return None, results.absence(STUDY, stream)
    rows = frame[frame["test"].isin(TESTS) & frame["alternative"].isin(ALTERNATIVES)]
    counts = rows.groupby("instances").size()
    if counts.empty or (counts != _CELLS).any():
        return None, f"{STUDY} of this run does not have all tests and schemes for {stream}"
    return rows.assign(stream=stream), ""


def grown(results: Results) -> Rates | str:
    """Return by how much rates are higher in the longest runs of a stream than in the shortest."""
    found = []
    for stream in LENGTHS:
        rates, _ = by_length(results, stream)
        if rates is None or len(set(rates["instances"])) == 1:
            continue
        keys = ["scheme", "reading", "alternative", "test"]
        ends = [
            rates[rates["instances"] == end].set_index(keys)["value"]
            for end in (rates["instances"].min(), rates["instances"].max())
        ]
        found.append((ends[1] - ends[0]).reset_index().assign(stream=stream))
    if len(found) < 2:
        return f"{STUDY} of this run has no two streams with runs of several lengths"
    return Rates(pd.concat(found))


def above(text: str, gap: Difference, least: float = 0.0) -> Condition:
    """Return whether a difference is above a value."""
    return Condition(gap.above(least), f"{text} {gap.text}")


def opposite(holds: bool | None) -> bool | None:
    """Return whether something does not hold; None if that is undecided."""
    return None if holds is None else not holds
