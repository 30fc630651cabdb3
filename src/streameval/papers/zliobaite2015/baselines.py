"""Claims of Žliobaitė et al. (2015) on baselines, judged by simulations and by runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np
import pandas as pd

from streameval.base.rounding import percentage
from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.papers.zliobaite2015.published import (
    CRITICAL_Z,
    ERROR_RATE_A,
    ERROR_RATE_B,
    MAX_EXTRA_FALSE_ALARMS,
    MAX_NEGLIGIBLE_GAIN,
    MAX_OVERLAP_DISTANCE,
    MAX_SLIGHT_DIFFERENCE,
    MIN_GAIN,
    MIN_POSITIVE_FRACTION,
    ORDINARY_LEARNERS,
    REPEAT_PROBABILITY,
    WRAPPED_SUFFIXES,
)
from streameval.report.claims import (
    INTERVAL_RULE,
    AccuracyGap,
    Check,
    Condition,
    Need,
    Predicate,
    accuracy_gaps,
    check_differences,
    check_each,
    check_figure_data,
    collect_outcomes,
    most_hold,
    require_all_unless_failed,
)
from streameval.report.results import NotRunError, Results, measure_by_learner, require_number
from streameval.significance.intervals import CONFIDENCE
from streameval.view.numbers import number_text, upper_bound_text

PROPOSITIONS_ITEM = "zliobaite2015/propositions"
#: Origin of signs that the paper states. Other signs follow from our own algebra.
_ORIGIN_PAPER = "paper"
#: Whether a condition holds, by the verdict of a simulation on a sign.
_HOLDS_BY_VERDICT = {"as stated": True, "contradicted": False, "not decided": None}
#: Columns of a frame of simulated signs.
_SIGN_COLUMNS = (
    "proposition",
    "quantity",
    "stated",
    "origin",
    "mean",
    "low",
    "high",
    "verdict",
)
_SIGN_RULE = (
    f"a sign counts where the whole interval, at {100 * CONFIDENCE:g} % for all rows of the table "
    "together, has it, and is undecided where only a part of it has; an effect is none where the "
    "interval contains 0 and is narrow"
)


def _check_signs(
    frame: str, case_text: Callable[[pd.Series], str], proposition: str | None = None
) -> Check:
    """The check of the signs that the paper states for a proposition, or for all if None.

    `case_text` returns the text that names the case of a row.
    """

    def check(results: Results) -> list[Condition]:
        table = results.frame(f"{PROPOSITIONS_ITEM}/{frame}", _SIGN_COLUMNS)
        if table is None:
            raise NotRunError(f"this run has no {PROPOSITIONS_ITEM}")
        rows = table[table["origin"] == _ORIGIN_PAPER]
        if proposition is not None:
            rows = rows[rows["proposition"].astype(str) == proposition]
        if rows.empty:
            raise NotRunError(
                f"{PROPOSITIONS_ITEM} of this run does not have proposition {proposition or ''}"
            )
        conditions = []
        for _, row in rows.iterrows():
            low, high = (number_text(float(row[column])) for column in ("low", "high"))
            text = f"{case_text(row)}: {row['quantity']} {number_text(float(row['mean']))} [{low}, "
            text += f"{high}], stated {row['stated']}"
            conditions.append(Condition(_HOLDS_BY_VERDICT[row["verdict"]], text))
        return conditions

    return check


def _case_text(row: pd.Series) -> str:
    return str(row["case"])


def _class_distribution_text(row: pd.Series) -> str:
    return f"{row['classes']} ({row['shares']}), {row['dependence']}"


def _proposition_predicate(number: int) -> Predicate:
    return Predicate(
        f"in each simulated case the quantity has the sign that Proposition {number} states; "
        f"{_SIGN_RULE}",
        _check_signs("cases", _case_text, proposition=str(number)),
    )


PROPOSITION_CLAIMS: dict[str, Predicate] = {
    **{f"proposition{number}": _proposition_predicate(number) for number in (5, 6, 7, 8, 9)},
    "baselines_by_distribution": Predicate(
        "the accuracy of Persistent less that of Majority has the sign of the table in each of its "
        f"cells, with two classes and with three; {_SIGN_RULE}",
        _check_signs("baselines", _class_distribution_text),
    ),
}


#: The streams with dependent labels.
DEPENDENT_STREAMS = ("elec2_mlj", "covtype", "kdd99")
#: The streams of the paper.
STREAMS = (*DEPENDENT_STREAMS, "ozone")
_BAGGING = "leveraging_bagging"
#: Pairs of a wrapped learner and No-Change.
_WRAPPED_AND_NO_CHANGE = [
    (name + suffix, "no_change") for name in ORDINARY_LEARNERS for suffix in WRAPPED_SUFFIXES
]
#: The streams of Figures 6 and 7.
FIGURE_6_7_STREAMS = ("elec2_mlj", "covtype")
#: Number of seeds of Figure 7 at paper scale.
N_SEEDS = 10
#: All of these seeds, for claims on the false-alarm study.
ALL_SEEDS_NEEDS = (
    Need(
        "zliobaite2015/fig7",
        part="false_alarms",
        streams=FIGURE_6_7_STREAMS,
        column="seed",
        min_distinct=N_SEEDS,
    ),
)


def _check_persistence(results: Results, stream: str) -> list[Condition]:
    majority, repeated = (
        require_number(results.find("zliobaite2015/table3", stream, name))
        for name in ("P(M)", "P(T)")
    )
    numbers = f"P(T) {number_text(repeated)}, P(M) {number_text(majority)}"
    is_above = repeated > majority  # expected on all streams but ozone
    return [Condition(is_above is (stream != "ozone"), f"{stream}: {numbers}")]


def _check_negative_dependence(results: Results) -> list[Condition]:
    # c1 is the more frequent class. The tables of this paper do not have P(c1|c1).
    prior, repeated = (
        require_number(results.find("bifet2013/table2", "ozone", measure=name))
        for name in ("P(c1)", "P(c1|c1)")
    )
    text = f"P(c1|c1) {number_text(repeated, 5)}, P(c1) {number_text(prior, 5)}"
    return [Condition(repeated < prior, text)]


def measures_on_shuffled(frame: pd.DataFrame, stream: str, learners: Sequence[str]) -> pd.DataFrame:
    """Table of measures over a whole shuffled stream, with a row for each learner."""
    is_shuffled = frame["variant"].str.startswith("shuffled")  # the seed follows: "shuffled:1"
    rows = frame[is_shuffled & (frame["estimator"] == "cumulative")]
    table = rows.pivot_table("value", "learner", "measure", dropna=False, observed=True)
    for name in learners:
        if name not in table.index:
            raise NotRunError(f"{stream}: the figure of this run does not have {name}")
    return table.loc[[*learners]]


def _check_hardly_above_majority(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = measures_on_shuffled(frame, stream, (*ORDINARY_LEARNERS, "majority"))["accuracy"]
    gaps = {name: float(rows[name] - rows["majority"]) for name in ORDINARY_LEARNERS}
    return [
        Condition(
            gap <= MAX_NEGLIGIBLE_GAIN, f"accuracy of {name} less majority's {number_text(gap)}"
        )
        for name, gap in gaps.items()
    ]


def _check_less_on_kdd99(results: Results) -> list[Condition]:
    names = [
        *ORDINARY_LEARNERS,
        *(name + suffix for name in ORDINARY_LEARNERS for suffix in WRAPPED_SUFFIXES),
    ]
    accuracies_by_stream, reasons = collect_outcomes(
        DEPENDENT_STREAMS, lambda stream: measure_by_learner(results, stream, "accuracy", names)
    )
    if "kdd99" not in accuracies_by_stream:
        raise NotRunError(reasons[0])
    gains = {
        stream: {
            name + suffix: accuracies[name + suffix] - accuracies[name]
            for name in ORDINARY_LEARNERS
            for suffix in WRAPPED_SUFFIXES
        }
        for stream, accuracies in accuracies_by_stream.items()
    }
    conditions = [
        Condition(
            gains["kdd99"][name] < gains[stream][name],
            f"{name} gains {number_text(gains['kdd99'][name])} on kdd99 and "
            f"{number_text(gains[stream][name])} on {stream}",
        )
        for stream in gains
        if stream != "kdd99"
        for name in gains["kdd99"]
    ]
    return require_all_unless_failed(conditions, reasons)


def _check_augmented_bayes(results: Results) -> list[Condition]:
    conditions, learners = [], ("naive_bayes", "ddm_nb")
    names = [name + suffix for name in learners for suffix in (AUGMENTED, CORRECTED)]
    accuracies_by_stream, reasons = collect_outcomes(
        STREAMS, lambda stream: measure_by_learner(results, stream, "accuracy", names)
    )
    if reasons:  # the claim counts cases over all streams together
        raise NotRunError("; ".join(reasons))
    for stream, accuracies in accuracies_by_stream.items():
        for name in learners:
            gap = accuracies[name + AUGMENTED] - accuracies[name + CORRECTED]
            text = f"{stream}: accuracy of {name} augmented less corrected {number_text(gap)}"
            conditions.append(Condition(gap > 0, text))
    n_holding = sum(bool(condition.holds) for condition in conditions)
    text = f"in {n_holding} of {len(conditions)} cases: "
    text += "; ".join(condition.text for condition in conditions)
    return [Condition(n_holding > len(conditions) / 2, text)]


def _check_bagging_is_best(results: Results, stream: str) -> list[Condition]:
    accuracies = measure_by_learner(results, stream, "accuracy", ORDINARY_LEARNERS)
    best, name = max((accuracies[name], name) for name in ORDINARY_LEARNERS if name != _BAGGING)
    text = (
        f"{stream}: accuracy of {_BAGGING} {number_text(accuracies[_BAGGING])}, of {name} "
        f"{number_text(best)}"
    )
    return [Condition(accuracies[_BAGGING] > best, text)]


def _is_close(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return Condition(
        gap.within(MAX_SLIGHT_DIFFERENCE), f"{stream}: {learner} less {other} {gap.text}"
    )


def _check_above_persistent(results: Results) -> list[Condition]:
    gaps = accuracy_gaps(results, "ozone", _WRAPPED_AND_NO_CHANGE)
    verdicts = [gap.above(MIN_GAIN) for gap in gaps]
    n_better, n_undecided = verdicts.count(True), verdicts.count(None)
    text = f"by more in {n_better} of {len(verdicts)} cases, undecided in {n_undecided}"
    return [Condition(most_hold(verdicts), text)]


def _check_random_is_better(alarms: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for variant in ("original", "temporal"):  # both keep the order of labels
        rows = alarms[alarms["variant"] == variant]
        is_random = rows["learner"] == "ddm_random"
        best = float(rows[is_random].groupby("probability")["accuracy"].mean().max())
        with_ddm = float(rows.loc[rows["learner"] == "ddm_nb", "accuracy"].mean())
        text = (
            f"{stream} {variant}: at most {upper_bound_text(best)} with random alarms, "
            f"{number_text(with_ddm)} of DDM"
        )
        conditions.append(Condition(best - with_ddm > MIN_GAIN, text))
    return conditions


#: Numbers of observations for "50 or more" in Section 5.1.
LARGE_SAMPLE_SIZES = (50, 100, 200, 500)
#: A number of observations below 50, for comparison.
SMALL_SAMPLE_SIZE = 20


def _check_critical_z(results: Results) -> list[Condition]:
    del results  # the check needs no run
    probability = 1 - NormalDist().cdf(CRITICAL_Z)
    text = f"above {CRITICAL_Z} with probability {number_text(probability)}"
    return [Condition(round(100 * probability) == 5, text)]


def _false_alarm_rate(n: int, repeat_probability: float) -> float:
    """The exact probability that n instances have more errors than a test allows.

    The test allows `CRITICAL_Z` standard deviations of independent errors above the mean.

    `repeat_probability` is the probability that a label equals the previous label.
    """
    repeat, change = repeat_probability, 1 - repeat_probability
    transitions = np.array([[repeat, change], [change, repeat]])
    rates = np.array([[ERROR_RATE_A], [ERROR_RATE_B]])
    # Probability of each class of the next instance (row) and number of errors so far (column).
    probabilities = np.zeros((2, n + 1))
    probabilities[:, 0] = 1 / 2
    for _ in range(n):
        correct, wrong = probabilities * (1 - rates), probabilities * rates
        correct[:, 1:] += wrong[:, :-1]  # a wrong prediction adds an error
        probabilities = transitions.T @ correct
    rate = float(rates.mean())
    bound = n * rate + CRITICAL_Z * np.sqrt(n * rate * (1 - rate))
    return float(probabilities[:, np.arange(n + 1) > bound].sum())


def _check_sample_sizes(results: Results) -> list[Condition]:
    del results  # the check needs no run
    extra = {
        n: _false_alarm_rate(n, REPEAT_PROBABILITY) - _false_alarm_rate(n, 1 / 2)
        for n in (SMALL_SAMPLE_SIZE, *LARGE_SAMPLE_SIZES)
    }
    text = ", ".join(f"{number_text(extra[n])} with {n}" for n in LARGE_SAMPLE_SIZES)
    largest = max(extra[n] for n in LARGE_SAMPLE_SIZES)
    small_text = f"{number_text(extra[SMALL_SAMPLE_SIZE])} more with {SMALL_SAMPLE_SIZE}"
    return [
        Condition(largest <= MAX_EXTRA_FALSE_ALARMS, f"more false alarms by {text}"),
        Condition(
            largest < extra[SMALL_SAMPLE_SIZE],
            f"{small_text}, at most {upper_bound_text(largest)} with at least 50",
        ),
    ]


def _check_same_when_shuffled(estimates: pd.DataFrame, stream: str) -> list[Condition]:
    table = measures_on_shuffled(estimates, stream, ORDINARY_LEARNERS)
    conditions = []
    for name in ORDINARY_LEARNERS:
        kappa, combined = table.loc[name, ["kappa", "kappa_combined"]].to_numpy(dtype=float)
        difference = abs(combined - kappa)
        text = f"{stream}, {name}: kappa {number_text(kappa)}, kappa+ {number_text(combined)}"
        holds = None if np.isnan(difference) else bool(difference <= MAX_OVERLAP_DISTANCE)
        conditions.append(Condition(holds, text))
    return conditions


def _check_above_zero(curves: pd.DataFrame, stream: str) -> list[Condition]:
    rows = curves[(curves["measure"] == "kappa_combined") & (curves["learner"] == _BAGGING)]
    values = rows["value"].dropna()
    if values.empty:
        raise NotRunError(f"{stream}: the figure of this run does not have {_BAGGING}")
    proportion = float((values > 0).mean())
    text = f"{stream}: kappa+ of {_BAGGING} is above 0 in {percentage(proportion)} of the windows"
    return [Condition(proportion > MIN_POSITIVE_FRACTION, text)]


def _check_not_above_random(results: Results) -> list[Condition]:
    accuracy = measure_by_learner(results, "ozone", "accuracy", (*ORDINARY_LEARNERS, "no_change"))
    kappa = measure_by_learner(results, "ozone", "kappa", ORDINARY_LEARNERS)
    persistent = accuracy["no_change"]
    conditions = []
    for name in ORDINARY_LEARNERS:
        # By the definition of kappa.
        random_accuracy = (accuracy[name] - kappa[name]) / (1 - kappa[name])
        text = f"ozone: accuracy of no_change {number_text(persistent)}, of the Random classifier "
        text += f"by the predictions of {name} {number_text(random_accuracy)}"
        conditions.append(Condition(persistent <= random_accuracy, text))
    return conditions


BASELINE_CLAIMS: dict[str, Predicate] = {
    "persistence_above_majority": Predicate(
        "P(T) is above P(M) on elec2, covtype and kdd99, and not above it on ozone",
        check_each(STREAMS, _check_persistence),
    ),
    "ozone_negative_dependence": Predicate(
        "P(c1|c1) of the more frequent class is below P(c1)",
        _check_negative_dependence,
        universal=False,
    ),
    "ozone_shuffled_hardly_above_majority": Predicate(
        "the accuracy of each of NB, DDM, HT, HAT and LBAG on shuffled ozone is at most "
        f"{MAX_NEGLIGIBLE_GAIN} above that of the Majority Class",
        check_figure_data(
            "zliobaite2015/fig2", "estimates", ("ozone",), _check_hardly_above_majority
        ),
    ),
    "smaller_gain_on_kdd99": Predicate(
        "each wrapped learner gains less accuracy over the plain one on kdd99 than on elec2, and "
        "than on covtype",
        _check_less_on_kdd99,
    ),
    "augmented_bayes_beats_correction": Predicate(
        "with Naive Bayes and DDM, augmented is more accurate than corrected in more than half of "
        "the cases, over the four streams",
        _check_augmented_bayes,
        universal=False,
    ),
    "lbag_best_ordinary": Predicate(
        "over each of the four whole streams leveraging bagging has a higher accuracy than the "
        "other four ordinary learners",
        check_each(STREAMS, _check_bagging_is_best),
    ),
    "wrapped_close_to_persistent": Predicate(
        "on Elec2 (with the paper's five attributes), covtype and kdd99 the accuracies of all "
        f"five learners in both wrappers are within {MAX_SLIGHT_DIFFERENCE} of that of No-Change; "
        f"{INTERVAL_RULE}",
        check_differences(DEPENDENT_STREAMS, _WRAPPED_AND_NO_CHANGE, _is_close),
    ),
    "ozone_above_persistent": Predicate(
        "on ozone more than half of the five learners in both wrappers are more accurate than "
        f"No-Change by more than {MIN_GAIN}; {INTERVAL_RULE}",
        _check_above_persistent,
        universal=False,
    ),
    "ddm_outperformed": Predicate(
        "in the original order and where labels keep it, the highest mean accuracy of DDM-random "
        f"over the seeds is above that of DDM by more than {MIN_GAIN}",
        check_figure_data(
            "zliobaite2015/fig7", "false_alarms", FIGURE_6_7_STREAMS, _check_random_is_better
        ),
        ALL_SEEDS_NEEDS,
    ),
    "critical_z": Predicate(
        f"a normal variable is above {CRITICAL_Z} with probability 5 %, in whole per cent",
        _check_critical_z,
        universal=False,
    ),
    "tests_of_50": Predicate(
        f"by exact calculation, of a rule that errs on {100 * ERROR_RATE_A:g} % of one class and "
        f"{100 * ERROR_RATE_B:g} % of the other, with labels of equally frequent classes that "
        f"repeat in {100 * REPEAT_PROBABILITY:g} % of the cases, as on electricity: a one-sided "
        f"test of its error rate at 5 %, on n errors, has at most {MAX_EXTRA_FALSE_ALARMS} more "
        "false alarms than on independent labels, for n = "
        f"{', '.join(map(str, LARGE_SAMPLE_SIZES))}, and less more than for n = "
        f"{SMALL_SAMPLE_SIZE}",
        _check_sample_sizes,
        universal=False,
    ),
    "combined_is_kappa": Predicate(
        "over each whole shuffled stream kappa+ of each of NB, DDM, HT, HAT and LBAG is at most "
        f"{MAX_OVERLAP_DISTANCE} from kappa; nothing is decided where one of them is undefined",
        check_figure_data("zliobaite2015/fig2", "estimates", STREAMS, _check_same_when_shuffled),
    ),
    "ozone_lbag_performs_well": Predicate(
        "on ozone kappa+ of ordinary leveraging bagging is above 0 in more than "
        f"{100 * MIN_POSITIVE_FRACTION:g} % of the windows that the figure shows and where it is "
        "defined",
        check_figure_data("zliobaite2015/fig4", "curves", ("ozone",), _check_above_zero),
        universal=False,
    ),
    "ozone_persistent_not_above_random": Predicate(
        "on ozone the accuracy of No-Change is not above that of the Random classifier of "
        "Definition 4, by the predictions of each of NB, DDM, HT, HAT and LBAG: what their kappa "
        "compares with",
        _check_not_above_random,
    ),
}
