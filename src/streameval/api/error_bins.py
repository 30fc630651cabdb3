"""Errors of regressors by time until the target arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import checked
from streameval.api.bins import Delays, binning, is_by_age, with_times
from streameval.evaluation.number_measures import NumberTable
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import binned_values
from streameval.protocols.reevaluation import FIRST

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class ErrorBins(Delays):
    """The part of a result of regressors that is about bins of the time to the target."""

    numbers: NumberTable

    def bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
    ) -> pd.DataFrame:
        """Return measures by how long before its target is known a prediction is made.

        Bins are those of `Result.bins`, with targets for labels. Where several predictions are made
        in one, their mean counts, weighted by how long each is in force.

        Parameters
        ----------
        bins : int
            Number of bins B between the first and the last prediction.
        rule : {"paper", "published"}
            See `Result.bins`.
        learners : sequence of str
            Names of regressors; by default all.
        by : {"label", "age"}
            With ``"age"`` by the time since an instance has arrived, see `Result.bins`.

        Returns
        -------
        pandas.DataFrame
            A row per regressor and bin 0, ..., B + 1: learner, bin; mean_absolute_error, in the
            unit of the target, the ends of its 95 % interval (low, high) and of an interval that
            holds for all bins together (band_low, band_high); root_mean_squared_error; r_squared,
            NaN if all targets are equal; the skill over each baseline in the same bin, such as
            skill_over_previous_target, see `RegressionResult.skills`; predictions, the number of
            targets that have arrived; calculated, for how many of them a prediction is made in this
            bin; and missing, how many have no prediction in it, such as those of
            ``previous_target`` before the first target.

            By age, a row per regressor and age: learner; age; mean_absolute_error of the
            predictions in force at this age over the instances whose targets are still to come
            (at_risk), with low and high; the skill over each baseline at the same age; pending, how
            many more wait whose targets have not arrived at all; missing; gain, by how much the
            error is smaller than that of their own first predictions, with gain_low and gain_high;
            and overall, the error over all instances, with the last prediction from the target on.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> result.bins(1)[["learner", "bin", "mean_absolute_error"]].round(2).head(3)
           learner  bin  mean_absolute_error
        0  amrules    0                 1.45
        1  amrules    1                 1.33
        2  amrules    2                 1.30
        """
        from streameval.evaluation.bin_errors import MEASURED
        from streameval.evaluation.number_measures import SKILL

        bins, rule = binning(bins, rule)
        names = checked(learners, self.learners, "learner")
        if is_by_age(by):
            return with_times(self._ages(names, bins), self.stream)
        found, _ = self._binned(names, bins, rule)
        skills = [
            name for name in map(str, found) if name.startswith(SKILL) and name not in MEASURED
        ]
        return found.loc[found["learner"].isin(names), [*MEASURED, *skills]]

    def plot_bins(
        self,
        measures: str | Sequence[str] = "mean_absolute_error",
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
    ) -> Figure:
        """Draw measures by how long before its target is known a prediction is made.

        Below are the differences to the best other regressor, and which ones may have the smallest
        absolute error in a bin. Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str
            Those of `measures`, one panel for each.
        bins, rule, learners, by
            See `bins`. By age the mean absolute error is drawn, with the number at risk.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> result.plot_bins("r_squared").savefig("bins.svg")
        """
        from streameval.api.plots import draw_ages, draw_error_bins
        from streameval.evaluation.bin_errors import gains, skills_by_bin

        bins, rule = binning(bins, rule)
        names = checked(learners, self.learners, "learner")
        chosen = checked(measures, REGRESSION_MEASURES, "measure of predicted numbers")
        if is_by_age(by):
            return draw_ages(self._ages(names, bins), names, self.stream)
        found, errors = self._binned(names, bins, rule)
        frames = {
            "bins": found,
            "contrasts": gains({name: errors[name] for name in names}),
            "skills": skills_by_bin(errors),
        }
        return draw_error_bins(frames, chosen, names, self.stream)

    def on_arrival(self) -> NumberTable:
        """Return the first prediction of each instance whose target arrives, in their order.

        It is bin 0 of `bins`, with all numbers: its ``errors(learner)`` are the absolute errors.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> round(float(result.on_arrival().errors("amrules").mean()), 2)
        1.45
        """
        first = self._reevaluated().polls.which == FIRST
        return self.numbers.part(first & ~np.isnan(self.numbers.true))

    def _ages(self, names: Sequence[str], bins: int) -> pd.DataFrame:
        """Return errors by age, in the units of the stream's times."""
        from streameval.evaluation.error_ages import error_ages

        waiting, stream = self._reevaluated(), self.stream
        true, pending = stream.y[waiting.polls.scored], waiting.pending(stream)
        predicted = self.numbers.predicted
        return error_ages(waiting.polls, true, predicted, names, bins, stream.ticks, pending)

    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, NDArray[np.float64]]]:
        """Return measures by bin, and the absolute error of what counts, by instance and bin.

        Both are of these regressors and of the baselines.
        """
        import pandas as pd

        from streameval.evaluation.bin_errors import error_table, over_seeds, with_skills
        from streameval.evaluation.number_measures import baselines_of

        polls = self._reevaluated().polls
        true = self.stream.y[polls.scored]
        errors, parts = {}, []
        for name in dict.fromkeys([*names, *baselines_of(self.learners)]):
            found = binned_values(polls, self.numbers.predicted[name], bins, rule)
            errors[name] = np.abs(found.values - true[:, None])
            part = over_seeds([error_table(true, found)], errors[name])
            parts.append(part.assign(learner=name))
        return with_skills(pd.concat(parts, ignore_index=True), errors), errors
