"""The claims of Žliobaitė et al. (2015), Evaluation methods and decision theory."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from streameval.plan import FORMS
from streameval.report.claims.condition import (
    COUNT,
    GOOD_KAPPA,
    SLIGHT_KAPPA,
    Condition,
    Outcome,
    Predicate,
    Predicates,
    few_are_above,
    of_learners,
    of_traces,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text, round_half_up

#: Half-hours in a day.
DAY = 48
#: What one more label adds: strongly from here on, and hardly anything up to there, which is what
#: the paper's text says of the 0.02 that it quotes.
STRONG, HARDLY = 0.1, 0.02

#: The five learners of the paper.
ORDINARY = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
WRAPPED = FORMS[1:]
_WITH_WRAPPERS = tuple(name + form for name in ORDINARY for form in FORMS)

#: In accuracy: high; much more; slightly more at most; nothing more; lines lie over each other.
HIGH, MUCH, SLIGHTLY, NOTHING, OVERLAP = 0.9, 0.02, 0.05, 0.005, 0.005
#: Share of the windows up to which it is almost nowhere, and rank correlation of a clear trend.
FEW, TREND = 0.1, 0.9


def _first_order_dependence(results: Results) -> Outcome:
    streams = ("elec2", "covtype")
    return of_traces(results, "zliobaite2015/fig5", "dependence", streams, _falls_with_order)


def _falls_with_order(orders: pd.DataFrame, stream: str) -> Outcome:
    last, wanted = int(orders["order"].max()), DAY if stream == "elec2" else 3
    if last < wanted:
        return f"{stream}: the figure of this run ends after {last} labels, before {wanted}"
    table = orders.pivot_table("delta", "order", "class", dropna=False, observed=True)
    delta = table.reindex(range(last + 1)).to_numpy(dtype=float)
    first, second, higher = delta[1], delta[2], np.nanmean(np.abs(delta[3:]), axis=0)
    conditions = [
        Condition(
            bool((first > STRONG).all()),
            f"{stream}: the first label adds at least {number_text(first.min())}",
        ),
        Condition(
            bool(((second > 0) & (second < first)).all()),
            f"{stream}: the second adds {number_text(second.min())} to {number_text(second.max())}",
        ),
        Condition(
            bool((higher <= HARDLY).all()),
            f"{stream}: later ones add at most {number_text(higher.max())}, on the mean",
        ),
    ]
    if stream == "elec2":
        ours = [str(round_half_up(value, 2)) for value in delta[DAY].tolist()]
        text = f"elec2: the {DAY}th adds {' and '.join(ours)}"
        conditions.append(Condition("0.02" in ours, text))
    return conditions


def _persistent_beats_ordinary(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in ("elec2_mlj", "covtype", "kdd99"):
        names = ("no_change", *ORDINARY)
        accuracy, lacking = of_learners(results, stream, "accuracy", names)
        kappa, also = of_learners(results, stream, "kappa", ORDINARY)
        temporal, too = of_learners(results, stream, "kappa_temporal", ORDINARY)
        if lacking or also or too:
            reasons.append(lacking or also or too)
            continue
        persistent = accuracy.pop("no_change")
        for name, value in accuracy.items():
            text = f"{stream}, {name}: accuracy {number_text(value)} < {number_text(persistent)}"
            conditions.append(Condition(value < persistent, text))
            text = f"kappa {number_text(kappa[name])} > {GOOD_KAPPA}"
            conditions.append(Condition(kappa[name] > GOOD_KAPPA, text))
            text = f"kappa_temporal {number_text(temporal[name])} < 0"
            conditions.append(Condition(temporal[name] < 0, text))
    return unless_lacking(conditions, reasons)


def _ozone_kappa_near_zero(results: Results) -> Outcome:
    accuracy, lacking = of_learners(results, "ozone", "accuracy", ORDINARY)
    kappa, also = of_learners(results, "ozone", "kappa", ORDINARY)
    if lacking or also:
        return lacking or also
    conditions = []
    for name in ORDINARY:
        text = f"{name}: accuracy {number_text(accuracy[name])} > {HIGH}"
        conditions.append(Condition(accuracy[name] > HIGH, text))
        text = f"kappa {number_text(kappa[name])} is at most {SLIGHT_KAPPA} from 0"
        conditions.append(Condition(abs(kappa[name]) <= SLIGHT_KAPPA, text))
    return conditions


def _ozone_shuffled(results: Results) -> Outcome:
    frame, lacking = results.trace("zliobaite2015/fig2", "ozone", "estimates")
    if frame is None:
        return lacking
    rows = frame[frame["variant"].str.startswith("shuffled") & (frame["estimator"] == "cumulative")]
    table = rows.pivot_table("value", "learner", "measure", dropna=False, observed=True)
    conditions = []
    for name in ORDINARY:
        if name not in table.index:
            return f"the figure of this run does not have {name}"
        keys = ["kappa_temporal", "kappa", "kappa_combined"]
        temporal, kappa, combined = table[keys].to_numpy()[table.index.get_loc(name)]
        text = f"{name}: kappa_temporal {number_text(temporal)} > 0"
        conditions.append(Condition(temporal > 0, text))
        text = f"kappa {number_text(kappa)} and kappa+ {number_text(combined)} near 0"
        near = abs(kappa) <= SLIGHT_KAPPA and combined <= SLIGHT_KAPPA
        conditions.append(Condition(near, text))
    return conditions


def _wrappers_outperform(results: Results) -> Outcome:
    wanted = {"elec2_mlj": MUCH, "covtype": MUCH, "kdd99": 0.0}
    conditions, reasons = [], []
    for stream in (*wanted, "ozone"):
        found, lacking = of_learners(results, stream, "accuracy", _WITH_WRAPPERS)
        if lacking:
            reasons.append(lacking)
            continue
        for name in ORDINARY:
            gains = {form: found[name + form] - found[name] for form in WRAPPED}
            numbers = " and ".join(
                f"{form.removeprefix('_')} {number_text(gain)}" for form, gain in gains.items()
            )
            if stream == "ozone":
                holds = all(abs(gain) <= MUCH for gain in gains.values())
                text = f"ozone, {name} changes by at most {MUCH}: {numbers}"
            else:
                holds = all(gain > wanted[stream] for gain in gains.values())
                text = f"{stream}, {name} gains more than {wanted[stream]}: {numbers}"
            conditions.append(Condition(holds, text))
    return unless_lacking(conditions, reasons)


def _augmented_beats_correction(results: Results) -> Outcome:
    more, reasons = [], []
    for stream in ("elec2_mlj", "covtype", "kdd99", "ozone"):
        found, lacking = of_learners(results, stream, "accuracy", _WITH_WRAPPERS)
        if lacking:
            reasons.append(lacking)
            continue
        more += [found[f"{name}_augmented"] - found[f"{name}_corrected"] for name in ORDINARY]
    if not more:
        return "; ".join(reasons)
    better, middle = sum(gain > 0 for gain in more), float(np.median(more))
    text = f"better in {better} of {len(more)} cases"
    slightly = f"by {number_text(middle)} on the median, at most {SLIGHTLY}"
    if reasons:  # the claim is on all streams together: some of them cannot refute it
        return "; ".join([text, slightly, *reasons])
    return [
        Condition(better > len(more) / 2, text),
        Condition(0 < middle <= SLIGHTLY, slightly),
    ]


def _combined_kappa_of_bagging(results: Results) -> Outcome:
    streams = ("elec2_mlj", "covtype", "kdd99")
    return of_traces(results, "zliobaite2015/fig4", "curves", streams, _seldom_above_zero)


def _seldom_above_zero(curves: pd.DataFrame, stream: str) -> Outcome:
    # Where No-Change is always right kappa+ is undefined, and not above 0.
    rows = curves[curves["measure"] == "kappa_combined"]
    positive = rows.assign(value=rows["value"] > 0).groupby("learner")["value"].mean()
    conditions = []
    for form in FORMS if stream != "kdd99" else FORMS[:1]:
        name = f"leveraging_bagging{form}"
        if name not in positive.index:
            return f"{stream}: the figure of this run does not have {name}"
        share = float(positive[name])
        text = f"{stream}: kappa+ of {name} is above 0 in {100 * share:.1f} % of the windows"
        conditions.append(Condition((share > FEW) is bool(form), text))
    return conditions


def _correction_on_ozone(results: Results) -> Outcome:
    names = ("leveraging_bagging", *(f"leveraging_bagging{form}" for form in WRAPPED))
    found, lacking = of_learners(results, "ozone", "kappa_combined", names)
    if lacking:
        return lacking
    ordinary, corrected, augmented = (found[name] for name in names)
    return [
        Condition(
            0 < corrected - ordinary <= SLIGHTLY,
            f"kappa+ of the correction {number_text(corrected)}, of the ordinary learner "
            f"{number_text(ordinary)}",
        ),
        Condition(
            augmented <= ordinary,
            f"kappa+ of the augmented one {number_text(augmented)} is not above that",
        ),
    ]


def _gain_by_lag(results: Results) -> Outcome:
    streams = ("elec2_mlj", "covtype")
    return of_traces(results, "zliobaite2015/fig6", "lags", streams, _little_beyond_one)


def _little_beyond_one(lags: pd.DataFrame, stream: str) -> Outcome:
    rows = lags[(lags["kind"] == "labels") & (lags["measure"] == "accuracy")]
    table = rows.pivot_table("value", "lags", "learner", observed=True)
    if not ({1, 2} <= set(table.index) and table.index.max() > 2 and {*ORDINARY} <= {*table}):
        return f"{stream}: the figure of this run does not have all five learners at 1, 2 and more"
    table = table[list(ORDINARY)]
    one, two = table.loc[1].to_numpy(), table.loc[2].to_numpy()
    gains = dict(zip(ORDINARY, (two - one).tolist(), strict=True))
    beyond = float((table.loc[3:].to_numpy() - two).max())
    most = max(gains, key=lambda name: gains[name])
    numbers = ", ".join(f"{name} {number_text(gain)}" for name, gain in gains.items())
    return [
        Condition(
            sum(gains.values()) > 0 and gains[most] <= MUCH,
            f"{stream}: the second label brings a little on the mean ({numbers})",
        ),
        Condition(most == "ddm_nb", f"{stream}: it brings most to {most}"),
        Condition(beyond <= NOTHING, f"{stream}: more labels bring at most {number_text(beyond)}"),
    ]


def _false_alarms_help(results: Results) -> Outcome:
    streams = ("elec2_mlj", "covtype")
    return of_traces(results, "zliobaite2015/fig7", "false_alarms", streams, _more_is_better)


def _more_is_better(alarms: pd.DataFrame, stream: str) -> Outcome:
    conditions: list[Condition] = []
    for variant, sign in (("original", 1), ("temporal", 1), ("shuffled", -1)):
        rows = alarms[alarms["variant"] == variant]
        mean = rows[rows["learner"] == "ddm_random"].groupby("probability")["accuracy"].mean()
        trend = float(spearmanr(mean.index, mean).statistic)
        text = f"{stream} {variant}: rank correlation with the probability {number_text(trend)}"
        conditions.append(Condition(sign * trend >= TREND, text))
        if sign > 0:
            limit = float(rows.loc[rows["learner"] == "no_change", "accuracy"].mean())
            best = float(mean.max())
            text = f"at most {number_text(best)}, below {number_text(limit)} of Persistent"
            conditions.append(Condition(best < limit, text))
    return conditions


def _nothing_to_detect(results: Results) -> Outcome:
    streams = ("elec2_mlj", "covtype")
    return of_traces(results, "zliobaite2015/fig7", "false_alarms", streams, _close_together)


def _close_together(alarms: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for variant in ("shuffled", "temporal") if stream == "elec2_mlj" else ("shuffled",):
        rows = alarms[alarms["variant"] == variant]
        found = rows.pivot_table("accuracy", "seed", "learner", observed=True)
        apart = float((found["naive_bayes"] - found["ddm_nb"]).abs().max())
        text = f"{stream} {variant}: at most {number_text(apart)} apart, over the seeds"
        conditions.append(Condition(apart <= OVERLAP, text))
    return conditions


def _persistent_on_kdd99(results: Results) -> Outcome:
    found = results.find("measures", "kdd99", learner="no_change", measure="accuracy")
    if found.reason:
        return found.reason
    percent = round_half_up(100 * found.value, 1)
    return [
        Condition(str(percent) == "99.9", f"accuracy {number_text(found.value)} is {percent} %")
    ]


PREDICATES: Predicates = {
    ("zliobaite2015", "first_order_dependence"): Predicate(
        "for every class the first label before adds more than 0.1 to the share of the class, the "
        "second something, but less than the first, later ones at most 0.02 on the mean of their "
        "sizes; on elec2 the 48th adds 0.02 for one of the classes",
        _first_order_dependence,
    ),
    ("zliobaite2015", "few_beat_persistent"): Predicate(
        COUNT, few_are_above("zliobaite2015/table5", 6, 18)
    ),
    ("zliobaite2015", "persistent_accuracy_kdd99"): Predicate(
        "the accuracy of No-Change, in per cent and rounded half up to one decimal, is 99.9",
        _persistent_on_kdd99,
    ),
    ("zliobaite2015", "persistent_beats_ordinary"): Predicate(
        "over each whole stream (Elec2 with the paper's five attributes) all five learners are "
        "less accurate than No-Change, kappa is above 0.4 and kappa_temporal below 0",
        _persistent_beats_ordinary,
    ),
    ("zliobaite2015", "ozone_kappa_near_zero"): Predicate(
        "over the whole stream each accuracy is above 0.9, and kappa at most 0.2 from 0, which "
        "Landis and Koch (1977) call slight agreement",
        _ozone_kappa_near_zero,
    ),
    ("zliobaite2015", "ozone_shuffled_kappas"): Predicate(
        "over the whole shuffled stream kappa_temporal of all five learners is above 0, kappa at "
        "most 0.2 from 0, and kappa+ at most 0.2",
        _ozone_shuffled,
    ),
    ("zliobaite2015", "wrappers_outperform_ordinary"): Predicate(
        "both wrappers make each of the five learners more accurate: by more than 0.02 on Elec2 "
        "(with the paper's five attributes) and covtype, at all on kdd99; and change it by at most "
        "0.02 on ozone",
        _wrappers_outperform,
    ),
    ("zliobaite2015", "augmented_beats_correction"): Predicate(
        "of the five learners on the four streams, more than half are more accurate augmented than "
        "corrected, on the median by something, and at most 0.05",
        _augmented_beats_correction,
    ),
    ("zliobaite2015", "lbag_combined_kappa"): Predicate(
        "kappa+ of ordinary leveraging bagging is above 0 in at most 10 % of the windows that the "
        "figure shows; of both wrappers it is in more than that, on Elec2 and covtype",
        _combined_kappa_of_bagging,
    ),
    ("zliobaite2015", "ozone_correction_beats_lbag"): Predicate(
        "over the whole stream kappa+ of the correction is above that of ordinary leveraging "
        "bagging, by at most 0.05, and that of the augmented one is not",
        _correction_on_ozone,
    ),
    ("zliobaite2015", "gain_by_lag"): Predicate(
        "from one label to two the five learners gain something in accuracy on the mean, none more "
        "than 0.02, DDM most; with more labels none is better than with two by more than 0.005",
        _gain_by_lag,
    ),
    ("zliobaite2015", "false_alarms_help"): Predicate(
        "the mean accuracy over the seeds and the probability of an alarm have a rank correlation "
        "of at least 0.9 in the original order and where labels keep it, of at most -0.9 in random "
        "order; and it stays below that of No-Change in the first two",
        _false_alarms_help,
    ),
    ("zliobaite2015", "nb_equals_ddm"): Predicate(
        "with every seed the accuracies of the two differ by at most 0.005",
        _nothing_to_detect,
    ),
}
