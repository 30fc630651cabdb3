"""Optional tables of a result: prediction intervals, class scores, and bins of the delay."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from streameval.api.result_view import count_text, ends_text, measure_text, measure_title
from streameval.base.values import duration_text
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.regression_measures import SKILL_PREFIX, regression_measures
from streameval.evaluation.task import Task
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, MIN_RARE_SIZE
from streameval.view.formats import score
from streameval.view.parts import Column, Table

if TYPE_CHECKING:
    import pandas as pd

#: Largest number of equal steps from bin 0 to the last bin but one, in a table of one learner.
_STEPS = 10
#: The same in a table of several learners, which has more rows.
_STEPS_OF_SEVERAL = 5
#: Measures of class scores in tables; `score_measure_names` leaves out some by number of classes.
SCORES = (
    "auc",
    "auc_one_vs_one",
    "auc_one_vs_rest",
    "log_loss",
    "log_loss_clipped",
    "log_loss_skill_over_label_proportions",
    "log_loss_skill_over_label_transitions",
    "brier",
    "brier_skill_over_label_proportions",
    "brier_skill_over_label_transitions",
    "expected_calibration_error",
    "top_3_accuracy",
    "no_forecast",
)
#: Areas under the ROC curve for three classes or more; with two classes both equal ``auc``.
_MULTICLASS_AREAS = frozenset({"auc_one_vs_one", "auc_one_vs_rest"})
#: Measures of class scores that are shown by bin, and their column titles.
SCORES_BY_BIN = {
    "auc": "AUC",
    "auc_one_vs_rest": "AUC",
    "log_loss": "log loss",
    "log_loss_skill_over_label_proportions": "S(proportions)",
    "log_loss_skill_over_label_transitions": "S(transitions)",
    "brier": "Brier",
}
# Column titles in tables by bin or age, by measure.
#: For classification.
_KAPPA_TITLES = {"kappa_temporal_delayed": "κ_t(d)", "kappa_m_delayed": "κ_m(d)"}
#: For classification by bin, with ``--more``.
_MORE_TITLES = {"kappa": "κ", "kappa_temporal_moa": "κ_t (MOA)", "kappa_m_moa": "κ_m (MOA)"}
#: For regression.
_ERROR_TITLES = {"root_mean_squared_error": "RMSE", "r_squared": "R²"}
#: Numbers of instances.
_COUNT_TITLES = {"at_risk": "at risk", "pending": "pending"}
#: Short names of baselines for regression, in titles of columns.
_SHORT_NAMES = {"previous_target": "previous", "target_mean": "mean"}
# Notes below the tables.
_INTERVALS_NOTE = (
    "Skill: 1 minus the ratio of the mean interval scores; 1 is best, 0 as good as the baseline "
    "with the same kind of intervals. These measures have no confidence intervals."
)
_INFINITE_NOTE = " A single infinite interval makes a mean width, and a mean score, infinite."
_FIRST_AND_LAST_BIN_NOTE = (
    "Over {labels:,} labels. Bin 0: predictions on arrival. Bin {last}: predictions just before "
    "the label is learnt."
)
_KAPPAS_NOTE = (
    "κ_t(d) and κ_m(d) compare with No-Change and Majority under the same delay, in the same bin."
)
_SKILLS_NOTE = "S compares with a baseline in the same bin: 1 minus the ratio of the mean errors."
_KAPPAS_OF_MOA_NOTE = (
    "κ_t (MOA) and κ_m (MOA) compare with the previous label and with the most frequent label, "
    "whose count includes the label of the instance itself. Learners do not have these labels when "
    "they predict."
)
_FIRST_CLASS_NOTE = (
    "With the published program's rule, a missing prediction counts as class {name}, and instances "
    "before the first label are scored."
)
_R_SQUARED_UNDEFINED_NOTE = "R² is undefined: all targets are equal, or too large to be squared."
_NO_INTERVAL_NOTE = (
    f"No 95 % interval in {{rows}}: it needs an effective sample size of {MIN_EFFECTIVE_SIZE} "
    f"labels, and {MIN_RARE_SIZE} labels with an outcome other than the most frequent outcome."
)
_NO_INTERVALS_OF_GROUPS_NOTE = (
    "No intervals: for streams with groups, intervals by bin or age were not tested by simulation."
)
_SHOWN_BINS_NOTE = "{shown} of {all} bins are shown. --table FILE and --json give all of them."
_AGES_NOTE = (
    "At each age the current predictions of instances are scored if their {label}s arrive later "
    "(at risk). Pending instances have no {label} yet and are not scored. {comparison} at the same "
    "age."
)
_SCORE_SKILLS_NOTE = (
    "S: 1 minus the ratio of the log losses of a learner and of forecasts from past labels only "
    "(class proportions and transitions)."
)


def intervals_table(
    frame: pd.DataFrame, learners: Sequence[str], title_suffix: str, reasons: Mapping[str, str]
) -> Table:
    """Table of the measures of prediction intervals; a row for each regressor.

    `reasons` are by regressor: why it has no intervals, or empty.
    """
    rows: list[Any] = [
        {"learner": name, "reason": reasons[str(name)], **row}
        for name, row in frame.to_dict("index").items()
    ]
    columns = [
        Column(f"Prediction intervals{title_suffix}", ["learner"], kind="name"),
        Column("intervals", ["intervals"], count_text),
        *(
            Column(
                measure_title(measure),
                [name],
                partial(measure_text, name),
                reason_key="reason" if name == "interval_coverage" else "",
            )
            for name, measure in regression_measures(learners, frame.index).items()
            if name in frame
        ),
    ]
    note = _INTERVALS_NOTE + (_INFINITE_NOTE if frame["infinite_intervals"].any() else "")
    return Table(columns, rows, notes=[note], transposed=True)


def score_measure_names(n_classes: int) -> list[str]:
    """Class-score measures that are useful for this number of classes."""
    left_out = {*_MULTICLASS_AREAS} if n_classes == 2 else {"auc"}
    left_out |= {"top_3_accuracy"} if n_classes <= 3 else set()
    return [name for name in SCORES if name not in left_out]


def scores_table(frame: pd.DataFrame, reasons: pd.DataFrame, title_suffix: str) -> Table:
    """Table of class-score measures: a row for each learner and baseline.

    `reasons` has the shape of `frame`: why a measure is undefined.
    """
    reason_columns = reasons.add_suffix(" reason").to_dict("index")
    rows: list[Any] = [
        {"learner": name, **row, **reason_columns[name]}
        for name, row in frame.to_dict("index").items()
    ]
    columns = [Column(f"class scores{title_suffix}", ["learner"], kind="name")]
    for name in map(str, frame):
        if name != "no_forecast" or frame[name].any():
            title = ALL_SCORE_MEASURES[name].title
            columns.append(Column(title, [name], score, reason_key=f"{name} reason"))
    return Table(columns, rows, transposed=True)


def score_bins_table(frame: pd.DataFrame) -> Table:
    """Table of class-score measures by bin."""
    columns = [
        Column("", ["learner_if_new"], kind="name"),
        Column("bin", ["bin"]),
        *(
            Column(SCORES_BY_BIN[name], [name], score)
            for name in map(str, frame)
            if name in SCORES_BY_BIN
        ),
    ]
    rows = _rows(sample_bins(frame, _STEPS_OF_SEVERAL))
    return Table(columns, rows, "Class scores by bin", [_SCORE_SKILLS_NOTE])


def bins_table(task: Task, frame: pd.DataFrame, learners: Sequence[str], *, more: bool) -> Table:
    """Table of measures by bin, or by age, of some learners."""
    kind = "age" if "age" in frame else "bin"
    selected = frame[frame["learner"].isin(learners)]
    titles = _KAPPA_TITLES | (_MORE_TITLES if more else {})
    if task.is_error:
        titles = _ERROR_TITLES | {
            SKILL_PREFIX + base: f"S({_short_name(base)})" for base in _skill_baselines(frame)
        }
    count_titles = _COUNT_TITLES | ({"missing": "unpredicted"} if selected["missing"].any() else {})
    value_text = partial(measure_text, task.measure)
    columns = [
        *([Column("", ["learner_if_new"], kind="name")] if len(learners) > 1 else []),
        Column(kind, [kind], age_text if kind == "age" else str),
        Column("MAE" if task.is_error else "accuracy", [task.measure], value_text),
        Column("95 % interval", ["low", "high"], partial(ends_text, value_text)),
        *(
            Column(title, [name], partial(measure_text, name))
            for name, title in titles.items()
            if name in frame
        ),
        *(
            Column(title, [name], count_text)
            for name, title in count_titles.items()
            if name in frame
        ),
    ]
    sampled = sample_bins(selected, _STEPS if len(learners) == 1 else _STEPS_OF_SEVERAL)
    return Table(columns, _rows(sampled), shown_in="text")


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
        label, comparison = "label", "κ_t(d) and κ_m(d) compare with No-Change and Majority"
        if task.is_error:
            label, comparison = "target", "The skill S compares with a baseline"
        note = _AGES_NOTE.format(label=label, comparison=comparison)
        return [note, *([_NO_INTERVALS_OF_GROUPS_NOTE] if grouped else [])]
    last, shown_bins = int(frame["bin"].max()), {row["bin"] for row in table.rows}
    labels = frame["predictions"].max()
    notes = [
        _FIRST_AND_LAST_BIN_NOTE.format(last=last, labels=labels),
        _SKILLS_NOTE if task.is_error else _KAPPAS_NOTE,
    ]
    if not task.is_error:
        notes += [_KAPPAS_OF_MOA_NOTE] if more else []
        notes += (
            [_FIRST_CLASS_NOTE.format(name=classes[0])] if rule == "published" and classes else []
        )
    if grouped:
        notes.append(_NO_INTERVALS_OF_GROUPS_NOTE)
    elif n_without := sum(math.isnan(row["low"]) for row in table.rows):
        n_rows = len(table.rows)
        rows = f"{n_without} of the {n_rows} rows" if n_without < n_rows else "any bin"
        notes.append(_NO_INTERVAL_NOTE.format(rows=rows))
    if len(shown_bins) < last + 1:
        notes.append(_SHOWN_BINS_NOTE.format(shown=len(shown_bins), all=last + 1))
    return notes + (
        [_R_SQUARED_UNDEFINED_NOTE] if task.is_error and frame["r_squared"].isna().any() else []
    )


def sample_bins(frame: pd.DataFrame, steps: int) -> pd.DataFrame:
    """First and last bin, or age, of each learner, and bins at equal steps between them."""
    last = int(frame.groupby("learner", sort=False).size().max()) - 1
    step = max(1, math.ceil((last - 1) / steps))
    positions = frame.groupby("learner", sort=False).cumcount()
    return frame[positions.isin([0, *range(step, last, step), last])]


def age_text(age: Any) -> str:
    """Text of an age: a length of time, or a number of its units."""
    return duration_text(age.total_seconds()) if hasattr(age, "total_seconds") else str(int(age))


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame; ``learner_if_new`` is the learner's name in its first row, then empty."""
    names = frame["learner"]
    return frame.assign(learner_if_new=names.where(names != names.shift(), "")).to_dict("records")  # type: ignore[return-value]


def _skill_baselines(frame: pd.DataFrame) -> Iterator[str]:
    """Baselines over which the table has a skill."""
    for name in map(str, frame):
        if name.startswith(SKILL_PREFIX) and not name.endswith(("_low", "_high")):
            yield name.removeprefix(SKILL_PREFIX)


def _short_name(baseline: str) -> str:
    """Short name of a baseline; of ``seasonal:24:latest`` it is ``24 latest``."""
    return _SHORT_NAMES.get(baseline, baseline.partition(":")[2].replace(":", " "))
