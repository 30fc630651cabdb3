"""The result of a comparison."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError
from streameval.significance.confidence_sequence import ConfidenceSequence, confidence_sequence
from streameval.significance.long_run_variance import effective_sizes
from streameval.streams.stream import Stream
from streameval.studies.fold_comparison import FoldRuns
from streameval.studies.other_tests import FurtherTest, other_tests
from streameval.studies.verdicts import BASELINES, Plan, deciding_test, verdicts

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class EffectiveSize(NamedTuple):
    """How many independent instances a series of differences is worth, by bandwidth."""

    instances: int
    bandwidths: list[int]
    sizes: list[float]


class Comparison:
    """What folds say about learners; `streameval.compare` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        The names of the learners: A, B, and more.
    pairs : list of Verdict
        For each pair of learners: first, second, difference, low, high, p_value, test, verdict.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
    >>> print(found.pairs[0].words, round(found.pairs[0].difference, 2))
    naive_bayes is better than majority 0.22
    """

    def __init__(self, stream: Stream, learners: list[str], plan: Plan, known: FoldRuns) -> None:
        self.stream, self.learners, self.plan, self._known = stream, learners, plan, known
        self.pairs = verdicts(known, learners, plan.rope)
        self._sequences: dict[tuple[str, str], ConfidenceSequence] = {}

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, more: bool = False) -> list[str]:
        """Return all that is to be said, in lines of text; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.lines()[0]
        'naive_bayes is better than majority.'
        """
        from streameval.api.comparison_text import lines

        return lines(self, more=more)

    @property
    def verdict(self) -> str:
        """The verdict about two learners.

        Raises
        ------
        ConfigError
            If there are more: each pair of `pairs` has a verdict.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["no_change", "majority"], folds=5).verdict
        'B is better'
        """
        if len(self.pairs) > 1:
            raise ConfigError(
                f"Expected two learners for one verdict, found {len(self.learners)}. Use pairs, "
                "which has a verdict for each pair."
            )
        return self.pairs[0].verdict

    @property
    def folds(self) -> pd.DataFrame:
        """The accuracy of each fold: a row per run and fold, a column per learner and baseline.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["naive_bayes", "majority"], folds=3).folds.shape
        (3, 3)
        """
        import pandas as pd  # 0.4 s, as below, which a command that prints numbers does without

        found = {name: self.accuracies(name).ravel() for name in self.with_baselines}
        places = np.indices(self._known.tested.shape).reshape(2, -1) + 1
        index = pd.MultiIndex.from_arrays(list(places), names=("run", "fold"))
        return pd.DataFrame(found, index).rename_axis(columns="learner")

    @cached_property
    def with_baselines(self) -> list[str]:
        """The learners and, behind them, those baselines that are not among them."""
        return self.learners + [name for name in BASELINES if name not in self.learners]

    def accuracies(self, learner: str) -> NDArray[np.float64]:
        """Return the accuracy of a learner in each fold, shape (runs, folds).

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.accuracies("majority").shape
        (1, 5)
        """
        return self._known.accuracy(learner)

    def accuracy(self, learner: str) -> tuple[float, float]:
        """Return the mean accuracy of a learner, and its standard deviation.

        It is the deviation between folds after one run, and between the means of runs after
        several.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> round(found.accuracy("naive_bayes")[0], 2)
        0.87
        """
        found = self.accuracies(learner)
        spread = found[0] if len(found) == 1 else found.mean(axis=1)
        return float(found.mean()), float(spread.std(ddof=1))

    def over_time(self, first: str, second: str) -> ConfidenceSequence:
        """Return the mean difference of two learners so far, after each instance.

        The differences are those of the proportions of models that are correct, over all folds and
        runs. With 95 % probability all the intervals, of which there is one after each instance,
        contain the mean of the expected differences so far. They are about these runs, not about
        other seeds; see `streameval.significance.confidence_sequence`.

        Returns
        -------
        ConfidenceSequence
            Arrays ``mean``, ``low`` and ``high`` of shape (tested instances,).

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.over_time("naive_bayes", "majority").low[-1] > 0
        np.True_
        """
        pair = (first, second)
        if pair not in self._sequences:
            self._sequences[pair] = confidence_sequence(self._known.series(*pair))
        return self._sequences[pair]

    def effective_size(self, first: str, second: str) -> EffectiveSize:
        """Return how many independent instances the differences over time are worth.

        Returns
        -------
        EffectiveSize
            The number of ``instances``, the ``bandwidths`` n^(1/3), √n and n^(2/3), and the
            ``sizes`` by them, NaN where all differences are equal.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.effective_size("naive_bayes", "majority").bandwidths
        [17, 70, 291]
        """
        series = self._known.series(first, second)
        n = len(series)
        if n < 2:
            return EffectiveSize(n, [], [])
        bandwidths = sorted({min(n, int(n**power)) for power in (1 / 3, 1 / 2, 2 / 3)})
        sizes = effective_sizes(series, bandwidths)
        return EffectiveSize(n, bandwidths, [float(size) for size in sizes])

    @property
    def tests(self) -> pd.DataFrame:
        """Further tests, which do not decide anything, each with what it is about.

        A row per pair and test: first, second, test, estimand, p_value (not adjusted). The Bayesian
        test has no p-value, but the probabilities that the first learner is better, that both are
        practically equal, and that the second is better. Tests over folds and instances read those
        of the first run.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> ", ".join(found.tests.columns)
        'first, second, test, estimand, p_value, first_better, practically_equal, second_better'
        """
        import pandas as pd

        return pd.DataFrame(self.other_tests(), columns=FurtherTest._fields)

    def other_tests(self) -> list[FurtherTest]:
        """Return the rows of `tests`.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.other_tests()[0].test
        'McNemar, all folds pooled'
        """
        return [
            result for pair in self.pairs for result in other_tests(self._known, pair, self.plan)
        ]

    @property
    def test(self) -> str:
        """The name of the test that decides.

        Examples
        --------
        >>> import streameval as se
        >>> se.compare(se.generate("sea", rows=500), ["no_change", "majority"], folds=2).test
        'paired_t'
        """
        return deciding_test(self.plan.runs)

    def to_dict(self, *, more: bool = False) -> dict[str, Any]:
        """Return all results as plain numbers, as for JSON; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> len(found.to_dict()["folds"]["naive_bayes"])
        5
        """
        from streameval.api.comparison_text import plain

        return plain(self, more=more)

    @property
    def seconds(self) -> dict[str, float]:
        """CPU seconds of each learner and baseline, over all folds and runs.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=500), ["no_change", "majority"], folds=2)
        >>> sorted(found.seconds)
        ['majority', 'no_change']
        """
        return dict(self._known.seconds)

    def plot(self, points: int = 1000) -> Figure:
        """Draw the mean difference of each pair over time, with its confidence sequence.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        points : int
            At most that many positions, evenly spaced.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"], folds=5)
        >>> found.plot().savefig("difference.svg")
        """
        from streameval.api.plots import draw_difference

        return draw_difference(self, points)
