"""Claims of Žliobaitė et al. (2015), Section 6, about labels, and about where wrappers gain."""

from __future__ import annotations

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.papers.zliobaite2015.published import HARDLY_ABOVE, ORDINARY, WRAPPED
from streameval.report.claims.condition import (
    Condition,
    Outcome,
    Predicate,
    of_learners,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

_DEPENDENT = ("elec2_mlj", "covtype", "kdd99")


def _persistence(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in (*_DEPENDENT, "ozone"):
        majority, repeated = (
            results.find("zliobaite2015/table3", stream, name) for name in ("P(M)", "P(T)")
        )
        if majority.reason or repeated.reason:
            reasons.append(majority.reason or repeated.reason)
            continue
        is_above = repeated.value > majority.value
        numbers = f"P(T) {number_text(repeated.value)}, P(M) {number_text(majority.value)}"
        conditions.append(Condition(is_above is (stream != "ozone"), f"{stream}: {numbers}"))
    return unless_lacking(conditions, reasons)


def _negative_on_ozone(results: Results) -> Outcome:
    prior, repeated = (
        results.find("bifet2013/table2", "ozone", measure=name) for name in ("P(c1)", "P(c1|c1)")
    )
    if prior.reason or repeated.reason:
        return prior.reason or repeated.reason
    text = f"P(c1|c1) {number_text(repeated.value, 5)}, P(c1) {number_text(prior.value, 5)}"
    return [Condition(repeated.value < prior.value, text)]


def _hardly_above_majority(results: Results) -> Outcome:
    frame, lacking = results.trace("zliobaite2015/fig2", "ozone", "estimates")
    if frame is None:
        return lacking
    rows = frame[
        frame["variant"].str.startswith("shuffled")
        & (frame["estimator"] == "cumulative")
        & (frame["measure"] == "accuracy")
    ].set_index("learner")["value"]
    missing = [name for name in (*ORDINARY, "majority") if name not in rows.index]
    if missing:
        return f"the figure of this run does not have {missing[0]}"
    gaps = {name: float(rows[name] - rows["majority"]) for name in ORDINARY}
    return [
        Condition(gap <= HARDLY_ABOVE, f"accuracy of {name} less majority's {number_text(gap)}")
        for name, gap in gaps.items()
    ]


def _less_on_kdd99(results: Results) -> Outcome:
    names = [*ORDINARY, *(name + form for name in ORDINARY for form in WRAPPED)]
    gains, reasons = dict[str, dict[str, float]](), []
    for stream in _DEPENDENT:
        found, lacking = of_learners(results, stream, "accuracy", names)
        if lacking:
            reasons.append(lacking)
            continue
        gains[stream] = {
            name + form: found[name + form] - found[name] for name in ORDINARY for form in WRAPPED
        }
    if "kdd99" not in gains:
        return reasons[0]
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
    return unless_lacking(conditions, reasons)


def _with_bayes(results: Results) -> Outcome:
    conditions, reasons = [], []
    bases = ("naive_bayes", "ddm_nb")
    for stream in (*_DEPENDENT, "ozone"):
        names = [name + form for name in bases for form in (AUGMENTED, CORRECTED)]
        found, lacking = of_learners(results, stream, "accuracy", names)
        if lacking:
            reasons.append(lacking)
            continue
        for name in bases:
            gap = found[name + AUGMENTED] - found[name + CORRECTED]
            text = f"{stream}: accuracy of {name} augmented less corrected {number_text(gap)}"
            conditions.append(Condition(gap > 0, text))
    if reasons:
        return "; ".join(reasons)
    holding = sum(bool(one.holds) for one in conditions)
    text = f"in {holding} of {len(conditions)} cases: "
    text += "; ".join(one.numbers for one in conditions)
    return [Condition(holding > len(conditions) / 2, text)]


OF_LABELS: dict[str, Predicate] = {
    "persistence_above_majority": Predicate(
        "P(T) is above P(M) on elec2, covtype and kdd99, and not above it on ozone",
        _persistence,
        universal=True,
    ),
    "ozone_negative_dependence": Predicate(
        "P(c1|c1) of the more frequent class is below P(c1)", _negative_on_ozone
    ),
    "ozone_shuffled_hardly_above_majority": Predicate(
        "the accuracy of each of NB, DDM, HT, HAT and LBAG on shuffled ozone is at most "
        f"{HARDLY_ABOVE} above that of the Majority Class",
        _hardly_above_majority,
        universal=True,
    ),
    "smaller_gain_on_kdd99": Predicate(
        "each wrapped learner gains less accuracy over the plain one on kdd99 than on elec2, and "
        "than on covtype",
        _less_on_kdd99,
        universal=True,
    ),
    "augmented_bayes_beats_correction": Predicate(
        "with Naive Bayes and DDM, augmented is more accurate than corrected in more than half of "
        "the cases, over the four streams",
        _with_bayes,
    ),
}
