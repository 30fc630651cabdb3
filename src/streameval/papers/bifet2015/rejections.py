"""The claims of Bifet et al. (2015), Section 4.1, on rates of rejection: Table 2."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from streameval.papers.bifet2015.published import (
    COMPARABLE,
    EQUAL,
    HALF,
    LARGE,
    LENGTHS,
    LITTLE,
    STUDY,
)
from streameval.papers.bifet2015.rates import (
    ALL,
    ALTERNATIVES,
    BOOTSTRAP,
    BY_RUNS,
    BY_STREAMS,
    CV,
    FULL_LENGTH,
    HELD_OUT,
    LEARNT,
    MCNEMAR,
    NOISE,
    OVER_FOLDS,
    SAME,
    SPLIT,
    TESTS,
    Floats,
    Rates,
    above,
    full_rates,
    on_all_streams,
    over_streams,
)
from streameval.report.claims import Condition, Outcome, Predicate
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.results import Results
from streameval.report.tables import number_text


def _closely_followed(best: Floats, second: Floats, worst: Floats) -> list[Condition]:
    """Return whether cv is best, bootstrap closer to it than to split, and split worst."""
    gaps = {
        "cv less bootstrap": best - second,
        "bootstrap less the middle of cv and split": second - (best + worst) / 2,
        "bootstrap less split": second - worst,
        "cv less split": best - worst,
    }
    return [above(text, over_streams(values)) for text, values in gaps.items()]


def _power(rates: Rates) -> list[Condition]:
    found = [rates.by_stream(scheme=one, alternative=NOISE) for one in (CV, BOOTSTRAP, SPLIT)]
    return _closely_followed(*found)


def _overall(rates: Rates) -> list[Condition]:
    cells = rates.cells
    correct = cells["value"].where(cells["alternative"] != SAME, 1 - cells["value"])
    found = Rates(cells.assign(value=correct))
    return _closely_followed(*(found.by_stream(scheme=one) for one in (CV, BOOTSTRAP, SPLIT)))


def _more_examples(rates: Rates) -> list[Condition]:
    conditions = []
    for more, fewer in ((CV, BOOTSTRAP), (BOOTSTRAP, SPLIT)):
        pair = f"{SCHEME_TITLES[more]} less {SCHEME_TITLES[fewer]}"
        power = rates.gap(
            {"scheme": more, "alternative": NOISE}, {"scheme": fewer, "alternative": NOISE}
        )
        null = rates.gap(
            {"scheme": fewer, "alternative": SAME}, {"scheme": more, "alternative": SAME}
        )
        conditions += [
            above(f"power, {pair}:", power),
            above(f"false rejections avoided, {pair}:", null),
        ]
    return conditions


def _comparable(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme, noise in product((CV, BOOTSTRAP), NOISE):
        found = np.array(
            [
                rates.by_stream(test=test, reading=reading, scheme=scheme, alternative=noise).mean()
                for test, reading in product(TESTS, READING_TITLES)
            ]
        )
        near = int((np.abs(found - np.median(found)) <= COMPARABLE).sum())
        detect = int((found >= HALF).sum())
        where = (
            f"{SCHEME_TITLES[scheme]}, {noise}: {len(found)} rates from {number_text(found.min())} "
        )
        where += f"to {number_text(found.max())}, "
        conditions += [
            Condition(2 * near > len(found), f"{where}{near} of them near their median"),
            Condition(2 * detect > len(found), f"{where}{detect} of them at least {HALF}"),
        ]
    return conditions


def _null_gap(rates: Rates) -> list[Condition]:
    null = rates.where(alternative=SAME)
    return [
        above(
            f"{MCNEMAR} less {test}, {READING_TITLES[reading]}, {SCHEME_TITLES[scheme]}:",
            null.where(reading=reading, scheme=scheme).gap({"test": MCNEMAR}, {"test": test}),
            LARGE,
        )
        for test, reading, scheme in product(OVER_FOLDS, READING_TITLES, SCHEME_TITLES)
    ]


def _split_cannot(rates: Rates) -> list[Condition]:
    conditions = []
    for test, reading, noise in product(OVER_FOLDS, READING_TITLES, NOISE):
        rate = rates.where(test=test, reading=reading, scheme=SPLIT, alternative=noise).mean()
        text = f"{test}, {READING_TITLES[reading]}, {noise}: {rate.text}"
        conditions.append(Condition(rate.at_most(HALF), text))
    return conditions


def _modes_alike(rates: Rates) -> list[Condition]:
    conditions = []
    for test, scheme, alternative in product(TESTS, SCHEME_TITLES, ALTERNATIVES):
        cell = rates.where(test=test, scheme=scheme, alternative=alternative)
        gap = cell.gap({"reading": LEARNT}, {"reading": HELD_OUT})
        text = f"{test}, {SCHEME_TITLES[scheme]}, {alternative}: {gap.text}"
        conditions.append(Condition(gap.within(LITTLE), text))
    return conditions


def _most_efficient(results: Results) -> Outcome:
    rates = full_rates(results)
    if isinstance(rates, str):
        return rates
    seconds = dict[str, list[float]]({scheme: [] for scheme in SCHEME_TITLES})
    for stream in LENGTHS:
        frame = results.frame(f"{STUDY}/{stream}.seconds", ("scheme", "runs", "seconds"))
        if frame is None:
            return (
                f"{stream}: no times of this run are compared, as they depend on the machine; "
                "those of a record are"
            )
        for row in frame.to_dict("records"):
            seconds[row["scheme"]].append(row["seconds"] / row["runs"])
    ratio = {
        scheme: float(rates.by_stream(scheme=scheme, alternative=NOISE).mean() / np.mean(spent))
        for scheme, spent in seconds.items()
    }
    own = number_text(ratio[BOOTSTRAP], 6)
    return [
        Condition(
            ratio[BOOTSTRAP] > ratio[other],
            f"power per second with bootstrap {own}, with {SCHEME_TITLES[other]} "
            f"{number_text(ratio[other], 6)}",
        )
        for other in (CV, SPLIT)
    ]


def _printed_accuracy(results: Results) -> Outcome:
    columns = ("alternative", "instances", "gap", "printed_gap")
    conditions = []
    for stream in LENGTHS:
        frame = results.frame(f"{STUDY}/{stream}.gaps", columns)
        if frame is None:
            continue
        longest = frame[frame["instances"] == frame["instances"].max()]
        for noise, rows in longest[longest["alternative"].isin(NOISE)].groupby("alternative"):
            apart = (rows["gap"] - rows["printed_gap"]).abs()
            worst = rows.loc[apart.idxmax()]
            conditions.append(
                Condition(
                    float(apart.max()) <= EQUAL,
                    f"{stream}, {noise}: accuracy falls by {number_text(float(worst['gap']), 5)}, "
                    f"by the equation {number_text(float(worst['printed_gap']), 5)}",
                )
            )
    return conditions or f"this run has no {STUDY}"


_POWER = (
    "power is the proportion of runs in which a test notices that predictions are replaced, "
    "averaged over the three tests, both modes and both levels of noise"
)
_CLOSELY = (
    "that of bootstrap above the middle of cv and split, so that it is closer to cv, and both are "
    "above split"
)

OF_TABLE_2: Mapping[str, Predicate] = {
    "power_by_validation": Predicate(
        f"{_POWER}; over {ALL}, the power of cv is above that of bootstrap, {_CLOSELY}; "
        f"{BY_STREAMS}",
        on_all_streams(_power),
        FULL_LENGTH,
        universal=True,
    ),
    "overall_by_validation": Predicate(
        "the proportion of correct decisions, which is 1 less the rate where learners differ by "
        "their seeds only, and the rate where predictions are replaced, averaged over all tests, "
        f"modes and the three groups of columns of Table 2: over {ALL}, that of cv is above that "
        f"of bootstrap, {_CLOSELY}; {BY_STREAMS}",
        on_all_streams(_overall),
        FULL_LENGTH,
        universal=True,
    ),
    "more_examples_help": Predicate(
        f"averaged over tests and modes, over {ALL}, the power of cv is above that of bootstrap, "
        "and that of bootstrap above that of split; of false rejections, where learners differ by "
        f"their seeds only, cv has fewer than bootstrap, and bootstrap than split; {BY_STREAMS}",
        on_all_streams(_more_examples),
        FULL_LENGTH,
        universal=True,
    ),
    "tests_comparable_power": Predicate(
        f"averaged over {ALL}, with cv and with bootstrap, at both levels of noise, more than "
        f"half of the six rates of the three tests in both modes are within {COMPARABLE} of their "
        f"median, and more than half are at least {HALF}",
        on_all_streams(_comparable),
        FULL_LENGTH,
        universal=True,
    ),
    "null_gap_between_tests": Predicate(
        f"for two learners that differ by their seeds only, over {ALL}, McNemar's test rejects "
        f"more often than the sign test and than Wilcoxon's, by more than {LARGE}, in both modes "
        f"with all three schemes; {BY_STREAMS}",
        on_all_streams(_null_gap),
        FULL_LENGTH,
        universal=True,
    ),
    "split_cannot_distinguish": Predicate(
        f"averaged over {ALL}, with split the sign test and Wilcoxon's notice replaced "
        f"predictions in at most {100 * HALF:g} % of the runs, in both modes at both levels of "
        f"noise; {BY_RUNS}",
        on_all_streams(_split_cannot),
        FULL_LENGTH,
        universal=True,
    ),
    "little_difference_of_modes": Predicate(
        f"over {ALL}, for each test, scheme and level of noise, and without noise, the rates of "
        f"both modes differ by at most {LITTLE}; {BY_STREAMS}",
        on_all_streams(_modes_alike),
        FULL_LENGTH,
        universal=True,
    ),
    "bootstrap_most_efficient": Predicate(
        f"{_POWER}; the mean power over {ALL}, divided by the mean time of a run, which holds "
        "both modes, is highest with bootstrap; times of a run at hand are not compared",
        _most_efficient,
        FULL_LENGTH,
        universal=True,
    ),
    "noise_accuracy": Predicate(
        "on each stream of this run and at both levels of noise, by all schemes and modes, the "
        "accuracy falls by as much as the equation says where predictions are replaced by other "
        f"labels, within {EQUAL}",
        _printed_accuracy,
        universal=True,
    ),
}
