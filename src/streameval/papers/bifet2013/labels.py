"""Claims of Bifet et al. (2013), Sections 1 and 2, about labels alone."""

from __future__ import annotations

from collections.abc import Mapping

from streameval.papers.bifet2013.published import EVOLVES, NEARLY_PERFECT, SLIGHT
from streameval.report.claims import (
    BY_INTERVAL,
    Condition,
    Outcome,
    Predicate,
    differences,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

_TABLE = "bifet2013/table2"
#: KDD99 has "more than" so many classes.
CLASSES = 20


def _measures(
    results: Results, stream: str, names: tuple[str, ...]
) -> tuple[Mapping[str, float], str]:
    """Return numbers of a stream in Table 2, and the reason for the first missing number."""
    found = {name: results.find(_TABLE, stream, measure=name) for name in names}
    lacking = next((one.reason for one in found.values() if one.reason), "")
    return {name: one.value for name, one in found.items()}, lacking


def _is_above(
    found: Mapping[str, float], one: str, other: str, stream: str, *, below: bool = False
) -> Condition:
    holds = found[one] < found[other] if below else found[one] > found[other]
    text = f"{stream}: {one} {number_text(found[one])}, {other} {number_text(found[other])}"
    return Condition(holds, text)


def _dependent_labels(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in ("elec2", "airlines", "kdd99"):
        classes = ("c1", "c2") if stream != "kdd99" else ("c1", "c2", "c3")
        names = tuple(name for c in classes for name in (f"P({c})", f"P({c}|{c})"))
        found, lacking = _measures(results, stream, names)
        reasons += [lacking] if lacking else []
        if not lacking:
            conditions += [_is_above(found, f"P({c}|{c})", f"P({c})", stream) for c in classes]
    return unless_lacking(conditions, reasons)


def _nearly_perfect(results: Results) -> Outcome:
    found, lacking = _measures(results, "kdd99", ("no_change_accuracy",))
    if lacking:
        return lacking
    accuracy = found["no_change_accuracy"]
    text = f"accuracy of no_change {number_text(accuracy)} >= {NEARLY_PERFECT}"
    return [Condition(accuracy >= NEARLY_PERFECT, text)]


def _no_advantage(results: Results) -> Outcome:
    found, lacking = _measures(results, "ozone", ("P(c2)", "P(c2|c2)"))
    (gap,), also = differences(results, "ozone", [("majority", "no_change")])
    if lacking or also:
        return lacking or also
    return [
        _is_above(found, "P(c2|c2)", "P(c2)", "ozone"),
        Condition(gap.above(), f"ozone: accuracy of majority less no_change's {gap.text}"),
    ]


def _prior_evolves(results: Results) -> Outcome:
    frame, lacking = results.trace("bifet2013/fig1", "elec2", "prior")
    if frame is None:
        return lacking
    share = frame.loc[frame["class"] == frame["class"].iloc[0], "share"]
    low, high = float(share.min()), float(share.max())
    text = f"the proportion of a class is from {number_text(low)} to {number_text(high)}"
    return [Condition(high - low > EVOLVES, text)]


def _slightly_imbalanced(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in ("elec2", "airlines"):
        found, lacking = _measures(results, stream, ("P(c1)", "P(c2)"))
        reasons += [lacking] if lacking else []
        if not lacking:
            gap = found["P(c1)"] - found["P(c2)"]
            text = f"{stream}: P(c1) less P(c2) {number_text(gap)}"
            conditions.append(Condition(0 < gap <= SLIGHT, text))
    return unless_lacking(conditions, reasons)


def _classes_of_kdd99(results: Results) -> Outcome:
    found = results.find("zliobaite2015/table3", "kdd99", "classes")
    if found.reason:
        return found.reason
    return [Condition(found.value > CLASSES, f"kdd99: {number_text(int(found.value))} classes")]


OF_LABELS: dict[str, Predicate] = {
    "dependent_labels": Predicate(
        "P(c|c) is above P(c) for both classes of electricity and of airlines, and for the three "
        "classes of KDD99 that the table has",
        _dependent_labels,
        universal=True,
    ),
    "slightly_imbalanced": Predicate(
        f"P(c1) exceeds P(c2) on electricity and on airlines, by at most {SLIGHT}",
        _slightly_imbalanced,
        universal=True,
    ),
    "kdd99_classes": Predicate(
        f"the stream that the run uses has more than {CLASSES} classes", _classes_of_kdd99
    ),
    "kdd99_nearly_perfect": Predicate(
        f"the accuracy of No-Change is at least {NEARLY_PERFECT}", _nearly_perfect
    ),
    "ozone_no_advantage": Predicate(
        "P(c2|c2) of the rarer class is above P(c2), and Majority is more accurate than No-Change; "
        f"{BY_INTERVAL}",
        _no_advantage,
        universal=True,
    ),
    "prior_evolves": Predicate(
        "over the windows of the figure, the proportion of a class has a range above "
        f"{EVOLVES}, which is ten standard errors of 1000 independent labels",
        _prior_evolves,
    ),
}
