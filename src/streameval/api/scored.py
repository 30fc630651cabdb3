"""The class scores of a result: their measures, over all predictions, over a window, and by bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streameval.api.arguments import checked, one_of
from streameval.base.arrays import Flags
from streameval.errors import ConfigError
from streameval.values import whole

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from streameval.api.delays import Waiting
    from streameval.evaluation.scored import ScoreTable
    from streameval.streams.stream import Stream


class Scored:
    """Results that may have class scores."""

    #: The class scores, if they were asked for.
    _score_table: ScoreTable | None = None

    if TYPE_CHECKING:  # what the results have that these are a part of
        stream: Stream
        learners: list[str]

        def _reevaluated(self) -> Waiting: ...

    def scores(self, *measures: str) -> pd.DataFrame:
        """Return measures of the class scores, such as the area under the ROC curve.

        Needs an evaluation with ``scores=True``. Scores are probability forecasts: each row of
        them is divided by its sum. Under delayed labels measures are over the predictions on
        arrival.

        Parameters
        ----------
        *measures : str
            Names of measures: ``"auc"`` of two classes, ``"auc_one_vs_one"`` and
            ``"auc_one_vs_rest"`` of more; ``"log_loss"`` and ``"brier"``, the terms of the latter
            such as ``"brier_reliability"``, and ``"expected_calibration_error"``;
            ``"top_3_accuracy"``; and skills, one less the ratio of the losses, such as
            ``"log_loss_skill_over_label_transitions"``. By default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner and for the baselines of scores, ``label_proportions`` and
            ``label_transitions``; a column per measure; NaN where one is undefined, see
            `score_reasons`.

        Raises
        ------
        ConfigError
            If scores were not asked for, or there is no such measure.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", scores=True)
        >>> result.scores("auc", "log_loss", "brier").round(2)
                            auc  log_loss  brier
        learner
        hoeffding_tree     0.87      0.47   0.27
        no_change          0.50      7.40   0.93
        majority           0.48      0.67   0.46
        label_proportions  0.48      0.66   0.46
        label_transitions  0.48      0.66   0.46
        """
        return self._wide_scores("value", measures)

    def score_reasons(self, *measures: str) -> pd.DataFrame:
        """Return why measures of class scores are undefined.

        Parameters
        ----------
        *measures : str
            See `scores`.

        Returns
        -------
        pandas.DataFrame
            As `scores`; "" where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=500), "majority", scores=True)
        >>> result.score_reasons("top_3_accuracy").loc["majority", "top_3_accuracy"]
        'there are no more than 3 classes'
        """
        return self._wide_scores("reason", measures)

    def score_curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Return a measure of the class scores over a sliding window.

        Parameters
        ----------
        measure : str
            Its name: one of `scores`.
        window : int
            Length of the window in predictions.
        points : int
            At most that many positions, evenly spaced from the first full window to the end.
        learners : sequence of str
            Names of learners; by default all of `scores`.

        Returns
        -------
        pandas.DataFrame
            A row per position, whose index is the number of predictions made; a column per learner;
            NaN where the measure is undefined.

        Raises
        ------
        ConfigError
            If scores were not asked for, there is no such measure, or there are folds.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", scores=True)
        >>> result.score_curve("auc", 500, 4, ["hoeffding_tree", "label_transitions"]).round(2)
                  hoeffding_tree  label_transitions
        instance
        500                 0.83               0.46
        1000                0.88               0.43
        1500                0.87               0.49
        2000                0.90               0.44
        """
        from streameval.evaluation.scored import ALL_SCORE_MEASURES, windowed_score_measures

        table = self._scored()
        name = one_of(measure, ALL_SCORE_MEASURES, "measure of class scores")
        names = checked(learners, [*table.scores], "learner")
        size, most = whole(window, "window"), whole(points, "points")
        tidy = windowed_score_measures(table, names, [name], size, most)
        wide = tidy.pivot(index="instance", columns="learner", values="value")  # noqa: PD010
        return wide[names].rename_axis(columns=None)

    def score_bins(self, *measures: str, bins: int = 50) -> pd.DataFrame:
        """Return measures of the class scores by time until the label arrives.

        Bins are those of `Result.bins`: bin 0 has the predictions on arrival, the last bin those
        made just before the label is learnt. In between the forecast of a bin is the mean of those
        in force, weighted by how long each is. Needs an evaluation with delayed labels.

        Parameters
        ----------
        *measures : str
            See `scores`; the baselines of skills are forecasts with the same delay, in the same
            bin.
        bins : int
            Number of bins B between the first and the last prediction.

        Returns
        -------
        pandas.DataFrame
            A row per learner, and per baseline of scores, and bin 0, ..., B + 1: learner, bin; a
            column per measure, NaN where it is undefined; and predictions, the number of labels
            that have arrived.

        Raises
        ------
        ConfigError
            If scores were not asked for, labels are not delayed, or there is no such measure.
        DataError
            If the forecasts in so many bins do not fit into the memory.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", delay=100, scores=True)
        >>> result.score_bins("log_loss", "brier", bins=1).head(3).round(2)
                  learner  bin  log_loss  brier  predictions
        0  hoeffding_tree    0      0.45   0.27         1899
        1  hoeffding_tree    1      0.45   0.27         1899
        2  hoeffding_tree    2      0.44   0.26         1899
        """
        from streameval.evaluation.score_bins import score_bins
        from streameval.evaluation.scored import ALL_SCORE_MEASURES

        table, waiting = self._scored(), self._reevaluated()
        names = checked(measures, ALL_SCORE_MEASURES, "measure of class scores")
        true = self.stream.y[waiting.polls.scored]
        return score_bins(true, waiting.polls, table.again, names, whole(bins, "bins", least=0))

    def _score_columns(self, known: Flags) -> dict[str, NDArray[np.float32]]:
        """Return the scores of predictions by learner and class; nothing if they are not kept.

        `known` is a mask of the predictions whose true labels have arrived; others have none kept,
        but for those of a re-evaluation.
        """
        table = self._score_table
        found: dict[str, NDArray[np.float32]] = {}
        if table is None:
            return found
        for name in self.learners:
            for code, label in enumerate(self.stream.schema.classes or ()):
                if name in table.again:
                    column = table.again[name][:, code]
                else:
                    column = np.full(len(known), np.nan, np.float32)
                    column[known] = table.scores[name][:, code]
                found[f"{name}_score_{label}"] = column
        return found

    def _scored(self) -> ScoreTable:
        if self._score_table is None:
            raise ConfigError(
                "Class scores: expected an evaluation that keeps them, found one without. Evaluate "
                "with scores=True."
            )
        return self._score_table

    def _wide_scores(self, column: str, measures: Sequence[str]) -> pd.DataFrame:
        import pandas as pd

        from streameval.evaluation.measuring import Measured
        from streameval.evaluation.scored import ALL_SCORE_MEASURES, score_measured

        table = self._scored()
        names = checked(measures, ALL_SCORE_MEASURES, "measure of class scores")
        found = score_measured(table, names=names)
        tidy = pd.DataFrame(found, columns=Measured._fields)
        wide = tidy.pivot(index="learner", columns="measure", values=column)  # noqa: PD010
        return wide.loc[[*table.scores], names].rename_axis(columns=None)
