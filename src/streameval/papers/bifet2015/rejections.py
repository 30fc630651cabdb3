"""The claims of Bifet et al. (2015), Section 4.1, on rates of rejection: Tables 2 to 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from streameval.base.arrays import Floats
from streameval.papers.bifet2015.published import (
    ALL,
    ALTERNATIVES,
    BOOTSTRAP,
    BY_RUNS,
    BY_STREAMS,
    COMPARABLE,
    CV,
    EQUAL,
    FULL_LENGTH,
    HALF,
    HELD_OUT,
    LARGE,
    LEARNT,
    LENGTHS,
    LEVEL,
    LITTLE,
    MCNEMAR,
    MISLEADING,
    NOISE,
    OVER_FOLDS,
    RATES,
    SAME,
    SIGN,
    SPLIT,
    STUDY,
    TENTH,
    TESTS,
    WILCOXON,
    Rates,
    above,
    full_rates,
    growth_of_rates,
    mean_gap,
    power_per_second,
    streams_difference,
)
from streameval.report.claims import Condition, Predicate, gaps_in_table, most_hold
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.results import NotRunError, Results
from streameval.view.numbers import number_text


def _on_all(
    rule: str, check: Callable[[Rates], list[Condition]], universal: bool = True
) -> Predicate:
    """The predicate of a claim on all streams of the paper at their full length."""
    return Predicate(
        rule, lambda results: check(full_rates(results)), FULL_LENGTH, universal=universal
    )


def _closely_followed(best: Floats, second: Floats, worst: Floats) -> list[Condition]:
    """Whether cv is best, bootstrap is closer to it than to split, and split is worst."""
    gaps = {
        "cv less bootstrap": best - second,
        "bootstrap less the middle of cv and split": second - (best + worst) / 2,
        "bootstrap less split": second - worst,
        "cv less split": best - worst,
    }
    return [above(text, mean_gap(values)) for text, values in gaps.items()]


def _overall(rates: Rates) -> list[Condition]:
    cells = rates.cells
    correct = cells["value"].where(cells["alternative"] != SAME, 1 - cells["value"])
    decisions = Rates(cells.assign(value=correct))
    return _closely_followed(
        *(decisions.by_stream(scheme=scheme) for scheme in (CV, BOOTSTRAP, SPLIT))
    )


def _more_examples(rates: Rates) -> list[Condition]:
    power, null = rates.where(alternative=NOISE), rates.where(alternative=SAME)
    conditions = []
    for more, fewer in ((CV, BOOTSTRAP), (BOOTSTRAP, SPLIT)):
        pair = f"{SCHEME_TITLES[more]} less {SCHEME_TITLES[fewer]}"
        ends = ({"scheme": more}, {"scheme": fewer})
        conditions += [
            above(f"power, {pair}:", power.gap(*ends)),
            above(f"false rejections avoided, {pair}:", null.gap(*reversed(ends))),
        ]
    return conditions


def _comparable(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme, noise in product((CV, BOOTSTRAP), NOISE):
        powers = np.array(
            [
                rates.by_stream(test=test, reading=reading, scheme=scheme, alternative=noise).mean()
                for test, reading in product(TESTS, READING_TITLES)
            ]
        )
        n_near = int((np.abs(powers - np.median(powers)) <= COMPARABLE).sum())
        n_detecting = int((powers >= HALF).sum())
        ends = f"{number_text(powers.min())} to {number_text(powers.max())}"
        where = f"{SCHEME_TITLES[scheme]}, {noise}: {len(powers)} rates from {ends}, "
        conditions += [
            Condition(2 * n_near > len(powers), f"{where}{n_near} of them near their median"),
            Condition(
                2 * n_detecting > len(powers), f"{where}{n_detecting} of them at least {HALF}"
            ),
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
    return [
        Condition(rate.at_most(HALF), f"{test}, {READING_TITLES[reading]}, {noise}: {rate.text}")
        for test, reading, noise in product(OVER_FOLDS, READING_TITLES, NOISE)
        for cell in [rates.where(test=test, reading=reading, scheme=SPLIT, alternative=noise)]
        for rate in [cell.mean()]
    ]


def _modes_agree(rates: Rates) -> list[Condition]:
    return [
        Condition(gap.within(LITTLE), f"{test}, {SCHEME_TITLES[scheme]}, {noise}: {gap.text}")
        for test, scheme, noise in product(TESTS, SCHEME_TITLES, ALTERNATIVES)
        for cell in [rates.where(test=test, scheme=scheme, alternative=noise)]
        for gap in [cell.gap({"reading": LEARNT}, {"reading": HELD_OUT})]
    ]


def _most_efficient(results: Results) -> list[Condition]:
    ratio = power_per_second(results)
    of_bootstrap = number_text(ratio[BOOTSTRAP], 6)
    return [
        Condition(
            ratio[BOOTSTRAP] > ratio[other],
            f"power per second with bootstrap {of_bootstrap}, with {SCHEME_TITLES[other]} "
            f"{number_text(ratio[other], 6)}",
        )
        for other in (CV, SPLIT)
    ]


def _printed_accuracy(results: Results) -> list[Condition]:
    columns = ("alternative", "instances", "gap", "printed_gap")
    conditions = []
    for stream in LENGTHS:
        frame = results.frame(f"{STUDY}/{stream}.gaps", columns)
        if frame is None:
            continue
        longest = frame[frame["instances"] == frame["instances"].max()]
        for noise, rows in longest[longest["alternative"].isin(NOISE)].groupby("alternative"):
            differences = (rows["gap"] - rows["printed_gap"]).abs()
            worst = rows.loc[differences.idxmax()]
            conditions.append(
                Condition(
                    float(differences.max()) <= EQUAL,
                    f"{stream}, {noise}: accuracy falls by {number_text(float(worst['gap']), 5)}, "
                    f"by the equation {number_text(float(worst['printed_gap']), 5)}",
                )
            )
    if not conditions:
        raise NotRunError(f"this run has no {STUDY}")
    return conditions


_POWER = (
    "power is the proportion of runs in which a test notices that predictions are replaced, "
    "averaged over the three tests, both modes and both levels of noise"
)
_CLOSELY = (
    "that of bootstrap above the middle of cv and split, so that it is closer to cv, and both are "
    "above split"
)


#: The generator on which the paper says that Wilcoxon's test is not perfect.
_SEA = ("sea_50", "sea_50000")
_OTHERS = tuple(stream for stream in LENGTHS if stream not in _SEA)


def _mcnemar_rejects(results: Results) -> list[Condition]:
    item = "bifet2015/table2"
    table = results.frame(item, RATES)
    if table is None or table.empty:
        raise NotRunError(f"this run has no {item}")
    rows = table[(table["alternative"] == SAME) & (table["test"] == MCNEMAR)]
    reason = "no such rates"
    if len(rows):
        reason = streams_difference(results, int(rows["streams"].min()))
    n_cells = len(READING_TITLES) * len(SCHEME_TITLES)
    if reason or len(rows) != n_cells:
        raise NotRunError(f"{item} of this run: {reason or f'{len(rows)} rates of {n_cells}'}")
    conditions = []
    for row, rate in zip(rows.to_dict("records"), gaps_in_table(rows, "value"), strict=True):
        cell = f"{row['test']}, {READING_TITLES[row['reading']]}, {SCHEME_TITLES[row['scheme']]}"
        conditions.append(Condition(rate.above(MISLEADING), f"{cell}: {rate.text}"))
    return conditions


def _mcnemar_overestimates(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme in SCHEME_TITLES:
        cells = rates.where(test=MCNEMAR, reading=HELD_OUT, scheme=scheme, alternative=SAME).cells
        verdicts = [rate.above(LEVEL) for rate in gaps_in_table(cells, "value")]
        number = sum(verdict is True for verdict in verdicts)
        text = f"{SCHEME_TITLES[scheme]}: on {number} of {len(verdicts)} streams"
        conditions.append(Condition(most_hold(verdicts), text))
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
    sea_powers = sea.where(alternative=NOISE).cells["value"]
    null = others.where(alternative=SAME).mean()
    n_perfect, n_perfect_on_sea = int((powers == 1).sum()), int((sea_powers == 1).sum())
    return [
        Condition(2 * n_perfect > len(powers), f"power is 1 in {n_perfect} of {len(powers)} cells"),
        Condition(null.at_most(TENTH), f"false rejections {null.text}"),
        Condition(
            n_perfect_on_sea == 0,
            f"power is 1 in {n_perfect_on_sea} of {len(sea_powers)} cells of SEA",
        ),
    ]


def _mcnemar_grows(results: Results) -> list[Condition]:
    null = growth_of_rates(results).where(test=MCNEMAR, alternative=SAME)
    return [
        above(
            f"{SCHEME_TITLES[scheme]}: false rejections in the longest runs less in the shortest",
            mean_gap(null.by_stream(scheme=scheme)),
        )
        for scheme in SCHEME_TITLES
    ]


def _power_is_fixed(results: Results) -> list[Condition]:
    growth = growth_of_rates(results)
    conditions = []
    for test, scheme in product(OVER_FOLDS, SCHEME_TITLES):
        gap = mean_gap(growth.by_stream(test=test, scheme=scheme, alternative=NOISE))
        text = f"{test}, {SCHEME_TITLES[scheme]}: power in the longest runs less in the shortest "
        conditions.append(Condition(gap.at_most(LITTLE), text + gap.text))
    return conditions


OF_TABLE_2: Mapping[str, Predicate] = {
    "overall_by_validation": _on_all(
        "the proportion of correct decisions, which is 1 less the rate where learners differ by "
        "their seeds only, and the rate where predictions are replaced, averaged over all tests, "
        f"modes and the three groups of columns of Table 2: over {ALL}, that of cv is above that "
        f"of bootstrap, {_CLOSELY}; {BY_STREAMS}",
        _overall,
    ),
    "more_examples_help": _on_all(
        f"averaged over tests and modes, over {ALL}, the power of cv is above that of bootstrap, "
        "and that of bootstrap above that of split; of false rejections, where learners differ by "
        f"their seeds only, cv has fewer than bootstrap, and bootstrap than split; {BY_STREAMS}",
        _more_examples,
    ),
    "tests_comparable_power": _on_all(
        f"averaged over {ALL}, with cv and with bootstrap, at both levels of noise, more than "
        f"half of the six rates of the three tests in both modes are within {COMPARABLE} of their "
        f"median, and more than half are at least {HALF}",
        _comparable,
    ),
    "null_gap_between_tests": _on_all(
        f"for two learners that differ by their seeds only, over {ALL}, McNemar's test rejects "
        f"more often than the sign test and than Wilcoxon's, by more than {LARGE}, in both modes "
        f"with all three schemes; {BY_STREAMS}",
        _null_gap,
    ),
    "split_cannot_distinguish": _on_all(
        f"averaged over {ALL}, with split the sign test and Wilcoxon's notice replaced "
        f"predictions in at most {100 * HALF:g} % of the runs, in both modes at both levels of "
        f"noise; {BY_RUNS}",
        _split_cannot,
    ),
    "little_difference_of_modes": _on_all(
        f"over {ALL}, for each test, scheme and level of noise, and without noise, the rates of "
        f"both modes differ by at most {LITTLE}; {BY_STREAMS}",
        _modes_agree,
    ),
    "bootstrap_most_efficient": Predicate(
        f"{_POWER}; the mean power over {ALL}, divided by the mean time of a run, which holds "
        "both modes, is highest with bootstrap; times of a run at hand are not compared",
        _most_efficient,
        FULL_LENGTH,
    ),
    "noise_accuracy": Predicate(
        "on each stream of this run and at both levels of noise, by all schemes and modes, the "
        "accuracy falls by as much as the equation says where predictions are replaced by other "
        f"labels, within {EQUAL}",
        _printed_accuracy,
    ),
    "mcnemar_rejects_true_null": Predicate(
        f"for two learners that differ by their seeds only, averaged over {ALL}, McNemar's test "
        f"rejects in more than {100 * MISLEADING:g} % of the runs in all six cells of Table 2; "
        f"{BY_RUNS}",
        _mcnemar_rejects,
        FULL_LENGTH,
    ),
    "mcnemar_grows": Predicate(
        "for two learners that differ by their seeds only, McNemar's test rejects more often in "
        "the longest runs of a stream than in the shortest, on the mean of both modes and of the "
        f"streams of this run, with all three schemes; {BY_STREAMS}",
        _mcnemar_grows,
    ),
    "fold_power_fixed": Predicate(
        "the power of the sign test, and of Wilcoxon's, is higher in the longest runs of a stream "
        f"than in the shortest by at most {LITTLE}, on the mean of both modes, both levels of "
        f"noise and of the streams of this run, with all three schemes; {BY_STREAMS}",
        _power_is_fixed,
    ),
    "mcnemar_overestimates": _on_all(
        "for two learners that differ by their seeds only, McNemar's test, non-prequential as in "
        f"Table 3, rejects in more than {100 * LEVEL:g} % of the runs, its level, on most of "
        f"{ALL}, with all three schemes; {BY_RUNS}",
        _mcnemar_overestimates,
    ),
    "wilcoxon_more_discriminative": _on_all(
        f"over {ALL} and both levels of noise, Wilcoxon's test notices replaced predictions more "
        f"often than the sign test, in both modes with all three schemes; {BY_STREAMS}",
        _more_discriminative,
    ),
    "wilcoxon_best_schemes": _on_all(
        f"for Wilcoxon's test, prequential as in Table 4, over {ALL}, cv and bootstrap each have "
        f"more power and fewer false rejections than split; {BY_STREAMS}",
        _best_schemes,
    ),
    "wilcoxon_perfect_but_sea": _on_all(
        f"of Wilcoxon's test, prequential as in Table 4, on {ALL} but the two of SEA: more than "
        "half of the rates with noise are 1, with all three schemes; without noise the average "
        f"rate is at most {100 * TENTH:g} %; and on the two of SEA no rate with noise is 1; "
        f"{BY_RUNS}",
        _perfect_but_sea,
        universal=False,
    ),
}
