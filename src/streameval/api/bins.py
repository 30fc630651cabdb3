"""Measures of classifiers and of regressors by time until the label or target arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import checked, one_of
from streameval.api.evaluated import Delays
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.protocols.reevaluation import FIRST
from streameval.streams.stream import Stream
from streameval.values import flag_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from streameval.evaluation.number_measures import NumberTable

#: The measures of bins; see `Result.bins`.
BINNED = (
    *("accuracy", "kappa", "kappa_temporal", "kappa_m"),
    *("kappa_temporal_delayed", "kappa_m_delayed"),
)
#: The number of bins that results show.
SHOWN_BINS = 8


class Bins(Delays):
    """The part of a result that is about bins of the time to the label."""

    _made: PredictionTable

    def bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        moa: bool = False,
        by: str = "label",
    ) -> pd.DataFrame:
        """Return measures of predictions by time until the label arrives, or by age.

        The time from each instance to its label is divided into bins of equal length. Bin 0 is the
        prediction on arrival, the last bin the one made just before the label is learnt. In between
        the prediction counts that is in force in the bin. Needs an evaluation with delayed labels.

        Parameters
        ----------
        bins : int
            Number of bins B between the first and the last prediction.
        rule : {"paper", "published"}
            Which prediction counts where some are made in a bin: by the paper of Grzenda et al.
            (2019) each as long as it is in force, by their program a single one for the whole bin.
            Their program takes a missing prediction for the first class, so it may be correct; by
            the paper's rule it is wrong.
        learners : sequence of str
            Names of learners; by default all.
        by : {"label", "age"}
            With ``"age"`` by the time since an instance has arrived, in at most so many round
            steps: unlike the length of a bin, this is known when predicting.
        moa : bool
            Whether to add kappa_temporal and kappa_m of MOA, as the program has them. They compare
            with the previous label and with the most frequent one, which has counted the label
            itself already, so Majority is below 0. Learners cannot use these labels.

        Returns
        -------
        pandas.DataFrame
            A row per learner and bin 0, ..., B + 1: learner, bin; accuracy, the ends of its 95 %
            interval (low, high) and of an interval that holds for all bins together (band_low,
            band_high), NaN where labels are worth fewer than 60 independent ones; kappa;
            kappa_temporal_delayed and kappa_m_delayed, which compare with No-Change and Majority
            under the same delay, in the same bin; predictions, the number of labels that have
            arrived; and calculated, for how many of them a prediction is made in this bin.

            By age, a row per learner and age: learner; age, a time where times are dates, else a
            number of their units, such as instances; accuracy of the predictions in force at this
            age over the instances whose labels are still to come (at_risk), with low and high;
            kappa_temporal_delayed and kappa_m_delayed at the same age; pending, how many more wait
            whose labels have not arrived at all; gain, by how much the accuracy differs from that
            of their own first predictions, with gain_low and gain_high; and overall, the accuracy
            over all instances, with the last prediction from the label on.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.bins(3)[["learner", "bin", "accuracy"]].head(5)
                  learner  bin  accuracy
        0  hoeffding_tree    0    0.8265
        1  hoeffding_tree    1    0.8300
        2  hoeffding_tree    2    0.8435
        3  hoeffding_tree    3    0.8525
        4  hoeffding_tree    4    0.8565
        """
        bins, rule, names = self._asked(bins, rule, learners)
        if is_by_age(by):
            return with_times(self._ages(names, bins), self.stream)
        found = self._frames(names, bins, rule)["bins"]
        return found if flag_of(moa, "moa") else found.drop(columns=["kappa_temporal", "kappa_m"])

    def plot_bins(
        self,
        measures: str | Sequence[str] = ("accuracy", "kappa_temporal_delayed"),
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
    ) -> Figure:
        """Draw measures of predictions by time until the label arrives, or by age.

        Below are the learners that may be the most accurate one in a bin. Needs the extra:
        ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str
            Columns of `bins`, one panel for each.
        bins, rule, learners, by
            See `bins`. By age the accuracy is drawn, with the number at risk.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.plot_bins("accuracy").savefig("bins.svg")
        """
        from streameval.api.plots import draw_ages, draw_bins

        bins, rule, names = self._asked(bins, rule, learners)
        chosen = checked(measures, BINNED, "measure of bins")
        if is_by_age(by):
            return draw_ages(self._ages(names, bins), names, self.stream)
        frames = self._frames(names, bins, rule, drawn=True)
        return draw_bins(frames, chosen, names, self.stream.name)

    def _ages(self, names: Sequence[str], bins: int) -> pd.DataFrame:
        """Return accuracies by age, in the units of the stream's times."""
        from streameval.evaluation.age_bins import age_bins

        waiting, stream, predicted = self._reevaluated(), self.stream, self._made.predicted
        true, pending = stream.y[waiting.polls.scored], waiting.pending(stream)
        return age_bins(waiting.polls, true, predicted, names, bins, stream.ticks, pending)

    def _frames(
        self, names: Sequence[str], bins: int, rule: str, *, drawn: bool = False
    ) -> dict[str, pd.DataFrame]:
        """Return the frames of the study ``binned_measures``: ``bins``, and all drawn frames."""
        from streameval.evaluation.bin_measures import bin_measures, contrasts, correct_in, stages
        from streameval.evaluation.reevaluated import silent
        from streameval.protocols.bins import binned_labels

        waiting, found = self._reevaluated(), {}
        for name in dict.fromkeys([*names, *COMPARATORS]):
            # A name that is not among the learners is the id of a baseline.
            known = waiting.learners.get(name)
            votes = silent(name if known is None else known.name)
            labels = self._made.predicted[name]
            found[name] = binned_labels(waiting.polls, labels, bins, rule, silent=votes)
        true = self.stream.y[waiting.polls.scored]
        correct = {name: correct_in(found[name], true) for name in names}
        frames = {"bins": bin_measures(true, found, correct, self.stream.n_classes)}
        if drawn:
            frames |= {"contrasts": contrasts(correct), "stages": stages(correct, (), 1)}
        return frames


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
        """Return measures of predictions by time until the target arrives.

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
            bin; missing, how many have no prediction in it, such as those of ``previous_target``
            before the first target; and the ends of the 95 % interval of each skill, such as
            skill_over_previous_target_low and skill_over_previous_target_high.

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
        from streameval.evaluation.bin_errors import MEASURED, with_skill_ends
        from streameval.evaluation.number_measures import SKILL

        bins, rule, names = self._asked(bins, rule, learners)
        if is_by_age(by):
            return with_times(self._ages(names, bins), self.stream)
        found, errors = self._binned(names, bins, rule)
        found = with_skill_ends(found[found["learner"].isin(names)], errors)
        skills = [
            name for name in map(str, found) if name.startswith(SKILL) and name not in MEASURED
        ]
        return found[[*MEASURED, *skills]]

    def plot_bins(
        self,
        measures: str | Sequence[str] = "mean_absolute_error",
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
    ) -> Figure:
        """Draw measures of predictions by time until the target arrives.

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
        from streameval.measures.regression import REGRESSION_MEASURES

        bins, rule, names = self._asked(bins, rule, learners)
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
        from streameval.evaluation.bin_errors import error_ages

        waiting, stream = self._reevaluated(), self.stream
        true, pending = stream.y[waiting.polls.scored], waiting.pending(stream)
        predicted = self.numbers.predicted
        return error_ages(waiting.polls, true, predicted, names, bins, stream.ticks, pending)

    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, NDArray[np.float64]]]:
        """Return measures by bin, and the absolute errors that count, by instance and bin.

        Both are of these regressors and of the baselines.
        """
        import pandas as pd

        from streameval.evaluation.bin_errors import error_table, over_seeds, with_skills
        from streameval.evaluation.number_measures import baselines_of
        from streameval.protocols.bins import binned_values

        polls = self._reevaluated().polls
        true = self.stream.y[polls.scored]
        errors, parts = {}, []
        for name in dict.fromkeys([*names, *baselines_of(self.learners)]):
            found = binned_values(polls, self.numbers.predicted[name], bins, rule)
            errors[name] = np.abs(found.values - true[:, None])
            part = over_seeds([error_table(true, found)], errors[name])
            parts.append(part.assign(learner=name))
        return with_skills(pd.concat(parts, ignore_index=True), errors), errors


def is_by_age(by: str) -> bool:
    """Return whether bins are by age, which is checked."""
    return one_of(by, ("label", "age"), "kind of bins") == "age"


def with_times(ages: pd.DataFrame, stream: Stream) -> pd.DataFrame:
    """Return measures by age with ages as lengths of time, where times are dates."""
    import pandas as pd

    if not stream.ticks:
        return ages
    return ages.assign(age=pd.to_timedelta(ages["age"] / stream.ticks, unit="s"))
