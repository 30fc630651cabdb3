"""Common parts of the results of classifiers and of regressors, delayed labels among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import checked, one_of, whole
from streameval.api.delays import median_wait
from streameval.errors import ConfigError, excerpt, some
from streameval.evaluation.running import Cost
from streameval.protocols.prequential import typical_delay
from streameval.protocols.reevaluation import FIRST, PredictionEvents, Reevaluation
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from streameval.learners.learner import Learner


class Evaluated:
    """The part of a result that is about its text, costs, and measures over time."""

    stream: Stream
    protocol: str
    learners: list[str]
    _costs: Sequence[Cost]

    #: The measures that are drawn where none are named.
    _DRAWN: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self._shown().round(4).to_string()}"

    def _repr_html_(self) -> str:
        """Return a table, for notebooks."""
        table = self._shown().to_html(float_format="{:.4f}".format, na_rep="undefined")
        return f"<p>{escape(self._summary())}</p>{table}"

    def _shown(self) -> pd.DataFrame:
        """Return the table that shows a result."""
        raise NotImplementedError

    def _known(self) -> Mapping[str, Any]:
        """Return the measures that the result has, by name."""
        raise NotImplementedError

    def _windowed(
        self, learners: Sequence[str], measures: Sequence[str], window: int, points: int
    ) -> pd.DataFrame:
        """Return measures over a sliding window: columns instance, learner, measure, value."""
        raise NotImplementedError

    def _predictions(self) -> int:
        """Return the number of predictions of a learner."""
        raise NotImplementedError

    def _summary(self) -> str:
        about = f"{some(self.learners)} on {excerpt(self.stream.name)!r}, {self.protocol}"
        missing = self.stream.unlabelled
        without = f", {missing:,} label{'s' * (missing > 1)} not arrived" if missing else ""
        return f"<{type(self).__name__}: {about}, {self._predictions():,} predictions{without}>"

    @cached_property
    def costs(self) -> pd.DataFrame:
        """Time and memory of the learners.

        A row per learner: instances, seconds (CPU, without compilation) and model_bytes, the size
        of the model at the end. NaN is not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.costs.columns.to_list()
        ['instances', 'seconds', 'model_bytes']
        """
        import pandas as pd  # 0.4 s, as below, which a command that prints numbers does without

        known = pd.DataFrame(self._costs, columns=Cost._fields).set_index("learner")
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
        tidy = self._curves([one_of(measure, self._known(), "measure")], window, points, learners)
        wide = tidy.pivot(index="instance", columns="learner", values="value")  # noqa: PD010
        return wide[checked(learners, self.learners, "learner")].rename_axis(columns=None)

    def _curves(
        self, measures: Sequence[str], window: int, points: int, learners: Sequence[str]
    ) -> pd.DataFrame:
        window, points = whole(window, "window"), whole(points, "points")
        names = checked(learners, self.learners, "learner")
        return self._windowed(names, checked(measures, self._known(), "measure"), window, points)

    def plot(
        self,
        measures: str | Sequence[str] | None = None,
        window: int = 1000,
        points: int = 500,
        learners: Sequence[str] = (),
    ) -> Figure:
        """Draw measures over a sliding window.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            One panel for each; by default accuracy and κ_t, or the mean absolute error and the
            skill over the previous target.
        window, points, learners
            See `curve`.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.plot("kappa_m", window=500).savefig("kappa_m.svg")
        """
        from streameval.api.plots import draw_curves

        given = self._DRAWN if measures is None else measures
        if isinstance(given, list | tuple) and not given:
            raise ConfigError("measures: expected one or more, found none.")
        wanted = checked(given, self._known(), "measure")
        found = self._curves(wanted, window, points, learners)
        names = checked(learners, self.learners, "learner")
        return draw_curves(found, wanted, names, self.stream.name, self._known())


@dataclass(frozen=True)
class Waiting:
    """The predictions of a re-evaluation: their instances, and the learners.

    Parameters
    ----------
    protocol : Reevaluation
        The protocol.
    polls : PredictionEvents
        What the predictions are for.
    learners : mapping of str to Learner
        The classifiers by name, without baselines that are run along.
    delay : int, optional
        The delay that was asked for, the same for all labels.
    """

    protocol: Reevaluation
    polls: PredictionEvents
    learners: Mapping[str, Learner] = field(default_factory=dict)
    delay: int | None = None

    def arriving(self) -> NDArray[np.bool_]:
        """Return a mask of the first predictions of instances whose labels arrive."""
        first: NDArray[np.bool_] = self.polls.which == FIRST
        return first & np.isin(self.polls.row, self.polls.scored)

    def pending(self, stream: Stream) -> NDArray[np.int64]:
        """Return when the instances have arrived whose labels have not."""
        found: NDArray[np.int64] = np.asarray(stream.time, dtype=np.int64)
        return found[~np.isin(np.arange(len(stream)), self.polls.scored)]


class Delays:
    """The part of a result that is about delayed labels, of classifiers and of regressors."""

    stream: Stream
    protocol: str
    learners: list[str]
    _waiting: Waiting | None

    @property
    def delays(self) -> dict[str, int] | None:
        """Numbers of delayed labels; None if the labels of this evaluation are not delayed.

        ``every``: the number of labels between two predictions of an instance; ``labels``: how many
        have arrived; ``pending``: how many have not; ``delay``: the median number of instances that
        arrive between an instance and its label; and where times are dates ``seconds``: the median
        time between them.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.delays
        {'every': 10, 'labels': 2000, 'pending': 0, 'delay': 100}
        """
        if self._waiting is None:
            return None
        labels, delay = len(self._waiting.polls.scored), self._waiting.delay
        wait = median_wait(self.stream)
        return {
            "every": self._waiting.protocol.every,
            "labels": labels,
            "pending": len(self.stream) - labels,
            "delay": typical_delay(self.stream) or 0 if delay is None else delay,
            **({} if wait is None else {"seconds": round(wait)}),
        }

    def _reevaluated(self) -> Waiting:
        if self._waiting is None:
            raise ConfigError(
                f"Bins: expected an evaluation with delayed labels, found {self.protocol}. "
                "Evaluate with delay=N, or a stream that was read with time and label_time."
            )
        return self._waiting

    def _asked(self, bins: int, rule: str, learners: Sequence[str]) -> tuple[int, str, list[str]]:
        """Return the number of bins, the rule and the learners, all checked."""
        from streameval.protocols.bins import RULES

        bins, rule = whole(bins, "bins", least=0), one_of(rule, RULES, "rule")
        return bins, rule, checked(learners, self.learners, "learner")
