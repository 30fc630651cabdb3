"""Common part of the results of classifiers and of regressors, delayed labels included."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from numpy.typing import NDArray

from streameval.api.arguments import checked, one_of
from streameval.api.asked import Asked, Reportable
from streameval.api.delays import Waiting
from streameval.base.arrays import Flags
from streameval.errors import ConfigError
from streameval.evaluation.measuring import Measured
from streameval.evaluation.running import Cost
from streameval.evaluation.task import Task
from streameval.evaluation.tuned import Tuned, rest_of
from streameval.evaluation.verdict_words import region_of
from streameval.streams.stream import Stream
from streameval.values import defined, whole

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.age_bins import AtAges
    from streameval.evaluation.number_measures import NumberTable
    from streameval.evaluation.predictions import PredictionTable
    from streameval.significance.stream_mean import StreamMean

#: All predictions of an evaluation.
T = TypeVar("T", bound="PredictionTable | NumberTable")


@dataclass(frozen=True)
class Made(Generic[T]):
    """Predictions, what they are for under delays, and how many come before the first label."""

    table: T
    waiting: Waiting | None = None
    before_first_label: int = 0

    def of(self, rows: Flags) -> Made[T]:
        """Return the predictions for some instances, given as a mask of the stream's rows."""
        waiting = None if self.waiting is None else self.waiting.of(rows)
        table: Any = self.table
        return replace(self, table=table.part(rows[table.row]), waiting=waiting)


class Evaluated(Reportable, ABC, Generic[T]):
    """Predictions of learners on a stream: their costs, measures and bins."""

    def __init__(
        self,
        stream: Stream,
        protocol: str,
        made: Made[T],
        published: Made[T],
        costs: Sequence[Cost],
        asked: Asked | None = None,
        *,
        tuned: Mapping[str, Tuned] | None = None,
        pretrain: int = 0,
    ) -> None:
        self.stream, self.protocol, self.learners = stream, protocol, list(made.table.predicted)
        self._made, self._waiting, self._published = made.table, made.waiting, published
        self._costs, self.asked = costs, asked
        #: How many instances come before the first label, when nobody knows anything.
        self.before_first_label = made.before_first_label
        #: How learners were tuned, and how many first instances are therefore not scored.
        self.tuned, self.pretrain = dict(tuned or {}), pretrain

    #: What learners are compared with baselines by, and the name of its measure.
    _TASK: ClassVar[Task]
    _COMPARED_BY: ClassVar[str]

    @property
    @abstractmethod
    def _table(self) -> T:
        """Return what is measured: one prediction of each label, under delays the first."""

    @abstractmethod
    def level(self, learner: str) -> StreamMean:
        """Return the accuracy or mean absolute error of a learner, with its interval."""

    def _behind(self, first: int) -> Self:
        """Return a copy whose measures and levels leave out the first so many instances."""
        part = copy(self)
        part.__dict__["_table"] = self._table.part(rest_of(self.stream, first)[self._table.row])
        return part

    @abstractmethod
    def _baselines(self) -> Sequence[str]:
        """Return the names of the baselines."""

    @abstractmethod
    def _known(self) -> Mapping[str, Any]:
        """Return the measures that the result has, by name."""

    @abstractmethod
    def _measured(self, names: Sequence[str]) -> list[Measured]:
        """Return measures by learner, then by measure."""

    @abstractmethod
    def _windowed(
        self, learners: Sequence[str], measures: Sequence[str], window: int, points: int
    ) -> pd.DataFrame:
        """Return measures over a sliding window: columns instance, learner, measure, value."""

    @abstractmethod
    def _by_age(self, ages: AtAges, true: NDArray[Any], names: Sequence[str]) -> pd.DataFrame:
        """Return measures by age, in the units of the stream's times."""

    @abstractmethod
    def bins(self, bins: int = 50) -> pd.DataFrame:
        """Return measures by bin."""

    def measures(self, *names: str) -> pd.DataFrame:
        """Return measures of the predictions.

        Under delayed labels they are over the predictions on arrival, bin 0 of `bins`: instances
        that wait for long are predicted most often, and would count as often.

        Parameters
        ----------
        *names : str
            Measures, such as ``"kappa_temporal"``. Of regressors ``mean_absolute_error`` and
            ``root_mean_squared_error``, in the unit of the target, ``r_squared``, and skills:
            ``skill_over_previous_target``, ``skill_over_target_mean`` and, with ``seasonal=24``,
            ``skill_over_seasonal:24``. By default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner, a column per measure; NaN where one is undefined, see `reasons`.
            Instances that a regressor does not predict are left out; a skill is about those that
            the baseline predicts, too.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.measures("mcc", "macro_f1").round(2)
                         mcc  macro_f1
        learner
        hoeffding_tree  0.68      0.84
        no_change      -0.01      0.50
        majority       -0.02      0.39
        >>> se.evaluate(se.generate("planes", rows=2000), "amrules").measures("r_squared").round(2)
                         r_squared
        learner
        amrules               0.81
        previous_target      -0.99
        target_mean          -0.00
        """
        return self._wide("value", names)

    def reasons(self, *names: str) -> pd.DataFrame:
        """Return why measures are undefined.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        pandas.DataFrame
            As `measures`; "" where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.from_arrays([[1.5], [2.5], [1.0]], ["no", "yes", "no"])
        >>> result = se.evaluate(stream, "majority")
        >>> result.reasons("mcc").loc["majority", "mcc"]
        'all predictions are the same'
        """
        return self._wide("reason", names)

    def _wide(self, column: str, names: Sequence[str]) -> pd.DataFrame:
        import pandas as pd  # 0.4 s, as below, which a command that prints numbers does without

        wanted = checked(names, self._known(), "measure")
        tidy = pd.DataFrame(self._measured(wanted), columns=Measured._fields)
        wide = tidy.pivot(index="learner", columns="measure", values=column)  # noqa: PD010
        return wide.loc[self.learners, wanted].rename_axis(columns=None)

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return `measures` and costs as plain numbers, as for JSON.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        dict of str to dict
            By learner: the measures, None where undefined, see `reasons`; and ``instances``,
            ``seconds`` and ``model_bytes``, None where not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.to_dict("accuracy")["hoeffding_tree"]["accuracy"]
        0.8565
        """
        found: dict[str, dict[str, float | int | None]] = {}
        for learner, name, value, _ in self._measured(checked(names, self._known(), "measure")):
            found.setdefault(learner, {})[name] = defined(value)
        for cost in self._costs:
            found[cost.learner] |= cost.as_dict()
        return found

    @cached_property
    def costs(self) -> pd.DataFrame:
        """Time and memory of the learners.

        A row per learner: instances, seconds (CPU, without compilation) and model_bytes, the size
        of the model at the end. NaN is not known. Where learners are retrained there is also fits,
        how often, and with a label budget (the protocol ``partial``) labels, how many were learnt.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.costs.columns.to_list()
        ['instances', 'seconds', 'model_bytes']
        """
        import pandas as pd

        known = pd.DataFrame(self._costs, columns=Cost._fields).set_index("learner")
        unused = [name for name in ("labels", "fits") if known[name].isna().all()]
        known = known.drop(columns=unused)
        return known.assign(model_bytes=known["model_bytes"].where(known["model_bytes"] > 0))

    def curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Return a measure over a sliding window.

        Parameters
        ----------
        measure : str
            Its name: one of `measures`.
        window : int
            Length of the window in predictions.
        points : int
            At most that many positions, evenly spaced from the first full window to the end.
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per position, whose index is the number of predictions made; a column per learner;
            NaN where the measure is undefined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.curve("accuracy", window=500, points=4)
                  hoeffding_tree  no_change  majority
        instance
        500                0.806      0.560     0.648
        1000               0.878      0.534     0.652
        1500               0.846      0.500     0.618
        2000               0.896      0.550     0.636
        """
        wanted, names = [one_of(measure, self._known(), "measure")], self._named(learners)
        tidy = self._windowed(names, wanted, whole(window, "window"), whole(points, "points"))
        wide = tidy.pivot(index="instance", columns="learner", values="value")  # noqa: PD010
        return wide[names].rename_axis(columns=None)

    @cached_property
    def rope(self) -> float:
        """Region of practical equivalence: differences up to this are practically none.

        2 % of the error of the better baseline, as for `compare`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> round(result.rope, 4)
        0.0072
        """
        values = self._measured([self._COMPARED_BY])
        of = {one.learner: one.value for one in values if one.learner in self._baselines()}
        return region_of(of, self._TASK).rope

    def _named(self, learners: Sequence[str]) -> list[str]:
        return checked(learners, self.learners, "learner")

    @property
    def delays(self) -> dict[str, int] | None:
        """Numbers of delayed labels; None if the labels of this evaluation are not delayed.

        ``every``: the number of labels between two predictions of an instance; ``labels``: how many
        have arrived; ``pending``: how many have not; ``delay``: the median number of instances that
        arrive between an instance and its label; where times are dates ``seconds``: the median
        time between them; and ``before_first_label``: how many instances come before the first
        label, which are not scored.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.delays
        {'every': 10, 'labels': 2000, 'pending': 0, 'delay': 100, 'before_first_label': 101}
        """
        waiting = self._published.waiting
        if waiting is None:
            return None
        return {**waiting.numbers(self.stream), "before_first_label": self.before_first_label}

    def _reevaluated(self) -> Waiting:
        if self._waiting is None:
            raise ConfigError(
                f"Bins: expected an evaluation with delayed labels, found {self.protocol}. "
                "Evaluate with delay=N, or a stream that was read with time and label_time."
            )
        return self._waiting

    def _by_rule(self, rule: str) -> tuple[Waiting, T]:
        """Return what counts in bins: the published program scores before the first label, too."""
        from streameval.protocols.bins import PAPER

        waiting = self._reevaluated()
        if rule == PAPER or self._published.waiting is None:
            return waiting, self._made
        return self._published.waiting, self._published.table

    def _asked(self, bins: int, rule: str, learners: Sequence[str]) -> tuple[int, str, list[str]]:
        """Return the number of bins, the rule and the learners, all checked."""
        from streameval.protocols.bins import RULES

        names = self._named(learners)
        return whole(bins, "bins", least=0), one_of(rule, RULES, "rule"), names

    def _ages(self, names: Sequence[str], bins: int, by: str) -> pd.DataFrame | None:
        """Return measures by age, in the units of the stream's times; None if bins are by label."""
        if one_of(by, ("label", "age"), "kind of bins") == "label":
            return None
        from streameval.evaluation.age_bins import at_ages

        waiting, ticks = self._reevaluated(), self.stream.ticks
        ages = at_ages(waiting.polls, bins, ticks, waiting.pending(self.stream))
        return self._by_age(ages, self.stream.y[waiting.polls.scored], names)

    def _with_times(self, ages: pd.DataFrame) -> pd.DataFrame:
        """Return measures by age with ages as lengths of time, where times are dates."""
        import pandas as pd

        ticks = self.stream.ticks
        return ages.assign(age=pd.to_timedelta(ages["age"] / ticks, unit="s")) if ticks else ages
