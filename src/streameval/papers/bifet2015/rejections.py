"""The claims of Bifet et al. (2015), Section 4.1, on rates of rejection: Tables 2 to 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from streameval.base.arrays import Floats
from streameval.papers.bifet2015.published import (
    ALL_STREAMS_TEXT,
    ALTERNATIVES,
    BOOTSTRAP,
    CV,
    EQUAL_ACCURACY_TOLERANCE,
    FOLD_TESTS,
    FULL_LENGTH_NEEDS,
    HELD_OUT_READING,
    LEARNT_READING,
    MAX_COMPARABLE_DEVIATION,
    MAX_FALSE_REJECTION_RATE,
    MAX_SMALL_RATE_GAP,
    MCNEMAR,
    MIN_DETECTION_RATE,
    MIN_LARGE_RATE_GAP,
    MIN_MISLEADING_RATE,
    NOISE_LEVELS,
    RATE_COLUMNS,
    RATES_ITEM,
    RUN_INTERVAL_RULE,
    SAME_LEARNER,
    SIGN,
    SPLIT,
    STREAM_INTERVAL_RULE,
    STREAM_LENGTHS,
    TEST_LEVEL,
    TESTS,
    WILCOXON,
    Rates,
    check_gap_above,
    full_rates,
    mean_gap,
    power_per_second,
    rate_growth,
    streams_difference_text,
)
from streameval.report.claims import Condition, Predicate, accuracy_gaps_of_rows, most_hold
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.results import NotRunError, Results
from streameval.view.numbers import number_text


def _full_length_predicate(
    rule: str, check: Callable[[Rates], list[Condition]], universal: bool = True
) -> Predicate:
    """The predicate of a claim on all streams of the paper at their full length."""
    return Predicate(
        rule, lambda results: check(full_rates(results)), FULL_LENGTH_NEEDS, universal=universal
    )


def _check_order_of_schemes(cv: Floats, bootstrap: Floats, split: Floats) -> list[Condition]:
    """Whether cv is best, split worst, and bootstrap closer to cv than to split."""
    gaps = {
        "cv less bootstrap": cv - bootstrap,
        "bootstrap less the middle of cv and split": bootstrap - (cv + split) / 2,
        "bootstrap less split": bootstrap - split,
        "cv less split": cv - split,
    }
    return [check_gap_above(text, mean_gap(values)) for text, values in gaps.items()]


def _check_correct_decisions(rates: Rates) -> list[Condition]:
    rows = rates.rows
    correct = rows["value"].where(rows["alternative"] != SAME_LEARNER, 1 - rows["value"])
    decisions = Rates(rows.assign(value=correct))
    return _check_order_of_schemes(
        *(decisions.by_stream(scheme=scheme) for scheme in (CV, BOOTSTRAP, SPLIT))
    )


def _check_more_examples(rates: Rates) -> list[Condition]:
    power = rates.where(alternative=NOISE_LEVELS)
    same_learner_rates = rates.where(alternative=SAME_LEARNER)
    conditions = []
    for more, fewer in ((CV, BOOTSTRAP), (BOOTSTRAP, SPLIT)):
        pair = f"{SCHEME_TITLES[more]} less {SCHEME_TITLES[fewer]}"
        selections = ({"scheme": more}, {"scheme": fewer})
        conditions += [
            check_gap_above(f"power, {pair}:", power.gap(*selections)),
            check_gap_above(
                f"false rejections avoided, {pair}:", same_learner_rates.gap(*reversed(selections))
            ),
        ]
    return conditions


def _check_comparable_power(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme, noise in product((CV, BOOTSTRAP), NOISE_LEVELS):
        powers = np.array(
            [
                rates.by_stream(test=test, reading=reading, scheme=scheme, alternative=noise).mean()
                for test, reading in product(TESTS, READING_TITLES)
            ]
        )
        n_near = int((np.abs(powers - np.median(powers)) <= MAX_COMPARABLE_DEVIATION).sum())
        n_detecting = int((powers >= MIN_DETECTION_RATE).sum())
        value_range = f"{number_text(powers.min())} to {number_text(powers.max())}"
        label = f"{SCHEME_TITLES[scheme]}, {noise}: {len(powers)} rates from {value_range}, "
        conditions += [
            Condition(2 * n_near > len(powers), f"{label}{n_near} of them near their median"),
            Condition(
                2 * n_detecting > len(powers),
                f"{label}{n_detecting} of them at least {MIN_DETECTION_RATE}",
            ),
        ]
    return conditions


def _check_null_gap(rates: Rates) -> list[Condition]:
    same_learner_rates = rates.where(alternative=SAME_LEARNER)
    return [
        check_gap_above(
            f"{MCNEMAR} less {test}, {READING_TITLES[reading]}, {SCHEME_TITLES[scheme]}:",
            same_learner_rates.where(reading=reading, scheme=scheme).gap(
                {"test": MCNEMAR}, {"test": test}
            ),
            MIN_LARGE_RATE_GAP,
        )
        for test, reading, scheme in product(FOLD_TESTS, READING_TITLES, SCHEME_TITLES)
    ]


def _check_split_misses(rates: Rates) -> list[Condition]:
    return [
        Condition(
            rate.at_most(MIN_DETECTION_RATE),
            f"{test}, {READING_TITLES[reading]}, {noise}: {rate.text}",
        )
        for test, reading, noise in product(FOLD_TESTS, READING_TITLES, NOISE_LEVELS)
        for cell in [rates.where(test=test, reading=reading, scheme=SPLIT, alternative=noise)]
        for rate in [cell.mean()]
    ]


def _check_modes_agree(rates: Rates) -> list[Condition]:
    return [
        Condition(
            gap.within(MAX_SMALL_RATE_GAP), f"{test}, {SCHEME_TITLES[scheme]}, {noise}: {gap.text}"
        )
        for test, scheme, noise in product(TESTS, SCHEME_TITLES, ALTERNATIVES)
        for cell in [rates.where(test=test, scheme=scheme, alternative=noise)]
        for gap in [cell.gap({"reading": LEARNT_READING}, {"reading": HELD_OUT_READING})]
    ]


def _check_efficiency(results: Results) -> list[Condition]:
    ratio = power_per_second(results)
    bootstrap_text = number_text(ratio[BOOTSTRAP], 6)
    return [
        Condition(
            ratio[BOOTSTRAP] > ratio[other],
            f"power per second with bootstrap {bootstrap_text}, with {SCHEME_TITLES[other]} "
            f"{number_text(ratio[other], 6)}",
        )
        for other in (CV, SPLIT)
    ]


def _check_noise_equation(results: Results) -> list[Condition]:
    columns = ("alternative", "instances", "gap", "printed_gap")
    conditions = []
    for stream in STREAM_LENGTHS:
        frame = results.frame(f"{RATES_ITEM}/{stream}.gaps", columns)
        if frame is None:
            continue
        longest = frame[frame["instances"] == frame["instances"].max()]
        for noise, rows in longest[longest["alternative"].isin(NOISE_LEVELS)].groupby(
            "alternative"
        ):
            differences = (rows["gap"] - rows["printed_gap"]).abs()
            worst = rows.loc[differences.idxmax()]
            conditions.append(
                Condition(
                    float(differences.max()) <= EQUAL_ACCURACY_TOLERANCE,
                    f"{stream}, {noise}: accuracy falls by {number_text(float(worst['gap']), 5)}, "
                    f"by the equation {number_text(float(worst['printed_gap']), 5)}",
                )
            )
    if not conditions:
        raise NotRunError(f"this run has no {RATES_ITEM}")
    return conditions


_POWER_TEXT = (
    "power is the proportion of runs in which a test notices that predictions are replaced, "
    "averaged over the three tests, both modes and both levels of noise"
)
_CLOSELY_FOLLOWED_TEXT = (
    "that of bootstrap above the middle of cv and split, so that it is closer to cv, and both are "
    "above split"
)


#: Streams of SEA, the generator on which the paper says that Wilcoxon's test is not perfect.
_SEA_STREAMS = ("sea_50", "sea_50000")
_OTHER_STREAMS = tuple(stream for stream in STREAM_LENGTHS if stream not in _SEA_STREAMS)


def _check_mcnemar_rejects(results: Results) -> list[Condition]:
    item = "bifet2015/table2"
    table = results.frame(item, RATE_COLUMNS)
    if table is None or table.empty:
        raise NotRunError(f"this run has no {item}")
    rows = table[(table["alternative"] == SAME_LEARNER) & (table["test"] == MCNEMAR)]
    reason = "no such rates"
    if len(rows):
        reason = streams_difference_text(results, int(rows["streams"].min()))
    n_cells = len(READING_TITLES) * len(SCHEME_TITLES)
    if reason or len(rows) != n_cells:
        raise NotRunError(f"{item} of this run: {reason or f'{len(rows)} rates of {n_cells}'}")
    conditions = []
    for row, rate in zip(
        rows.to_dict("records"), accuracy_gaps_of_rows(rows, "value"), strict=True
    ):
        cell = f"{row['test']}, {READING_TITLES[row['reading']]}, {SCHEME_TITLES[row['scheme']]}"
        conditions.append(Condition(rate.above(MIN_MISLEADING_RATE), f"{cell}: {rate.text}"))
    return conditions


def _check_mcnemar_overestimates(rates: Rates) -> list[Condition]:
    conditions = []
    for scheme in SCHEME_TITLES:
        cells = rates.where(
            test=MCNEMAR, reading=HELD_OUT_READING, scheme=scheme, alternative=SAME_LEARNER
        ).rows
        verdicts = [rate.above(TEST_LEVEL) for rate in accuracy_gaps_of_rows(cells, "value")]
        n_above = sum(verdict is True for verdict in verdicts)
        text = f"{SCHEME_TITLES[scheme]}: on {n_above} of {len(verdicts)} streams"
        conditions.append(Condition(most_hold(verdicts), text))
    return conditions


def _check_discrimination(rates: Rates) -> list[Condition]:
    noisy = rates.where(alternative=NOISE_LEVELS)
    return [
        check_gap_above(
            f"{READING_TITLES[reading]}, {SCHEME_TITLES[scheme]}:",
            noisy.where(reading=reading, scheme=scheme).gap({"test": WILCOXON}, {"test": SIGN}),
        )
        for reading, scheme in product(READING_TITLES, SCHEME_TITLES)
    ]


def _check_best_schemes(rates: Rates) -> list[Condition]:
    table = rates.where(test=WILCOXON, reading=LEARNT_READING)
    power = table.where(alternative=NOISE_LEVELS)
    same_learner_rates = table.where(alternative=SAME_LEARNER)
    conditions = []
    for scheme in (CV, BOOTSTRAP):
        pair = ({"scheme": scheme}, {"scheme": SPLIT})
        name = SCHEME_TITLES[scheme]
        conditions += [
            check_gap_above(f"power, {name} less split:", power.gap(*pair)),
            check_gap_above(
                f"false rejections, split less {name}:", same_learner_rates.gap(*reversed(pair))
            ),
        ]
    return conditions


def _check_perfect_but_sea(rates: Rates) -> list[Condition]:
    table = rates.where(test=WILCOXON, reading=LEARNT_READING)
    others, sea = table.where(stream=_OTHER_STREAMS), table.where(stream=_SEA_STREAMS)
    powers = others.where(alternative=NOISE_LEVELS).rows["value"]
    sea_powers = sea.where(alternative=NOISE_LEVELS).rows["value"]
    false_rejections = others.where(alternative=SAME_LEARNER).mean()
    n_perfect, n_perfect_on_sea = int((powers == 1).sum()), int((sea_powers == 1).sum())
    return [
        Condition(2 * n_perfect > len(powers), f"power is 1 in {n_perfect} of {len(powers)} cells"),
        Condition(
            false_rejections.at_most(MAX_FALSE_REJECTION_RATE),
            f"false rejections {false_rejections.text}",
        ),
        Condition(
            n_perfect_on_sea == 0,
            f"power is 1 in {n_perfect_on_sea} of {len(sea_powers)} cells of SEA",
        ),
    ]


def _check_mcnemar_grows(results: Results) -> list[Condition]:
    same_learner_rates = rate_growth(results).where(test=MCNEMAR, alternative=SAME_LEARNER)
    return [
        check_gap_above(
            f"{SCHEME_TITLES[scheme]}: false rejections in the longest runs less in the shortest",
            mean_gap(same_learner_rates.by_stream(scheme=scheme)),
        )
        for scheme in SCHEME_TITLES
    ]


def _check_power_is_fixed(results: Results) -> list[Condition]:
    growth = rate_growth(results)
    conditions = []
    for test, scheme in product(FOLD_TESTS, SCHEME_TITLES):
        gap = mean_gap(growth.by_stream(test=test, scheme=scheme, alternative=NOISE_LEVELS))
        text = f"{test}, {SCHEME_TITLES[scheme]}: power in the longest runs less in the shortest "
        conditions.append(Condition(gap.at_most(MAX_SMALL_RATE_GAP), text + gap.text))
    return conditions


REJECTION_CLAIMS: Mapping[str, Predicate] = {
    "overall_by_validation": _full_length_predicate(
        "the proportion of correct decisions, which is 1 less the rate where learners differ by "
        "their seeds only, and the rate where predictions are replaced, averaged over all tests, "
        f"modes and the three groups of columns of Table 2: over {ALL_STREAMS_TEXT}, that of cv "
        f"is above that of bootstrap, {_CLOSELY_FOLLOWED_TEXT}; {STREAM_INTERVAL_RULE}",
        _check_correct_decisions,
    ),
    "more_examples_help": _full_length_predicate(
        f"averaged over tests and modes, over {ALL_STREAMS_TEXT}, the power of cv is above that "
        "of bootstrap, and that of bootstrap above that of split; of false rejections, where "
        "learners differ by their seeds only, cv has fewer than bootstrap, and bootstrap than "
        f"split; {STREAM_INTERVAL_RULE}",
        _check_more_examples,
    ),
    "tests_comparable_power": _full_length_predicate(
        f"averaged over {ALL_STREAMS_TEXT}, with cv and with bootstrap, at both levels of noise, "
        "more than half of the six rates of the three tests in both modes are within "
        f"{MAX_COMPARABLE_DEVIATION} of their median, and more than half are at least "
        f"{MIN_DETECTION_RATE}",
        _check_comparable_power,
    ),
    "null_gap_between_tests": _full_length_predicate(
        f"for two learners that differ by their seeds only, over {ALL_STREAMS_TEXT}, McNemar's "
        "test rejects more often than the sign test and than Wilcoxon's, by more than "
        f"{MIN_LARGE_RATE_GAP}, in both modes with all three schemes; {STREAM_INTERVAL_RULE}",
        _check_null_gap,
    ),
    "split_cannot_distinguish": _full_length_predicate(
        f"averaged over {ALL_STREAMS_TEXT}, with split the sign test and Wilcoxon's notice "
        f"replaced predictions in at most {100 * MIN_DETECTION_RATE:g} % of the runs, in both "
        f"modes at both levels of noise; {RUN_INTERVAL_RULE}",
        _check_split_misses,
    ),
    "little_difference_of_modes": _full_length_predicate(
        f"over {ALL_STREAMS_TEXT}, for each test, scheme and level of noise, and without noise, "
        f"the rates of both modes differ by at most {MAX_SMALL_RATE_GAP}; {STREAM_INTERVAL_RULE}",
        _check_modes_agree,
    ),
    "bootstrap_most_efficient": Predicate(
        f"{_POWER_TEXT}; the mean power over {ALL_STREAMS_TEXT}, divided by the mean time of a "
        "run, which holds both modes, is highest with bootstrap; times of a run at hand are not "
        "compared",
        _check_efficiency,
        FULL_LENGTH_NEEDS,
    ),
    "noise_accuracy": Predicate(
        "on each stream of this run and at both levels of noise, by all schemes and modes, the "
        "accuracy falls by as much as the equation says where predictions are replaced by other "
        f"labels, within {EQUAL_ACCURACY_TOLERANCE}",
        _check_noise_equation,
    ),
    "mcnemar_rejects_true_null": Predicate(
        f"for two learners that differ by their seeds only, averaged over {ALL_STREAMS_TEXT}, "
        f"McNemar's test rejects in more than {100 * MIN_MISLEADING_RATE:g} % of the runs in all "
        f"six cells of Table 2; {RUN_INTERVAL_RULE}",
        _check_mcnemar_rejects,
        FULL_LENGTH_NEEDS,
    ),
    "mcnemar_grows": Predicate(
        "for two learners that differ by their seeds only, McNemar's test rejects more often in "
        "the longest runs of a stream than in the shortest, on the mean of both modes and of the "
        f"streams of this run, with all three schemes; {STREAM_INTERVAL_RULE}",
        _check_mcnemar_grows,
    ),
    "fold_power_fixed": Predicate(
        "the power of the sign test, and of Wilcoxon's, is higher in the longest runs of a stream "
        f"than in the shortest by at most {MAX_SMALL_RATE_GAP}, on the mean of both modes, both "
        "levels of noise and of the streams of this run, with all three schemes; "
        f"{STREAM_INTERVAL_RULE}",
        _check_power_is_fixed,
    ),
    "mcnemar_overestimates": _full_length_predicate(
        "for two learners that differ by their seeds only, McNemar's test, non-prequential as in "
        f"Table 3, rejects in more than {100 * TEST_LEVEL:g} % of the runs, its level, on most of "
        f"{ALL_STREAMS_TEXT}, with all three schemes; {RUN_INTERVAL_RULE}",
        _check_mcnemar_overestimates,
    ),
    "wilcoxon_more_discriminative": _full_length_predicate(
        f"over {ALL_STREAMS_TEXT} and both levels of noise, Wilcoxon's test notices replaced "
        "predictions more often than the sign test, in both modes with all three schemes; "
        f"{STREAM_INTERVAL_RULE}",
        _check_discrimination,
    ),
    "wilcoxon_best_schemes": _full_length_predicate(
        f"for Wilcoxon's test, prequential as in Table 4, over {ALL_STREAMS_TEXT}, cv and "
        "bootstrap each have more power and fewer false rejections than split; "
        f"{STREAM_INTERVAL_RULE}",
        _check_best_schemes,
    ),
    "wilcoxon_perfect_but_sea": _full_length_predicate(
        f"of Wilcoxon's test, prequential as in Table 4, on {ALL_STREAMS_TEXT} but the two of "
        "SEA: more than half of the rates with noise are 1, with all three schemes; without noise "
        f"the average rate is at most {100 * MAX_FALSE_REJECTION_RATE:g} %; and on the two of SEA "
        f"no rate with noise is 1; {RUN_INTERVAL_RULE}",
        _check_perfect_but_sea,
        universal=False,
    ),
}
