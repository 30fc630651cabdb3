"""The result of an evaluation of regressors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import one_of
from streameval.api.result_view import Gap
from streameval.api.with_intervals import WithIntervals
from streameval.base.arrays import Floats
from streameval.evaluation.measuring import Measured
from streameval.evaluation.number_measures import (
    SKILL,
    NumberTable,
    baselines_of,
    called,
    error_differences,
    measured,
    measures_of,
    skill,
    skills,
    windowed,
)
from streameval.evaluation.task import NUMBERS
from streameval.learners.regression.baselines import PreviousTarget, TargetMean
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.reevaluation import FIRST
from streameval.significance.series import by_runs
from streameval.significance.stream_mean import StreamMean, stream_mean, without_ends
from streameval.values import signed_text

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.age_bins import AtAges


class RegressionResult(WithIntervals):
    """Predictions of regressors on a stream, as `evaluate` and `evaluate_regressors` return them.

    Attributes
    ----------
    stream : Stream
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        The names of the regressors, the baselines ``previous_target`` and ``target_mean`` included.
    numbers : NumberTable
        True and predicted targets; its ``errors(learner)`` are the absolute errors in order.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
    >>> result.measures("mean_absolute_error", "skill_over_previous_target").round(4)
                     mean_absolute_error  skill_over_previous_target
    learner
    amrules                       1.2986                      0.7394
    previous_target               4.9799                      0.0000
    target_mean                   3.6118                      0.2746
    """

    _TASK, _COMPARED_BY = NUMBERS, "mean_absolute_error"
    _SHOWN_BY_BIN = "mean_absolute_error"
    _DRAWN = (_SHOWN_BY_BIN, SKILL + PreviousTarget.name)
    _DRAWN_BY_BIN = (_SHOWN_BY_BIN,)
    _BY_BIN = tuple(REGRESSION_MEASURES)
    _OVER_BINS = (*_BY_BIN, SKILL + PreviousTarget.name, SKILL + TargetMean.name)
    _IN_NOTEBOOKS = tuple(REGRESSION_MEASURES)
    _NOTE = (
        "Over the baselines: skill, one less the ratio of the mean absolute errors, with 95 % "
        "intervals. The measures have none of their own."
    )

    @property
    def numbers(self) -> NumberTable:
        """True and predicted targets."""
        return self._made

    @cached_property
    def _table(self) -> NumberTable:
        """Return what is measured: under delays the first prediction of each instance."""
        return self.numbers if self._waiting is None else self.on_arrival()

    def _known(self) -> Mapping[str, Any]:
        return measures_of(self.learners, self._table.intervals)

    def _measured(self, names: Sequence[str]) -> list[Measured]:
        return measured(self._table, self.learners, names)

    def _windowed(
        self, learners: Sequence[str], measures: Sequence[str], window: int, points: int
    ) -> pd.DataFrame:
        return windowed(self._table, learners, measures, window, points)

    def missing(self, learner: str) -> int:
        """Return the number of instances that a regressor did not predict, on arrival.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.missing("previous_target")
        1
        """
        name = one_of(learner, self.learners, "learner")
        return self._table.missing(name)

    def level(self, learner: str) -> StreamMean:
        """Return the mean absolute error of a regressor in this run, with its interval.

        Under delayed targets it is about the predictions on arrival; see `Result.level`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> round(result.level("amrules").mean, 2)
        1.3
        """
        errors = self._table.errors(one_of(learner, self.learners, "learner"))
        known = errors[~np.isnan(errors)]
        found = stream_mean(known, tested=False, behind=by_runs(known))
        return without_ends(found, self._table.no_interval)

    def skills(self) -> pd.DataFrame:
        """Compare the mean absolute error of each regressor with that of each baseline.

        Under delayed targets it is about the predictions on arrival, as `differences` is.

        Returns
        -------
        pandas.DataFrame
            Columns learner, baseline, skill (one less the ratio of the mean absolute errors: 1 is
            perfect, 0 as good as the baseline, less is worse), the ends low and high of its 95 %
            interval, and reason: why there is no interval, or no skill. The interval respects that
            errors of neighbours depend on each other. It holds 0 if, and only if, that of
            `differences` does, where there are both.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=5000), "amrules")
        >>> result.skills().drop(columns="reason").round(2).head(2)
           learner         baseline  skill   low  high
        0  amrules  previous_target   0.78  0.74  0.82
        1  amrules      target_mean   0.69  0.64  0.75
        """
        return skills(self._table, self.learners)

    def _baselines(self) -> Sequence[str]:
        return baselines_of(self.learners)

    def _gaps(self) -> Mapping[str, Mapping[str, Gap]]:
        gaps: dict[str, dict[str, Gap]] = {}
        for base in self._baselines():
            of_base = gaps.setdefault(f"over {called(base)}", {})
            for name in self.learners:
                if name != base:
                    one = skill(self._table, name, base)
                    value, low, high = (signed_text(end, "+z.2f") for end in one[:3])
                    text = value if np.isnan(one.low) else f"{value} [{low}, {high}]"
                    of_base[name] = Gap(one.value, one.low, one.high, text, one.reason)
        return gaps

    def differences(self, other: str = PreviousTarget.name) -> pd.DataFrame:
        """Compare the mean absolute error of each regressor with that of `other`.

        Under delayed targets it is about the predictions on arrival, bin 0 of `bins`.

        Parameters
        ----------
        other : str
            The regressor that the others are compared with.

        Returns
        -------
        pandas.DataFrame
            By regressor: difference (by how much its mean absolute error is lower than that of the
            other: positive where it is better), the ends low and high of its 95 % interval,
            instances, and reason: why there is no interval. The interval respects that errors of
            neighbours depend on each other; see
            `streameval.significance.stream_mean.stream_mean`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=5000), "amrules")
        >>> result.differences("target_mean").drop(columns="reason").round(2)
                         difference   low  high  instances
        learner
        amrules                2.49  2.30  2.67       5000
        previous_target       -1.41 -1.52 -1.30       4999
        """
        other = one_of(other, self.learners, "learner")
        pairs = [(name, other) for name in self.learners if name != other]
        return error_differences(self._table, pairs).drop(columns="other").set_index("learner")

    @property
    def predictions(self) -> pd.DataFrame:
        """Predicted and true targets.

        A row per prediction, in the order in which they were made: the row of the stream that it is
        for, the true target, and the prediction of each regressor, NaN where there is none. Where
        there are prediction intervals, their ends are in ``LEARNER_low`` and ``LEARNER_high``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.predictions.tail(2).round(2)
               row  true  amrules  previous_target  target_mean
        1998  1998  5.15     3.14             3.84        -0.04
        1999  1999  5.78     5.53             5.15        -0.04
        """
        import pandas as pd

        table = self.numbers
        ends = {
            f"{name}_{end}": getattr(one, end)
            for name, one in table.intervals.items()
            for end in ("low", "high")
        }
        return pd.DataFrame({"row": table.row, "true": table.true, **table.predicted, **ends})

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
        0  amrules    0                 1.32
        1  amrules    1                 1.19
        2  amrules    2                 1.14
        """
        from streameval.evaluation.bin_errors import MEASURED, with_skill_ends
        from streameval.evaluation.number_measures import SKILL

        bins, rule, names = self._asked(bins, rule, learners)
        ages = self._ages(names, bins, by)
        if ages is not None:
            return self._with_times(ages)
        found, errors = self._binned(names, bins, rule)
        found = with_skill_ends(found[found["learner"].isin(names)], errors)
        skills = [
            name for name in map(str, found) if name.startswith(SKILL) and name not in MEASURED
        ]
        return found[[*MEASURED, *skills]]

    def _by_age(self, ages: AtAges, true: NDArray[Any], names: Sequence[str]) -> pd.DataFrame:
        from streameval.evaluation.bin_errors import error_ages

        return error_ages(ages, true, self.numbers.predicted, names)

    def _drawn_frames(self, names: Sequence[str], bins: int, rule: str) -> dict[str, pd.DataFrame]:
        from streameval.evaluation.bin_errors import gains, skills_by_bin

        found, errors = self._binned(names, bins, rule)
        contrasts = gains({name: errors[name] for name in names})
        return {"bins": found, "contrasts": contrasts, "skills": skills_by_bin(errors)}

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
        1.32
        """
        first = self._reevaluated().polls.which == FIRST
        return self.numbers.part(first & ~np.isnan(self.numbers.true))

    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, Floats]]:
        """Return measures by bin, and the absolute errors that count, by instance and bin.

        Both are of these regressors and of the baselines.
        """
        import pandas as pd

        from streameval.evaluation.bin_errors import error_table, over_seeds, with_skills

        (waiting, made), errors, parts = self._by_rule(rule), {}, []
        true = self.stream.y[waiting.polls.scored]
        wanted = [*names, *baselines_of(self.learners)]
        for name, found in waiting.in_bins(made.predicted, wanted, (bins, rule)):
            errors[name] = np.abs(found.values - true[:, None])
            part = over_seeds([error_table(true, found)], errors[name])
            parts.append(part.assign(learner=name))
        return with_skills(pd.concat(parts, ignore_index=True), errors), errors
