"""Prediction intervals in results of regressors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streameval.api.presented import Presented
from streameval.errors import ConfigError
from streameval.evaluation.interval_measures import is_of_intervals
from streameval.evaluation.number_measures import NumberTable

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.api.panels import Panels

#: What is drawn of prediction intervals.
_WITH_INTERVALS = ("mean_absolute_error", "interval_coverage", "mean_interval_width")


class WithIntervals(Presented[NumberTable]):
    """Predictions of regressors, which may have intervals."""

    @property
    @abstractmethod
    def _table(self) -> NumberTable:
        """Return what is measured."""

    def intervals(self) -> pd.DataFrame:
        """Return measures of the prediction intervals; see ``intervals`` of `evaluate_regressors`.

        Under delayed targets they are about the predictions on arrival.

        Returns
        -------
        pandas.DataFrame
            A row per regressor with intervals: intervals, the number of targets that have one; the
            measures of `streameval.measures.prediction_intervals`: interval_coverage, the
            proportion of targets within their interval; mean_interval_width, in the unit of the
            target; normalised_interval_width, the same divided by the range of the targets (NMPIW);
            interval_score, the less the better; infinite_intervals, the proportion without bounds;
            limited_intervals, the proportion that theory would have wider, or narrower, than any
            error so far, see `streameval.learners.wrappers.conformal`; and the skill of the
            interval score over each baseline with the same kind of intervals, such as
            interval_skill_over_previous_target. NaN where one is undefined, see `reasons`.

        Raises
        ------
        ConfigError
            If no regressor gives intervals.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("planes", rows=2000)
        >>> result = se.evaluate_regressors(stream, "amrules", intervals=0.9)
        >>> result.intervals()[["intervals", "interval_coverage", "interval_score"]].round(2)
                         intervals  interval_coverage  interval_score
        learner
        amrules               1991                0.9            7.95
        previous_target       1990                0.9           25.40
        target_mean           1991                0.9           17.17
        """
        given = self._table.intervals
        if not given:
            raise ConfigError(
                "intervals: expected regressors with prediction intervals, found none. Evaluate "
                "with intervals=0.9, or give classes a method interval(x)."
            )
        names = [name for name in self._known() if is_of_intervals(name)]
        found = self.measures(*names).loc[[name for name in self.learners if name in given]]
        known = ~np.isnan(self._table.true)
        counts = [int((known & ~np.isnan(given[name].low)).sum()) for name in found.index]
        found.insert(0, "intervals", counts)
        return found

    def plot(
        self,
        measures: str | Sequence[str] | None = None,
        window: int = 1000,
        points: int = 500,
        learners: Sequence[str] = (),
        *,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Axes | Panels:
        """Draw measures over a sliding window; see `Result.plot`.

        With prediction intervals these are by default the mean absolute error, the coverage, with a
        line at the nominal one, and the mean width.
        """
        table = self._table
        drawn = _WITH_INTERVALS if measures is None and table.intervals else measures
        found = super().plot(drawn, window, points, learners, ax=ax)
        if table.coverage is not None:
            from streameval.api.plots import mark_level

            mark_level(found, drawn, table.coverage)
        return found
