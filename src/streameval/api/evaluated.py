"""What the results of classifiers and of regressors have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from streameval.api.arguments import checked, one_of, whole
from streameval.errors import ConfigError, excerpt, some
from streameval.evaluation.running import Cost
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


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
        """Return what is shown of a result."""
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
        """What the learners took.

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
