"""Results of classifiers and of regressors in text, in notebooks and in drawings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from shutil import get_terminal_size
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from streameval.api.arguments import checked, weights_of
from streameval.api.evaluated import Evaluated, T
from streameval.api.result_view import Column, Gap, View, result_html
from streameval.errors import ConfigError, excerpt, some
from streameval.values import whole

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from streameval.api.panels import Panels

#: The number of bins that results show.
SHOWN_BINS = 8
#: Letters of a line of text where there is no terminal.
_COLUMNS = 120
#: Weights of bins by which bin 0 counts twice as much as bin B.
PRIORITISED = MappingProxyType({"prioritised": 0.5})
#: Lines in notebooks: the most predictions of a window, and the points.
_WINDOW, _POINTS = 1000, 40


class Presented(Evaluated[T]):
    """Predictions of learners on a stream, which show themselves."""

    #: The measures that are shown (all if empty), shown by bin, drawn over time, drawn by bin.
    _SHOWN: ClassVar[tuple[str, ...]] = ()
    _SHOWN_BY_BIN: ClassVar[str]
    #: The measures that notebooks show, and what they say about them.
    _IN_NOTEBOOKS: ClassVar[tuple[str, ...]]
    _NOTE: ClassVar[str]
    _DRAWN: ClassVar[tuple[str, ...]]
    _DRAWN_BY_BIN: ClassVar[tuple[str, ...]]
    #: The measures by bin of which there is one number for all bins.
    _OVER_BINS: ClassVar[tuple[str, ...]]
    #: The measures by bin that can be drawn.
    _BY_BIN: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        rounded = self._shown().round(4) + 0.0  # without "-0.0"
        room = get_terminal_size((_COLUMNS, 24)).columns
        told = "".join(f"\n{hint}" for hint in self._hints)
        return f"{self._summary()}\n{rounded.to_string(line_width=room)}{told}"

    @cached_property
    def _hints(self) -> list[str]:
        """What the order of labels within the values of a column means for the baselines."""
        from streameval.evaluation.persistence import within_columns

        within = within_columns(self.stream)
        return [] if within is None else [within.sentence]

    def _repr_html_(self) -> str:
        """Return measures, differences from the baselines and lines, for notebooks."""
        names, known = self._IN_NOTEBOOKS, self._known()
        found = {(one.measure, one.learner): one for one in self._measured(names)}
        columns = []
        for name in names:
            of_all = [found[name, learner] for learner in self.learners]
            values, reasons = [one.value for one in of_all], [one.reason for one in of_all]
            columns.append(Column(name, values, reasons, known[name].upper))
        head, note, lines = self._lines()
        view = View(
            summary=f"{type(self).__name__} on {self._about()}",
            learners=self.learners,
            baselines=self._baselines(),
            columns=columns,
            gaps=self._gaps(),
            head=head,
            lines=lines,
            notes=[self._NOTE, *([note] if note else []), *self._hints],
        )
        return result_html(view)

    @abstractmethod
    def _gaps(self) -> Mapping[str, Mapping[str, Gap]]:
        """Return how much better learners are than each baseline, by the head of its column."""

    def _lines(self) -> tuple[str, str, dict[str, list[float]]]:
        """Return a line for each learner, with its head and a note: over time, or by bin."""
        shown = self._SHOWN_BY_BIN
        if self._waiting is not None:
            tidy = self.bins(SHOWN_BINS)
            note = (
                f"Measures and differences: predictions on arrival. Lines: {_spaced(shown)} in "
                f"bins 0 to {SHOWN_BINS + 1} of the time to the label."
            )
            head = f"{_spaced(shown)} by bin"
        else:
            window = max(min(_WINDOW, len(self._made) // 10), 1)
            tidy = self._windowed(self.learners, [shown], window, _POINTS)
            tidy = tidy.rename(columns={"value": shown})
            note = f"Lines: {_spaced(shown)} over the last {window:,} predictions."
            head = f"{_spaced(shown)} over time"
        by_learner = tidy.groupby("learner", sort=False)[shown]
        return head, note, {str(name): values.tolist() for name, values in by_learner}

    def _shown(self) -> pd.DataFrame:
        """Return the measures that are shown, under delays a single one by bin."""
        if self._waiting is None:
            return self.measures(*self._SHOWN)
        shown = self._SHOWN_BY_BIN
        title = f"{_spaced(shown)} in bin"
        tidy = self.bins(SHOWN_BINS).rename(columns={"bin": title})
        wide = tidy.pivot(index="learner", columns=title, values=shown)  # noqa: PD010
        return wide.loc[self.learners]

    def _summary(self) -> str:
        return f"<{type(self).__name__}: {some(self.learners)} on {self._about()}>"

    def _about(self) -> str:
        without = f", {text}" if (text := self.stream.unlabelled_text) else ""
        before = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        predictions = f"{len(self._made):,} predictions{before}{without}"
        return f"{excerpt(self.stream.name)!r}, {self.protocol}, {predictions}"

    @abstractmethod
    def _drawn_frames(self, names: Sequence[str], bins: int, rule: str) -> dict[str, pd.DataFrame]:
        """Return the frames that are drawn by time until the label arrives."""

    @abstractmethod
    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, NDArray[Any]]]:
        """Return measures by bin, and what counts, by instance and bin."""

    def over_bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        weights: Mapping[str, float | Sequence[float]] = PRIORITISED,
    ) -> pd.DataFrame:
        """Return one number for all bins: the best bin, and means with weights.

        Needs an evaluation with delayed labels.

        Parameters
        ----------
        bins, rule, learners
            See `bins`.
        weights : mapping of str to float or sequence of float
            By a name of yours, the weights of the bins 0, ..., B + 1; or a number λ for the weights
            λ^(b/B) in the bins 0, ..., B and 0 in the last one. With λ = 1/α, the prediction on
            arrival counts α times as much as that in bin B: the prioritised measure of Grzenda,
            Gomes and Bifet (2020), as their program IntermediateMeasures has it.

        Returns
        -------
        pandas.DataFrame
            A row per weights, measure and learner: weights, measure, learner, value, and the ends
            of the 95 % interval (low, high), NaN where there is none. Of weights ``"maximum"``
            (of errors ``"minimum"``), value is the greatest (least) one of all bins, the last one
            included. As the best of several estimates it is too good on average. Only the accuracy
            and the mean absolute error have intervals; the interval of the best bin holds whichever
            bin is the best, and is wider than that of a single bin.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> found = result.over_bins(3, learners=["hoeffding_tree"])
        >>> found[found["measure"] == "accuracy"].drop(columns="learner").round(4)
               weights   measure   value     low    high
        0  prioritised  accuracy  0.8578  0.8276  0.8881
        4      maximum  accuracy  0.8631  0.8345  0.8936
        """
        from streameval.evaluation.over_bins import over_bins

        bins, rule, names = self._asked(bins, rule, learners)
        given = weights_of(weights, bins)
        found, series = self._binned(names, bins, rule)
        return over_bins(found, {name: series[name] for name in names}, given, self._OVER_BINS)

    def plot(
        self,
        measures: str | Sequence[str] | None = None,
        window: int = 1000,
        points: int = 500,
        learners: Sequence[str] = (),
        *,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Axes | Panels:
        """Draw measures over a sliding window.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            One panel for each; by default accuracy and κ_t, or the mean absolute error and the
            skill over the previous target.
        window, points, learners
            See `curve`.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each measure, of a figure of yours. Title and legend are then on the first one.

        Returns
        -------
        matplotlib.axes.Axes, or several
            One measure is drawn on one, more on a tuple of them; lines of a single learner with
            different wrappers have a panel each. A notebook shows the figure, and ``.figure`` is
            the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.plot("kappa_m", window=500).figure.savefig("kappa_m.svg")
        """
        from streameval.api.plots import draw_curves

        given = self._DRAWN if measures is None else measures
        if isinstance(given, list | tuple) and not given:
            raise ConfigError("measures: expected one or more, found none.")
        wanted, names = checked(given, self._known(), "measure"), self._named(learners)
        found = self._windowed(names, wanted, whole(window, "window"), whole(points, "points"))
        return draw_curves(found, wanted, names, self.stream.name, self._known(), ax)

    def plot_bins(
        self,
        measures: str | Sequence[str] | None = None,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Axes | Panels:
        """Draw measures of predictions by time until the label arrives, or by age.

        Below are the learners that may be the best in a bin; of regressors also the differences to
        the best other one. Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            Columns of `bins`, one panel for each; of regressors those of `measures`. By default
            ``accuracy`` and ``kappa_temporal_delayed``, or ``mean_absolute_error``.
        bins, rule, learners, by
            See `bins`. By age the accuracy, or mean absolute error, and the number at risk.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each measure, of a figure of yours; by age three. Only the measures are drawn
            there, without what else the figure has.

        Returns
        -------
        matplotlib.axes.Axes, or several
            Those of the measures, see `plot`. ``.figure`` has further panels.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.plot_bins("accuracy").figure.savefig("bins.svg")
        """
        from streameval.api.plots import draw_ages, draw_bins

        bins, rule, names = self._asked(bins, rule, learners)
        given = self._DRAWN_BY_BIN if measures is None else measures
        chosen = checked(given, self._BY_BIN, "measure of bins")
        ages = self._ages(names, bins, by)
        if ages is not None:
            return draw_ages(ages, names, self.stream, ax)
        frames = self._drawn_frames(names, bins, rule)
        return draw_bins(frames, chosen, names, self.stream, ax)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
