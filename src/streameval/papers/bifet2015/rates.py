"""Rates of rejection in Tables 2 to 4 of Bifet et al. (2015), and the claims on single tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.papers.bifet2015.published import (
    GENERATED,
    LENGTHS,
    LEVEL,
    LITTLE,
    MILLION,
    MISLEADING,
    RATES,
    STUDY,
    TENTH,
    fewer_streams,
)
from streameval.report.claims import Condition, Difference, Need, Outcome, Predicate, most_hold
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
    """Return the rates in the longest runs of each stream less those in the shortest."""
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


#: The generator on which the paper says that Wilcoxon's test is not perfect.
_SEA = ("sea_50", "sea_50000")
_OTHERS = tuple(stream for stream in LENGTHS if stream not in _SEA)


def _mcnemar_rejects(results: Results) -> Outcome:
    item = "bifet2015/table2"
    table = results.frame(item, RATES)
    if table is None or table.empty:
        return f"this run has no {item}"
    rows = table[(table["alternative"] == SAME) & (table["test"] == MCNEMAR)]
    lacking = fewer_streams(results, int(rows["streams"].min())) if len(rows) else "no such rates"
    cells = len(READING_TITLES) * len(SCHEME_TITLES)
    if lacking or len(rows) != cells:
        return f"{item} of this run: {lacking or f'{len(rows)} rates of {cells}'}"
    conditions = []
    for row in rows.to_dict("records"):
        rate = Difference(*(float(row[name]) for name in ("value", "low", "high")))
        cell = f"{row['test']}, {READING_TITLES[row['reading']]}, {SCHEME_TITLES[row['scheme']]}"
        conditions.append(Condition(rate.above(MISLEADING), f"{cell}: {rate.text}"))
    return conditions


def _mcnemar_overestimates(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme in SCHEME_TITLES:
        cells = rates.where(test=MCNEMAR, reading=HELD_OUT, scheme=scheme, alternative=SAME).cells
        found = [
            Difference(*ends).above(LEVEL)
            for ends in cells[["value", "low", "high"]].to_numpy(dtype=float).tolist()
        ]
        number = sum(one is True for one in found)
        text = f"{SCHEME_TITLES[scheme]}: on {number} of {len(found)} streams"
        conditions.append(Condition(most_hold(found), text))
    return conditions


def _more_discriminative(rates: Rates) -> list[Condition]:
    noisy = rates.where(alternative=NOISE)
    return [
        above(
            f"{READING_TITLES[reading]}, {SCHEME_TITLES[scheme]}:",
            noisy.where(reading=reading, scheme=scheme).gap({"test": WILCOXON}, {"test": SIGN}),
        )
        for reading, scheme in product(READING_TITLES, SCHEME_TITLES)
    ]


def _best_schemes(rates: Rates) -> list[Condition]:
    table = rates.where(test=WILCOXON, reading=LEARNT)
    power, null = table.where(alternative=NOISE), table.where(alternative=SAME)
    conditions = []
    for scheme in (CV, BOOTSTRAP):
        pair = ({"scheme": scheme}, {"scheme": SPLIT})
        name = SCHEME_TITLES[scheme]
        conditions += [
            above(f"power, {name} less split:", power.gap(*pair)),
            above(f"false rejections, split less {name}:", null.gap(*reversed(pair))),
        ]
    return conditions


def _perfect_but_sea(rates: Rates) -> list[Condition]:
    table = rates.where(test=WILCOXON, reading=LEARNT)
    others, sea = table.where(stream=_OTHERS), table.where(stream=_SEA)
    powers = others.where(alternative=NOISE).cells["value"]
    of_sea = sea.where(alternative=NOISE).cells["value"]
    null = others.where(alternative=SAME).mean()
    perfect, at_sea = int((powers == 1).sum()), int((of_sea == 1).sum())
    return [
        Condition(2 * perfect > len(powers), f"power is 1 in {perfect} of {len(powers)} cells"),
        Condition(null.at_most(TENTH), f"false rejections {null.text}"),
        Condition(at_sea == 0, f"power is 1 in {at_sea} of {len(of_sea)} cells of SEA"),
    ]


def _mcnemar_grows(results: Results) -> Outcome:
    found = grown(results)
    if isinstance(found, str):
        return found
    null = found.where(test=MCNEMAR, alternative=SAME)
    return [
        above(
            f"{SCHEME_TITLES[scheme]}: false rejections in the longest runs less in the shortest",
            over_streams(null.by_stream(scheme=scheme)),
        )
        for scheme in SCHEME_TITLES
    ]


def _power_is_fixed(results: Results) -> Outcome:
    found = grown(results)
    if isinstance(found, str):
        return found
    conditions = []
    for test, scheme in product(OVER_FOLDS, SCHEME_TITLES):
        gap = over_streams(found.by_stream(test=test, scheme=scheme, alternative=NOISE))
        text = f"{test}, {SCHEME_TITLES[scheme]}: power in the longest runs less in the shortest "
        conditions.append(Condition(gap.at_most(LITTLE), text + gap.text))
    return conditions


OF_TESTS: Mapping[str, Predicate] = {
    "mcnemar_rejects_true_null": Predicate(
        f"for two learners that differ by their seeds only, averaged over {ALL}, McNemar's test "
        f"rejects in more than {100 * MISLEADING:g} % of the runs in all six cells of Table 2; "
        f"{BY_RUNS}",
        _mcnemar_rejects,
        FULL_LENGTH,
        universal=True,
    ),
    "mcnemar_grows": Predicate(
        "for two learners that differ by their seeds only, McNemar's test rejects more often in "
        "the longest runs of a stream than in the shortest, on the mean of both modes and of the "
        f"streams of this run, with all three schemes; {BY_STREAMS}",
        _mcnemar_grows,
        universal=True,
    ),
    "fold_power_fixed": Predicate(
        "the power of the sign test, and of Wilcoxon's, is higher in the longest runs of a stream "
        f"than in the shortest by at most {LITTLE}, on the mean of both modes, both levels of "
        f"noise and of the streams of this run, with all three schemes; {BY_STREAMS}",
        _power_is_fixed,
        universal=True,
    ),
    "mcnemar_overestimates": Predicate(
        "for two learners that differ by their seeds only, McNemar's test, non-prequential as in "
        f"Table 3, rejects in more than {100 * LEVEL:g} % of the runs, its level, on most of "
        f"{ALL}, with all three schemes; {BY_RUNS}",
        on_all_streams(_mcnemar_overestimates),
        FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_more_discriminative": Predicate(
        f"over {ALL} and both levels of noise, Wilcoxon's test notices replaced predictions more "
        f"often than the sign test, in both modes with all three schemes; {BY_STREAMS}",
        on_all_streams(_more_discriminative),
        FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_best_schemes": Predicate(
        f"for Wilcoxon's test, prequential as in Table 4, over {ALL}, cv and bootstrap each have "
        f"more power and fewer false rejections than split; {BY_STREAMS}",
        on_all_streams(_best_schemes),
        FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_perfect_but_sea": Predicate(
        f"of Wilcoxon's test, prequential as in Table 4, on {ALL} but the two of SEA: more than "
        "half of the rates with noise are 1, with all three schemes; without noise the average "
        f"rate is at most {100 * TENTH:g} %; and on the two of SEA no rate with noise is 1; "
        f"{BY_RUNS}",
        on_all_streams(_perfect_but_sea),
        FULL_LENGTH,
    ),
}
