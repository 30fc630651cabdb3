"""Measures and skills of the class scores of several learners.

A skill is 1 minus the ratio of mean losses. Two baselines use past labels only. `LabelProportions`
forecasts the proportions of all past labels. `LabelTransitions` forecasts the proportions among
past labels that followed a label equal to the last label. No-Change and Majority are not used as
baselines here: they give the whole score to one class, so their mean log loss is the error rate
times the largest possible loss.

In a bin of the time to the label, the forecast is the mean of the forecasts in force, weighted by
their duration. A mean of probabilities is again a forecast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.memory import check_room
from streameval.evaluation.measurements import MeasureValue, window_ends
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import FORECAST_BASELINES
from streameval.evaluation.run import Cost, Run, run_with_unscored
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.learners.label_forecasts import LabelProportions, LabelTransitions
from streameval.learners.learner import AnyLearner, Classifier, Progress
from streameval.learners.predictions import Predictions
from streameval.measures.forecasts import Forecasts, brier_losses, checked_forecasts, log_losses
from streameval.measures.scores import (
    SCORE_MEASURES,
    ScoreMeasure,
    ScoreValues,
    overall_scores,
    skill,
    window_scores,
)
from streameval.protocols.bins import PAPER, bin_predictions
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import PredictionEvents
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

_BASELINES: dict[str, Classifier] = {
    learner.name: learner for learner in (LabelProportions(), LabelTransitions())
}
#: Losses that have skills, by name.
SCORE_LOSSES = {"log_loss": log_losses, "brier": brier_losses}
#: Infix of the name of a skill, between the loss and the baseline.
_SKILL_OVER = "_skill_over_"
_NO_LOSS = "the baseline has no loss"


def skill_name(loss: str, baseline: str) -> str:
    """Name of the skill by a loss over a baseline."""
    return f"{loss}{_SKILL_OVER}{baseline}"


def _skill_measures() -> Iterable[ScoreMeasure]:
    for loss in SCORE_LOSSES:
        loss_title = SCORE_MEASURES[loss].title.partition(",")[0]
        for baseline in FORECAST_BASELINES:
            yield ScoreMeasure(
                skill_name(loss, baseline),
                symbol="S",
                title=f"{loss_title} skill over {baseline.replace('_', ' ')}",
                lower=-float("inf"),
                upper=1,
                reference="Murphy (1988)",
            )


#: Skills by name, such as ``brier_skill_over_label_proportions``.
SCORE_SKILLS = {measure.name: measure for measure in _skill_measures()}
#: All measures of the scores of a learner, by name.
ALL_SCORE_MEASURES = {**SCORE_MEASURES, **SCORE_SKILLS}


@dataclass(frozen=True)
class ScoreTable:
    """Class scores of several learners and of the `FORECAST_BASELINES`, with the true class codes.

    Parameters
    ----------
    true : ndarray of int32, shape (p,)
        True class codes.
    scores : mapping of str to ndarray of float32, shape (p, k)
        Class scores by learner.
    has_folds : bool
        Whether predictions are of several folds.
    all_scores : mapping of str to ndarray of float32
        For a re-evaluation: the scores of all its predictions; `scores` has only those that are
        measured.
    """

    true: Codes
    scores: Mapping[str, NDArray[np.float32]]
    has_folds: bool = False
    all_scores: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.true)

    def forecasts(self, learner: str) -> Forecasts:
        """Scores of a learner as forecasts."""
        return checked_forecasts(self.true, self.scores[learner])

    def require_one_fold(self, what: str) -> None:
        """Raise ConfigError if there are several folds: `what` needs a single sequence."""
        if self.has_folds:
            raise ConfigError(
                f"{what}: expected class scores in one sequence, found scores of several folds. "
                "Choose a protocol without folds, such as prequential, or measures over all "
                "predictions."
            )


def run_with_class_scores(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, AnyLearner[Any]],
    seed: int = 1,
    selected: Flags | None = None,
    *,
    progress: Progress | None = None,
) -> tuple[PredictionTable, list[Cost], ScoreTable]:
    """Run learners, and keep class scores; see `run_with_all_class_scores`."""
    run, scores = run_with_all_class_scores(
        stream, protocol, learners, seed, selected, progress=progress
    )
    return run.table.select(run.scored), run.costs, scores


def run_with_all_class_scores(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, AnyLearner[Any]],
    seed: int = 1,
    selected: Flags | None = None,
    *,
    tapes: Sequence[Tape] | None = None,
    reevaluated: Flags | None = None,
    progress: Progress | None = None,
) -> tuple[Run, ScoreTable]:
    """Run learners as `run_with_unscored` does, and keep the class scores of some predictions.

    `ScoreTable.scores` has the scored predictions of instances with labels in the mask `selected`,
    (p,), by default all. `ScoreTable.all_scores` has the scored predictions in the mask
    `reevaluated`, the predictions of a re-evaluation. `FORECAST_BASELINES` are added to the scores,
    but not to the table of labels or to the costs.
    """
    for learner in learners.values():
        learner.check_scores(stream)
    by_learner: dict[str, NDArray[np.float32]] = {}

    def keep(name: str, predictions: Predictions) -> None:
        if predictions.scores is not None:
            by_learner[name] = predictions.scores

    added_baselines = {
        name: learner for name, learner in _BASELINES.items() if name not in learners
    }
    all_learners = {**learners, **added_baselines}
    run = run_with_unscored(
        stream,
        protocol,
        all_learners,
        seed,
        keep,
        tapes=tapes,
        scores=all_learners,  # the learners whose scores are computed
        progress=progress,
    )
    table = run.table
    is_measured = run.scored & CLASSIFICATION_TASK.is_known(table.true)
    if selected is not None:
        is_measured &= selected
    measured = {name: scores[is_measured] for name, scores in by_learner.items()}
    all_scores = {}
    if reevaluated is not None:
        mask = reevaluated & run.scored
        all_scores = {name: scores[mask] for name, scores in by_learner.items()}
    predicted = {
        name: labels for name, labels in table.predicted.items() if name not in added_baselines
    }
    costs = [cost for cost in run.costs if cost.learner not in added_baselines]
    scores = ScoreTable(table.true[is_measured], measured, table.fold is not None, all_scores)
    return Run(replace(table, predicted=predicted), run.scored, costs), scores


def measure_scores(
    table: ScoreTable,
    learners: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> list[MeasureValue]:
    """Measures of `ALL_SCORE_MEASURES` over all predictions; folds are pooled.

    The defaults are all learners and all measures. Results are by learner, then by measure.
    `progress` is called with the number of predictions after each learner.
    """
    measurements = []
    calculator = _MeasureCalculator(table, names or [*ALL_SCORE_MEASURES], windows=None)
    for learner in learners or table.scores:
        for name, (value, reason) in calculator.measures(learner).items():
            measurements.append(MeasureValue(learner, name, float(value[0]), str(reason[0])))
        if progress is not None:
            progress(len(table))
    return measurements


def windowed_score_measures(
    table: ScoreTable, learners: Sequence[str], names: Sequence[str], window: int, points: int
) -> pd.DataFrame:
    """Measures of scores over a sliding window of one sequence; see `windowed_measures`."""
    import pandas as pd

    table.require_one_fold("Measures over a sliding window")
    last = window_ends(len(table), window, points)
    calculator = _MeasureCalculator(table, names, (window, last))
    return pd.concat(
        [
            pd.DataFrame(
                {"instance": last, "learner": learner, "measure": name, **values._asdict()}
            )
            for learner in learners
            for name, values in calculator.measures(learner).items()
        ],
        ignore_index=True,
    )


class _MeasureCalculator:
    """Computes measures of scores over all predictions, or over `windows`: width and positions.

    The losses of the baselines are computed once.
    """

    def __init__(
        self, table: ScoreTable, names: Sequence[str], windows: tuple[int, Integers] | None
    ) -> None:
        self._table, self._names, self._windows = table, names, windows
        self._skills = [name for name in names if name in SCORE_SKILLS]
        losses = [name.partition(_SKILL_OVER)[0] for name in self._skills]
        self._computed_names = [
            *dict.fromkeys([name for name in names if name in SCORE_MEASURES] + losses)
        ]
        self._baseline_losses = {
            name: self._without_skills(name.partition(_SKILL_OVER)[2], [loss])[loss]
            for name, loss in zip(self._skills, losses, strict=True)
        }

    def measures(self, learner: str) -> dict[str, ScoreValues]:
        """Measures of a learner by name, with skills."""
        measures = self._without_skills(learner, self._computed_names)
        for name in self._skills:
            loss = measures[name.partition(_SKILL_OVER)[0]]
            baseline_loss = self._baseline_losses[name]
            values = skill(loss.value, baseline_loss.value)
            reason = np.where(np.isnan(values) & (loss.reason == ""), _NO_LOSS, loss.reason)
            measures[name] = ScoreValues(values, reason)
        return {name: measures[name] for name in self._names}

    def _without_skills(self, learner: str, names: Sequence[str]) -> dict[str, ScoreValues]:
        """Measures of a learner by name, without skills."""
        forecasts = self._table.forecasts(learner)
        if self._windows is None:
            return overall_scores(forecasts, names)
        window, last = self._windows
        return window_scores(forecasts, names, window=window, positions=last)


Scores = NDArray[np.float32]


def binned_scores(prediction_events: PredictionEvents, scores: Scores, bins: int) -> Scores:
    """Forecast of each instance in each bin, (B + 2, s, k), in the order of labels."""
    probabilities = _probabilities(scores)
    forecasts = np.empty(
        (bins + 2, len(prediction_events.labelled_rows), scores.shape[1]), dtype=np.float32
    )
    for c in range(scores.shape[1]):
        (binned,) = bin_predictions(prediction_events, probabilities[:, c], [(bins, PAPER)])
        # Rounded to float32 again, so that equal forecasts remain equal.
        forecasts[:, :, c] = binned.values.T
    return forecasts


def _probabilities(scores: Scores) -> Floats:
    """Scores as probabilities; uniform where there is no forecast."""
    forecasts = checked_forecasts(np.zeros(len(scores), np.int32), scores)
    total, k = forecasts.total[:, None], scores.shape[1]
    probabilities = np.full(scores.shape, 1.0 / k)
    np.divide(scores, total, out=probabilities, where=total > 0)
    return probabilities


def score_bins(
    true: Codes,
    prediction_events: PredictionEvents,
    scores: Mapping[str, Scores],
    names: Sequence[str],
    bins: int,
) -> pd.DataFrame:
    """Measures of class scores by learner and bin; skills need the `FORECAST_BASELINES`.

    True labels are in the order of their arrival; for `scores` see `binned_scores`.
    """
    import pandas as pd

    k = next(iter(scores.values())).shape[1]
    check_room(
        4 * len(scores) * (bins + 2) * len(true) * k,
        f"Scores of {k:,} classes by {len(scores)} learners in {bins:,} bins for each of "
        f"{len(true):,} instances",
        "Use fewer bins.",
    )
    by_learner = {
        name: binned_scores(prediction_events, forecasts, bins)
        for name, forecasts in scores.items()
    }
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in scores}
    for b in range(bins + 2):
        table = ScoreTable(true, {name: forecasts[b] for name, forecasts in by_learner.items()})
        for name, learner_rows in rows.items():
            learner_rows.append({"learner": name, "bin": b, "predictions": len(true)})
        for measurement in measure_scores(table, names=names):
            rows[measurement.learner][b][measurement.measure] = measurement.value
    columns = ["learner", "bin", *names, "predictions"]
    return pd.DataFrame(
        [row for learner_rows in rows.values() for row in learner_rows], columns=columns
    )
