"""Tables that results show on request: intervals, class scores, and bins of the delay."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from streameval.api.result_view import count_text, ends_text, measure_text, titled
from streameval.base.values import duration_text
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.number_measures import SKILL, number_measures
from streameval.evaluation.task import Task
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, MIN_RARE_SIZE
from streameval.view.blocks import Column, Table
from streameval.view.formats import score

if TYPE_CHECKING:
    import pandas as pd

#: Between the first and the last bin, as many are shown of one learner, and of each of several.
_STEPS, _FEW = 10, 5
#: The measures of class scores that are shown where they are defined for the number of classes.
SCORES = (
    *("auc", "auc_one_vs_one", "auc_one_vs_rest"),
    *("log_loss", "log_loss_clipped"),
    *("log_loss_skill_over_label_proportions", "log_loss_skill_over_label_transitions"),
    "brier",
    *("brier_skill_over_label_proportions", "brier_skill_over_label_transitions"),
    *("expected_calibration_error", "top_3_accuracy", "no_forecast"),
)
#: With two classes all areas are the same.
_OF_MANY = frozenset({"auc_one_vs_one", "auc_one_vs_rest"})
#: Heads of those that are shown by bin.
SCORES_BY_BIN = {
    "auc": "AUC",
    "auc_one_vs_rest": "AUC",
    "log_loss": "log loss",
    "log_loss_skill_over_label_proportions": "S(proportions)",
    "log_loss_skill_over_label_transitions": "S(transitions)",
    "brier": "Brier",
}
#: Measures by bin, or by age, and those by bin that are shown on request only.
_BY_BIN = {"kappa_temporal_delayed": "κ_t(d)", "kappa_m_delayed": "κ_m(d)"}
_ON_REQUEST = {"kappa": "κ", "kappa_temporal_moa": "κ_t (MOA)", "kappa_m_moa": "κ_m (MOA)"}
_OF_ERRORS = {"root_mean_squared_error": "RMSE", "r_squared": "R²"}
_COUNTS = {"at_risk": "at risk", "pending": "pending"}
#: Names of the baselines of regressors in heads.
_SHORT = {"previous_target": "previous", "target_mean": "mean"}
_INTERVALS = (
    "Skill: one less the ratio of the mean interval scores; 1 is best, 0 as good as the baseline "
    "with the same kind of intervals. These measures have no intervals of their own."
)
_INFINITE = " A single infinite interval makes a mean width, and a mean score, infinite."
_ENDS = (
    "Over {labels:,} labels. Bin 0: predictions on arrival. Bin {last}: predictions just before "
    "the label is learnt."
)
_COMPARED = (
    "κ_t(d) and κ_m(d) compare with No-Change and Majority under the same delay, in the same bin."
)
_SKILLS = "S compares with a baseline in the same bin: one less the ratio of the mean errors."
_AS_IN_MOA = (
    "κ_t (MOA) and κ_m (MOA) compare with the previous label and with the most frequent label, "
    "whose count includes the label of the instance itself. Learners do not know these labels when "
    "they predict."
)
_FIRST_CLASS = (
    "With the published program's rule, a missing prediction counts as class {name}, and instances "
    "before the first label are scored."
)
_WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
_NO_INTERVAL = (
    f"No 95 % interval in {{cells}}: it needs an effective sample size of {MIN_EFFECTIVE_SIZE} "
    f"labels, and of {MIN_RARE_SIZE} labels with another outcome than the most frequent one."
)
_NONE_BY_GROUP = (
    "No intervals: for streams with groups, intervals by bin or age were not tested by simulation."
)
_MORE = "{shown} of {all} bins are shown. --table FILE and --json give all of them."
_AT_AN_AGE = (
    "Scored at an age are the predictions in force for instances whose {0}s arrive later (at "
    "risk). Pending instances have no {0} yet and are not scored. {1} at the same age."
)
_OF_SCORES = (
    "S: one less the ratio of the log losses of a learner and of forecasts from past labels only "
    "(class proportions and transitions)."
)


def intervals_table(
    frame: pd.DataFrame, learners: Sequence[str], about: str, reasons: Mapping[str, str]
) -> Table:
    """Measures of prediction intervals, a row for each regressor; `reasons` why some have none."""
    rows: list[Any] = [
        {"learner": name, "reason": reasons[str(name)], **row}
        for name, row in frame.to_dict("index").items()
    ]
    columns = [
        Column(f"Prediction intervals{about}", ["learner"], kind="name"),
        Column("intervals", ["intervals"], count_text),
        *(
            Column(
                titled(measure),
                [name],
                partial(measure_text, name),
                reason="reason" if name == "interval_coverage" else "",
            )
            for name, measure in number_measures(learners, frame.index).items()
            if name in frame
        ),
    ]
    note = _INTERVALS + (_INFINITE if frame["infinite_intervals"].any() else "")
    return Table(columns, rows, notes=[note], transposed=True)


def scores_of(n_classes: int) -> list[str]:
    """Class-score measures that are shown for this number of classes."""
    left_out = {*_OF_MANY} if n_classes == 2 else {"auc"}
    left_out |= {"top_3_accuracy"} if n_classes <= 3 else set()
    return [name for name in SCORES if name not in left_out]


def scores_table(frame: pd.DataFrame, reasons: pd.DataFrame, about: str) -> Table:
    """Table of class-score measures: a row for each learner and baseline."""
    why = reasons.add_suffix(" reason").to_dict("index")
    rows: list[Any] = [
        {"learner": name, **row, **why[name]} for name, row in frame.to_dict("index").items()
    ]
    columns = [Column(f"class scores{about}", ["learner"], kind="name")]
    for name in map(str, frame):
        if name != "no_forecast" or frame[name].any():
            title = ALL_SCORE_MEASURES[name].title
            columns.append(Column(title, [name], score, reason=f"{name} reason"))
    return Table(columns, rows, transposed=True)


def score_bins_table(frame: pd.DataFrame) -> Table:
    """Table of class-score measures by bin."""
    columns = [
        Column("", ["first"], kind="name"),
        Column("bin", ["bin"]),
        *(Column(SCORES_BY_BIN[name], [name], score) for name in map(str, frame) if name in SCORES),
    ]
    return Table(columns, _rows(few_of(frame, _FEW)), "Class scores by bin", [_OF_SCORES])


def bins_table(task: Task, frame: pd.DataFrame, learners: Sequence[str], *, more: bool) -> Table:
    """Table of measures by bin, or by age, of some learners."""
    place = "age" if "age" in frame else "bin"
    selected = frame[frame["learner"].isin(learners)]
    heads = _BY_BIN | (_ON_REQUEST if more else {})
    if task.is_error:
        heads = _OF_ERRORS | {SKILL + base: f"S({_called(base)})" for base in _baselines_of(frame)}
    counts = _COUNTS | ({"missing": "unpredicted"} if selected["missing"].any() else {})
    value = partial(measure_text, task.measure)
    columns = [
        *([Column("", ["first"], kind="name")] if len(learners) > 1 else []),
        Column(place, [place], age_text if place == "age" else str),
        Column("MAE" if task.is_error else "accuracy", [task.measure], value),
        Column("95 % interval", ["low", "high"], partial(ends_text, value)),
        *(
            Column(head, [name], partial(measure_text, name))
            for name, head in heads.items()
            if name in frame
        ),
        *(Column(head, [name], count_text) for name, head in counts.items() if name in frame),
    ]
    few = few_of(selected, _STEPS if len(learners) == 1 else _FEW)
    return Table(columns, _rows(few), only="text")


def bins_notes(
    task: Task,
    frame: pd.DataFrame,
    table: Table,
    classes: Sequence[str],
    *,
    rule: str,
    more: bool,
    grouped: bool,
) -> list[str]:
    """Notes on the bins, or ages, of a table."""
    if "age" in frame:
        what = ("target", "The skill S compares with a baseline")
        if not task.is_error:
            what = ("label", "κ_t(d) and κ_m(d) compare with No-Change and Majority")
        return [_AT_AN_AGE.format(*what), *([_NONE_BY_GROUP] if grouped else [])]
    last, bins = int(frame["bin"].max()), {row["bin"] for row in table.rows}
    labels = frame["predictions"].max()
    notes = [_ENDS.format(last=last, labels=labels), _SKILLS if task.is_error else _COMPARED]
    if not task.is_error:
        notes += [_AS_IN_MOA] if more else []
        notes += [_FIRST_CLASS.format(name=classes[0])] if rule == "published" and classes else []
    if grouped:
        notes.append(_NONE_BY_GROUP)
    elif lacking := sum(math.isnan(row["low"]) for row in table.rows):
        cells = f"{lacking} of the {len(table.rows)} rows"
        notes.append(_NO_INTERVAL.format(cells=cells if lacking < len(table.rows) else "any bin"))
    notes += [_MORE.format(shown=len(bins), all=last + 1)] if len(bins) <= last else []
    return notes + ([_WHY_UNDEFINED] if task.is_error and frame["r_squared"].isna().any() else [])


def few_of(frame: pd.DataFrame, steps: int) -> pd.DataFrame:
    """First and last bins, or ages, of each learner, and some at equal steps between them."""
    last = int(frame.groupby("learner", sort=False).size().max()) - 1
    step = max(1, math.ceil((last - 1) / steps))
    places = frame.groupby("learner", sort=False).cumcount()
    return frame[places.isin([0, *range(step, last, step), last])]


def age_text(age: Any) -> str:
    """Text of an age: a length of time, or a number of its units."""
    return duration_text(age.total_seconds()) if hasattr(age, "total_seconds") else str(int(age))


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows with the learner's name as ``first`` only in the first row of each learner."""
    names = frame["learner"]
    return frame.assign(first=names.where(names != names.shift(), "")).to_dict("records")  # type: ignore[return-value]


def _baselines_of(frame: pd.DataFrame) -> Iterator[str]:
    for name in map(str, frame):
        if name.startswith(SKILL) and not name.endswith(("_low", "_high")):
            yield name.removeprefix(SKILL)


def _called(baseline: str) -> str:
    return _SHORT.get(baseline, baseline.partition(":")[2].replace(":", " "))
