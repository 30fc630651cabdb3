"""Running regressors over a stream with a numeric target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import checked, one_of
from streameval.api.bins import SHOWN_BINS, Waiting
from streameval.api.checks import check_seed, check_stream
from streameval.api.delays import check_label_times, in_instances, protocol_for
from streameval.api.error_bins import ErrorBins
from streameval.api.evaluated import Evaluated
from streameval.api.learners import Learners, regressors
from streameval.api.progress import bar
from streameval.errors import ConfigError
from streameval.evaluation.number_measures import (
    SKILL,
    NumberTable,
    check_one_fold,
    error_differences,
    measure,
    measures_of,
    run_regressors,
    skills,
    why_undefined,
    windowed,
)
from streameval.evaluation.running import Cost
from streameval.learners.regression.baselines import PreviousTarget
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import Reevaluation
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd


class RegressionResult(Evaluated, ErrorBins):
    """What regressors predicted on a stream; `evaluate` and `evaluate_regressors` return it.

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

    _DRAWN = ("mean_absolute_error", SKILL + PreviousTarget.name)

    def __init__(
        self,
        stream: Stream,
        protocol: str,
        table: NumberTable,
        costs: Sequence[Cost],
        waiting: Waiting | None = None,
    ) -> None:
        self.stream, self.protocol, self.numbers, self._costs = stream, protocol, table, costs
        self.learners, self._waiting = list(table.predicted), waiting
        # What is measured: under delays the first prediction of each instance.
        self._table = table if waiting is None else self.on_arrival()

    def _shown(self) -> pd.DataFrame:
        """Return the measures, or where labels are delayed the mean absolute error by bin."""
        if self._waiting is None:
            return self.measures()
        tidy = self.bins(SHOWN_BINS).rename(columns={"bin": "mean absolute error in bin"})
        wide = tidy.pivot(  # noqa: PD010
            index="learner", columns="mean absolute error in bin", values="mean_absolute_error"
        )
        return wide.loc[self.learners]

    def _known(self) -> Mapping[str, Any]:
        return measures_of(self.learners)

    def _predictions(self) -> int:
        return len(self.numbers)

    def _windowed(
        self, learners: Sequence[str], measures: Sequence[str], window: int, points: int
    ) -> pd.DataFrame:
        return windowed(self._table, learners, measures, window, points)

    def measures(self, *names: str) -> pd.DataFrame:
        """Return measures of the predictions, under delayed targets of those on arrival.

        Parameters
        ----------
        *names : str
            ``mean_absolute_error`` and ``root_mean_squared_error``, in the unit of the target,
            ``r_squared``, and ``skill_over_previous_target``, ``skill_over_target_mean`` and, with
            ``seasonal=24``, ``skill_over_seasonal:24``; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per regressor, a column per measure; NaN where one is undefined, see `reasons`.
            Instances that a regressor does not predict are left out, see `missing`; a skill is
            about those that the baseline predicts, too.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.measures("r_squared").round(2)
                         r_squared
        learner
        amrules               0.81
        previous_target      -0.99
        target_mean          -0.00
        """
        import pandas as pd

        found = self._measured(names)
        return pd.DataFrame.from_dict(found, orient="index").rename_axis("learner")

    def _measured(self, names: Sequence[str]) -> dict[str, dict[str, float]]:
        wanted = checked(names, self._known(), "measure of predicted numbers")
        return {
            learner: {name: measure(self._table, learner, name) for name in wanted}
            for learner in self.learners
        }

    def reasons(self, *names: str) -> pd.DataFrame:
        """Return why measures are undefined.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        pandas.DataFrame
            As `measures`; an empty text where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=1), "amrules")
        >>> result.reasons("r_squared").loc["amrules", "r_squared"]
        'all targets are equal, or too large to be squared'
        """
        import pandas as pd

        found = {
            learner: {
                name: why_undefined(name) if math.isnan(x) else "" for name, x in values.items()
            }
            for learner, values in self._measured(names).items()
        }
        return pd.DataFrame.from_dict(found, orient="index").rename_axis("learner")

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

    def differences(self, other: str = PreviousTarget.name) -> pd.DataFrame:
        """Compare the mean absolute error of each regressor with that of one of them.

        Under delayed targets it is about the predictions on arrival, bin 0 of `bins`.

        Parameters
        ----------
        other : str
            The regressor that the others are compared with.

        Returns
        -------
        pandas.DataFrame
            By regressor: difference (its mean absolute error less that of the other: negative where
            it is better), the ends low and high of its 95 % interval, instances, and reason: why
            there is no interval. The interval respects that errors of neighbours depend on each
            other; see `streameval.significance.stream_mean.stream_mean`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=5000), "amrules")
        >>> result.differences("target_mean").drop(columns="reason").round(2)
                         difference   low  high  instances
        learner
        amrules               -2.49 -2.67 -2.30       5000
        previous_target        1.41  1.30  1.52       4999
        """
        other = one_of(other, self.learners, "learner")
        pairs = [(name, other) for name in self.learners if name != other]
        return error_differences(self._table, pairs).drop(columns="other").set_index("learner")

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return `measures` and costs as plain numbers, as for JSON.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        dict of str to dict
            By regressor: the measures, None where undefined; and ``instances``, ``seconds`` and
            ``model_bytes``, None where not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> round(result.to_dict()["amrules"]["r_squared"], 2)
        0.81
        """
        found: dict[str, dict[str, float | int | None]] = {
            learner: {name: x if math.isfinite(x) else None for name, x in values.items()}
            for learner, values in self._measured(names).items()
        }
        for cost in self._costs:
            found[cost.learner] |= cost.as_dict()
        return found

    @property
    def predictions(self) -> pd.DataFrame:
        """Predicted and true targets.

        A row per prediction, in the order in which they were made: the row of the stream that it is
        for, the true target, and the prediction of each regressor, NaN where there is none.

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
        return pd.DataFrame({"row": table.row, "true": table.true, **table.predicted})


def evaluate_regressors(
    stream: Stream,
    learners: Learners,
    protocol: str | Mapping[str, Any] | Protocol | None = None,
    *,
    delay: int | str | None = None,
    every: int | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seasonal: int | Sequence[int] = (),
    seed: int = 1,
    progress: bool | None = None,
) -> RegressionResult:
    """Run regressors over a stream with a numeric target and keep their predictions.

    The baselines ``previous_target``, which predicts the latest target that is known, and
    ``target_mean``, the mean of the targets so far, are run along.

    Parameters
    ----------
    stream : Stream
        A stream with a numeric target, such as ``load("bike")``, or what `read`, `from_pandas` or
        `from_arrays` returned with ``numeric_target=True``.
    learners : object, or a list or mapping of such
        As for `evaluate`: ids of regressors that ``streameval learners`` lists,
        ``"seasonal:24"``, ``"module:Class"``, what `learner` returned, regressors of River and of
        scikit-learn, classes and objects with ``learn(x, y, w)`` and ``predict(x)``, which get and
        return numbers.
    protocol : str, mapping or Protocol, optional
        As for `evaluate`, but without folds.
    delay, every, label_first, ignore_label_times
        As for `evaluate`: where labels are delayed, see `RegressionResult.bins`.
    seasonal : int or sequence of int
        The number of instances in a season, such as 24 for hours: the target one season before,
        ``seasonal:24``, is run along as a further baseline.
    seed : int
        Seed of randomised regressors.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    RegressionResult
        Predictions, measures and costs.

    Raises
    ------
    StreamevalError
        If a regressor or the protocol is unknown or wrong, or the target is nominal.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("planes", rows=2000)
    >>> tree = se.learner("fimt_dd", grace_period=100)
    >>> result = se.evaluate_regressors(stream, [tree, "amrules"])
    >>> result.measures("mean_absolute_error", "r_squared").round(2)
                               mean_absolute_error  r_squared
    learner
    fimt_dd(grace_period=100)                 4.43      -0.81
    amrules                                   1.30       0.81
    previous_target                           4.98      -0.99
    target_mean                               3.61      -0.00
    """
    check_stream(stream)
    check_seed(seed)
    made = regressors(learners, _seasons(seasonal))
    stream, parsed = protocol_for(stream, protocol, delay, every, label_first, ignore_label_times)
    check_one_fold(parsed)
    check_label_times(stream, parsed, ignore_label_times)
    waiting, scored = None, None
    tape: Tape
    if isinstance(parsed, Reevaluation):
        tape, polls = parsed.polls(stream)
        scored = polls.scored
        waiting = Waiting(parsed, polls, delay=in_instances(delay))
    else:
        (tape,) = parsed.tapes(stream)
    with bar(progress, lambda: len(made) * len(tape), made.values(), len(stream)) as update:
        table, costs = run_regressors(stream, tape, made, int(seed), scored=scored, progress=update)
    return RegressionResult(stream, str(parsed), table, costs, waiting)


def _seasons(given: Any) -> list[int]:
    """Return the periods of seasonal baselines."""
    several = [given] if isinstance(given, int) else given
    if not isinstance(several, list | tuple) or any(
        isinstance(one, bool) or not isinstance(one, int) for one in several
    ):
        raise ConfigError(
            f"seasonal: expected a number of instances, or several, found {given!r}. For hours, 24 "
            "is the same hour of the day before."
        )
    return list(dict.fromkeys(several))
