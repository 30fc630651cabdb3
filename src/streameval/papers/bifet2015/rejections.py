"""The claims of Bifet et al. (2015), Section 4.1, on how often tests reject: Tables 2 to 4."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from streameval.papers.bifet2015.rates import (
    ALTERNATIVES,
    BOOTSTRAP,
    CV,
    HELD_OUT,
    LEARNT,
    MCNEMAR,
    NOISE,
    OVER_FOLDS,
    SAME,
    SIGN,
    SPLIT,
    TESTS,
    WILCOXON,
    Floats,
    Rates,
    full_rates,
    grown,
    on_all_streams,
    over_streams,
)
from streameval.papers.bifet2015.streams import (
    GENERATED,
    LENGTHS,
    MILLION,
    RATES,
    STUDY,
    fewer_streams,
)
from streameval.papers.bifet2015.thresholds import (
    COMPARABLE,
    EQUAL,
    HALF,
    LARGE,
    LEVEL,
    LITTLE,
    MISLEADING,
    TENTH,
)
from streameval.report.claims.condition import Condition, Difference, Need, Outcome, Predicate
from streameval.report.names import READINGS, SCHEMES
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE

_CONFIDENT = f"{100 * CONFIDENCE:g} %"
_BY_STREAMS = (
    f"a difference counts where its whole {_CONFIDENT} interval over the streams is on one side, "
    "and is undecided where not"
)
_BY_RUNS = (
    f"a rate counts where its whole {_CONFIDENT} interval, from the runs on these streams, is on "
    "one side, and is undecided where not"
)
_ALL = "the paper's 13 streams at their full length"
#: The generator on which the paper says that Wilcoxon's test is not perfect.
_SEA = ("sea_50", "sea_50000")
_OTHERS = tuple(stream for stream in LENGTHS if stream not in _SEA)


def _not(holds: bool | None) -> bool | None:
    return None if holds is None else not holds


def _most(found: list[bool | None]) -> bool | None:
    """Whether more than half hold; None if those that are undecided decide it."""
    sure, open_ = (sum(one is wanted for one in found) for wanted in (True, None))
    return True if 2 * sure > len(found) else None if 2 * (sure + open_) > len(found) else False


def _mcnemar_rejects(results: Results) -> Outcome:
    item = "bifet2015/table2"
    table = results.frame(item, RATES)
    if table is None or table.empty:
        return f"this run has no {item}"
    rows = table[(table["alternative"] == SAME) & (table["test"] == MCNEMAR)]
    lacking = fewer_streams(results, int(rows["streams"].min())) if len(rows) else "no such rates"
    cells = len(READINGS) * len(SCHEMES)
    if lacking or len(rows) != cells:
        return f"{item} of this run: {lacking or f'{len(rows)} rates of {cells}'}"
    conditions = []
    for row in rows.to_dict("records"):
        rate = Difference(*(float(row[name]) for name in ("value", "fixed_low", "fixed_high")))
        cell = f"{row['test']}, {READINGS[row['reading']]}, {SCHEMES[row['scheme']]}"
        conditions.append(Condition(rate.above(MISLEADING), f"{cell}: {rate.text}"))
    return conditions


def _closely_followed(best: Floats, second: Floats, worst: Floats) -> list[Condition]:
    """Return whether cv is best, bootstrap closer to it than to split, and split worst."""
    gaps = {
        "cv less bootstrap": best - second,
        "bootstrap less the middle of cv and split": second - (best + worst) / 2,
        "bootstrap less split": second - worst,
        "cv less split": best - worst,
    }
    return [_above(text, over_streams(values)) for text, values in gaps.items()]


def _above(text: str, gap: Difference, least: float = 0.0) -> Condition:
    return Condition(gap.above(least), f"{text} {gap.text}")


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
        pair = f"{SCHEMES[more]} less {SCHEMES[fewer]}"
        power = rates.gap(
            {"scheme": more, "alternative": NOISE}, {"scheme": fewer, "alternative": NOISE}
        )
        null = rates.gap(
            {"scheme": fewer, "alternative": SAME}, {"scheme": more, "alternative": SAME}
        )
        conditions += [
            _above(f"power, {pair}:", power),
            _above(f"false rejections avoided, {pair}:", null),
        ]
    return conditions


def _comparable(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme, noise in product((CV, BOOTSTRAP), NOISE):
        found = np.array(
            [
                rates.by_stream(test=test, reading=reading, scheme=scheme, alternative=noise).mean()
                for test, reading in product(TESTS, READINGS)
            ]
        )
        near = int((np.abs(found - np.median(found)) <= COMPARABLE).sum())
        detect = int((found >= HALF).sum())
        where = f"{SCHEMES[scheme]}, {noise}: {len(found)} rates from {number_text(found.min())} "
        where += f"to {number_text(found.max())}, "
        conditions += [
            Condition(2 * near > len(found), f"{where}{near} of them near their median"),
            Condition(2 * detect > len(found), f"{where}{detect} of them at least {HALF}"),
        ]
    return conditions


def _null_gap(rates: Rates) -> list[Condition]:
    null = rates.where(alternative=SAME)
    return [
        _above(
            f"{MCNEMAR} less {test}, {READINGS[reading]}, {SCHEMES[scheme]}:",
            null.where(reading=reading, scheme=scheme).gap({"test": MCNEMAR}, {"test": test}),
            LARGE,
        )
        for test, reading, scheme in product(OVER_FOLDS, READINGS, SCHEMES)
    ]


def _split_cannot(rates: Rates) -> list[Condition]:
    conditions = []
    for test, reading, noise in product(OVER_FOLDS, READINGS, NOISE):
        rate = rates.where(test=test, reading=reading, scheme=SPLIT, alternative=noise).mean()
        text = f"{test}, {READINGS[reading]}, {noise}: {rate.text}"
        conditions.append(Condition(_not(rate.above(HALF)), text))
    return conditions


def _modes_alike(rates: Rates) -> list[Condition]:
    conditions = []
    for test, scheme, alternative in product(TESTS, SCHEMES, ALTERNATIVES):
        cell = rates.where(test=test, scheme=scheme, alternative=alternative)
        gap = cell.gap({"reading": LEARNT}, {"reading": HELD_OUT})
        text = f"{test}, {SCHEMES[scheme]}, {alternative}: {gap.text}"
        conditions.append(Condition(gap.within(LITTLE), text))
    return conditions


def _mcnemar_overestimates(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme in SCHEMES:
        cells = rates.where(test=MCNEMAR, reading=HELD_OUT, scheme=scheme, alternative=SAME).cells
        found = [
            Difference(*ends).above(LEVEL)
            for ends in cells[["value", "low", "high"]].to_numpy(dtype=float).tolist()
        ]
        text = f"{SCHEMES[scheme]}: on {sum(one is True for one in found)} of {len(found)} streams"
        conditions.append(Condition(_most(found), text))
    return conditions


def _more_discriminative(rates: Rates) -> list[Condition]:
    noisy = rates.where(alternative=NOISE)
    return [
        _above(
            f"{READINGS[reading]}, {SCHEMES[scheme]}:",
            noisy.where(reading=reading, scheme=scheme).gap({"test": WILCOXON}, {"test": SIGN}),
        )
        for reading, scheme in product(READINGS, SCHEMES)
    ]


def _best_schemes(rates: Rates) -> list[Condition]:
    table = rates.where(test=WILCOXON, reading=LEARNT)
    power, null = table.where(alternative=NOISE), table.where(alternative=SAME)
    conditions = []
    for scheme in (CV, BOOTSTRAP):
        pair = ({"scheme": scheme}, {"scheme": SPLIT})
        name = SCHEMES[scheme]
        conditions += [
            _above(f"power, {name} less split:", power.gap(*pair)),
            _above(f"false rejections, split less {name}:", null.gap(*reversed(pair))),
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
        Condition(_not(null.above(TENTH)), f"false rejections {null.text}"),
        Condition(at_sea == 0, f"power is 1 in {at_sea} of {len(of_sea)} cells of SEA"),
    ]


def _mcnemar_grows(results: Results) -> Outcome:
    found = grown(results)
    if isinstance(found, str):
        return found
    null = found.where(test=MCNEMAR, alternative=SAME)
    return [
        _above(
            f"{SCHEMES[scheme]}: false rejections in the longest runs less in the shortest",
            over_streams(null.by_stream(scheme=scheme)),
        )
        for scheme in SCHEMES
    ]


def _power_is_fixed(results: Results) -> Outcome:
    found = grown(results)
    if isinstance(found, str):
        return found
    conditions = []
    for test, scheme in product(OVER_FOLDS, SCHEMES):
        gap = over_streams(found.by_stream(test=test, scheme=scheme, alternative=NOISE))
        text = f"{test}, {SCHEMES[scheme]}: power in the longest runs less in the shortest "
        conditions.append(Condition(_not(gap.above(LITTLE)), text + gap.text))
    return conditions


def _most_efficient(results: Results) -> Outcome:
    rates = full_rates(results)
    if isinstance(rates, str):
        return rates
    seconds = dict[str, list[float]]({scheme: [] for scheme in SCHEMES})
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
            f"power per second with bootstrap {own}, with {SCHEMES[other]} "
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


_FULL_LENGTH = (Need(STUDY, "rates", GENERATED, "instances", (MILLION,), fewer=True),)
_POWER = (
    "power is the proportion of runs in which a test notices that predictions are replaced, "
    "averaged over the three tests, both modes and both levels of noise"
)
_CLOSELY = (
    "that of bootstrap above the middle of cv and split, so that it is closer to cv, and both are "
    "above split"
)

OF_RATES: Mapping[str, Predicate] = {
    "mcnemar_rejects_true_null": Predicate(
        f"for two learners that differ by their seeds only, averaged over {_ALL}, McNemar's test "
        f"rejects in more than {100 * MISLEADING:g} % of the runs in all six cells of Table 2; "
        f"{_BY_RUNS}",
        _mcnemar_rejects,
        _FULL_LENGTH,
        universal=True,
    ),
    "power_by_validation": Predicate(
        f"{_POWER}; over {_ALL}, the power of cv is above that of bootstrap, {_CLOSELY}; "
        f"{_BY_STREAMS}",
        on_all_streams(_power),
        _FULL_LENGTH,
        universal=True,
    ),
    "overall_by_validation": Predicate(
        "the proportion of correct decisions, which is 1 less the rate where learners differ by "
        "their seeds only, and the rate where predictions are replaced, averaged over all tests, "
        f"modes and the three groups of columns of Table 2: over {_ALL}, that of cv is above that "
        f"of bootstrap, {_CLOSELY}; {_BY_STREAMS}",
        on_all_streams(_overall),
        _FULL_LENGTH,
        universal=True,
    ),
    "more_examples_help": Predicate(
        f"averaged over tests and modes, over {_ALL}, the power of cv is above that of bootstrap, "
        "and that of bootstrap above that of split; of false rejections, where learners differ by "
        f"their seeds only, cv has fewer than bootstrap, and bootstrap than split; {_BY_STREAMS}",
        on_all_streams(_more_examples),
        _FULL_LENGTH,
        universal=True,
    ),
    "tests_comparable_power": Predicate(
        f"averaged over {_ALL}, with cv and with bootstrap, at both levels of noise, more than "
        f"half of the six rates of the three tests in both modes are within {COMPARABLE} of their "
        f"median, and more than half are at least {HALF}",
        on_all_streams(_comparable),
        _FULL_LENGTH,
        universal=True,
    ),
    "null_gap_between_tests": Predicate(
        f"for two learners that differ by their seeds only, over {_ALL}, McNemar's test rejects "
        f"more often than the sign test and than Wilcoxon's, by more than {LARGE}, in both modes "
        f"with all three schemes; {_BY_STREAMS}",
        on_all_streams(_null_gap),
        _FULL_LENGTH,
        universal=True,
    ),
    "split_cannot_distinguish": Predicate(
        f"averaged over {_ALL}, with split the sign test and Wilcoxon's notice replaced "
        f"predictions in at most {100 * HALF:g} % of the runs, in both modes at both levels of "
        f"noise; {_BY_RUNS}",
        on_all_streams(_split_cannot),
        _FULL_LENGTH,
        universal=True,
    ),
    "little_difference_of_modes": Predicate(
        f"over {_ALL}, for each test, scheme and level of noise, and without noise, the rates of "
        f"both modes differ by at most {LITTLE}; {_BY_STREAMS}",
        on_all_streams(_modes_alike),
        _FULL_LENGTH,
        universal=True,
    ),
    "bootstrap_most_efficient": Predicate(
        f"{_POWER}; the mean power over {_ALL}, divided by the mean time of a run, which holds "
        "both modes, is highest with bootstrap; times of a run at hand are not compared",
        _most_efficient,
        _FULL_LENGTH,
        universal=True,
    ),
    "mcnemar_grows": Predicate(
        "for two learners that differ by their seeds only, McNemar's test rejects more often in "
        "the longest runs of a stream than in the shortest, on the mean of both modes and of the "
        f"streams of this run, with all three schemes; {_BY_STREAMS}",
        _mcnemar_grows,
        universal=True,
    ),
    "fold_power_fixed": Predicate(
        "the power of the sign test, and of Wilcoxon's, is higher in the longest runs of a stream "
        f"than in the shortest by at most {LITTLE}, on the mean of both modes, both levels of "
        f"noise and of the streams of this run, with all three schemes; {_BY_STREAMS}",
        _power_is_fixed,
        universal=True,
    ),
    "noise_accuracy": Predicate(
        "on each stream of this run and at both levels of noise, by all schemes and modes, the "
        "accuracy falls by as much as the equation says where predictions are replaced by other "
        f"labels, within {EQUAL}",
        _printed_accuracy,
        universal=True,
    ),
    "mcnemar_overestimates": Predicate(
        "for two learners that differ by their seeds only, McNemar's test, non-prequential as in "
        f"Table 3, rejects in more than {100 * LEVEL:g} % of the runs, its level, on most of "
        f"{_ALL}, with all three schemes; {_BY_RUNS}",
        on_all_streams(_mcnemar_overestimates),
        _FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_more_discriminative": Predicate(
        f"over {_ALL} and both levels of noise, Wilcoxon's test notices replaced predictions more "
        f"often than the sign test, in both modes with all three schemes; {_BY_STREAMS}",
        on_all_streams(_more_discriminative),
        _FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_best_schemes": Predicate(
        f"for Wilcoxon's test, prequential as in Table 4, over {_ALL}, cv and bootstrap each have "
        f"more power and fewer false rejections than split; {_BY_STREAMS}",
        on_all_streams(_best_schemes),
        _FULL_LENGTH,
        universal=True,
    ),
    "wilcoxon_perfect_but_sea": Predicate(
        f"of Wilcoxon's test, prequential as in Table 4, on {_ALL} but the two of SEA: more than "
        "half of the rates with noise are 1, with all three schemes; without noise the average "
        f"rate is at most {100 * TENTH:g} %; and on the two of SEA no rate with noise is 1; "
        f"{_BY_RUNS}",
        on_all_streams(_perfect_but_sea),
        _FULL_LENGTH,
    ),
}
