"""Comparing a control learner with others over several streams, from a table of scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, DataError, excerpt
from streameval.evaluation.control_comparison import ControlComparison, against_control
from streameval.evaluation.control_view import (
    ControlSubject,
    control_numbers,
    control_sentences,
    control_table,
)
from streameval.significance.significance_test import LEVEL
from streameval.significance.t_over_folds import ROPE
from streameval.view.blocks import Table, View, sentence_part
from streameval.view.latex import latex
from streameval.view.mixin import Viewed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Why a score of a table has no value.
_NO_VALUE = "the table has no value"


def over_streams(
    scores: pd.DataFrame,
    control: str,
    *,
    rope: float = ROPE,
    level: float = LEVEL,
    difference: float | None = None,
    titles: Mapping[str, str] | None = None,
) -> OverStreams:
    """Compare a learner with all others by their scores on several streams.

    Wilcoxon's signed-rank test and the sign test over the streams, adjusted for the number of
    other learners (Holm); the interval of Wilcoxon's test; the Bayesian signed-rank test; effect
    sizes; and the number of streams that it takes to see a difference. The streams are taken as
    a sample of independent domains: streams of one generator are not.

    Parameters
    ----------
    scores : DataFrame
        A column for each learner and a row for each stream, named by the index; the greater the
        better. Several rows of one stream are those of several seeds, and are averaged. A learner
        without a value on a stream, NaN, is left out.
    control : str
        The learner that is compared with each other one.
    rope : float
        Differences up to this size are practically none; by default 0.01, a point of accuracy.
    level : float
        Level of the tests, for all other learners together; by default 0.05.
    difference : float, optional
        The difference to see, for the power and the number of streams; by default the rope.
    titles : mapping of str to str, optional
        Names of learners for people.

    Returns
    -------
    OverStreams
        A table, sentences and a plot.

    Raises
    ------
    StreamevalError
        If the control is no column, there are fewer than three streams with values of the control,
        or a number is out of its range.

    References
    ----------
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, 1-30.
    Benavoli, Corani, Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR
    17(5), 1-10. Benavoli, Corani, Demšar, Zaffalon (2017), Time for a change, JMLR 18(77), 1-36.

    Examples
    --------
    >>> import pandas as pd
    >>> import streameval as se
    >>> scores = pd.DataFrame(
    ...     {
    ...         "mine": [0.85, 0.91, 0.77, 0.66, 0.93, 0.81, 0.72, 0.88],
    ...         "tree": [0.83, 0.90, 0.72, 0.63, 0.92, 0.77, 0.71, 0.85],
    ...         "forest": [0.85, 0.92, 0.77, 0.65, 0.93, 0.82, 0.72, 0.88],
    ...     },
    ...     index=["elec", "weather", "covtype", "gas", "kdd", "posture", "insects", "ozone"],
    ... )
    >>> found = se.over_streams(scores, control="mine")
    >>> found.sentences()
    ['mine beats tree.', 'mine is practically equal to forest.']
    >>> found.table()[["learner", "wins", "ties", "losses", "wilcoxon_p"]].round(4)
      learner  wins  ties  losses  wilcoxon_p
    0    tree     8     0       0      0.0156
    1  forest     1     5       2      1.0000
    """
    long = _with_seeds(scores)
    numbers = {"rope": rope, "level": level}
    if difference is not None:
        numbers["difference"] = difference
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ConfigError(f"{name}: expected a number, found {excerpt(repr(value), 60)}.")
    comparison = against_control(long, control, rope=rope, level=level, difference=difference)
    about = ControlSubject(control, rope, level, difference, dict(titles or {}))
    return OverStreams(comparison, about)


def _with_seeds(scores: pd.DataFrame) -> pd.DataFrame:
    """Frame with a row for each score; rows of a stream are numbered as seeds from 1."""
    import pandas as pd

    if not isinstance(scores, pd.DataFrame):
        raise DataError(
            "scores: expected a DataFrame with a column for each learner and a row for each "
            f"stream, found {type(scores).__name__}."
        )
    wrong = [str(name) for name, kind in scores.dtypes.items() if kind.kind not in "iuf"]
    if wrong or not scores.columns.is_unique:
        raise DataError(
            "scores: expected columns of numbers with names of their own, a learner each, found "
            f"{', '.join(wrong) or 'a name twice'}. Make the streams the index, "
            "scores.set_index('stream'), and name each learner once."
        )
    table = scores.rename_axis(index="stream", columns="learner").rename(columns=str)
    table["seed"] = table.groupby(level=0).cumcount() + 1
    long = table.reset_index().melt(["stream", "seed"], var_name="learner", value_name="value")
    long["value"] = long["value"].where(long["value"].abs() < math.inf)
    reason = long["value"].isna().map({True: _NO_VALUE, False: ""})
    return long.assign(stream=long["stream"].astype(str), simulated=False, reason=reason)


class OverStreams(Viewed):
    """A learner against others over several streams; see `streameval.over_streams`."""

    def __init__(self, comparison: ControlComparison, about: ControlSubject) -> None:
        self._comparison, self._about = comparison, about

    def table(self) -> pd.DataFrame:
        """Frame with a row for each other learner.

        Returns
        -------
        pandas.DataFrame
            learner; streams; difference, the mean over the streams, control − other; center, low
            and high, the Hodges-Lehmann estimate with its interval, NaN with too few streams; wins,
            ties and losses of the control; effect, the rank-biserial correlation; wilcoxon_p and
            sign_p, adjusted; better, equal and worse, probabilities; seeds_part, the proportion of
            the variance that is due to the seeds; power, with these streams; streams_needed;
            simulated, 0 here; verdict; reason, why there is none, or why it can be no other;
            left_out, streams without a value of the control.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, list("xyz"))
        >>> se.over_streams(scores, control="a").table()["reason"][0]
        'with 3 streams no test can reject at 5 %; at least 6 streams are needed'
        """
        return self._comparison.others.copy()

    def differences(self) -> pd.DataFrame:
        """Frame with a row for each stream and other learner.

        Returns
        -------
        pandas.DataFrame
            stream; simulated; learner; difference, control − other; error, its standard error by
            the seeds; reason, why there is none.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, list("xyz"))
        >>> se.over_streams(scores, control="a").differences()["difference"].tolist()
        [0.2, 0.0, 0.1]
        """
        return self._comparison.differences.copy()

    def to_latex(self, caption: str = "", label: str = "tab:over-streams") -> str:
        r"""LaTeX source of the table; its first line names the packages it needs.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, list("xyz"))
        >>> print(se.over_streams(scores, control="a").to_latex("Mine.").splitlines()[3])
        \caption{Mine.}\label{tab:over-streams}
        """
        text = caption or f"{self._about.title(self._about.control)} against other learners."
        return latex(control_table(self._comparison.others, self._about), text, label)

    def plot(self) -> Axes:
        """Draw the differences by stream for each other learner, with the rope.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Returns
        -------
        Axes
            ``.figure`` is the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, list("xyz"))
        >>> se.over_streams(scores, control="a").plot().figure.savefig("differences.svg")
        """
        from streameval.drawing.results import draw_over_streams

        about = SimpleNamespace(control=self._about.control, rope=self._about.rope)
        return draw_over_streams(self._comparison._asdict(), about, self._about.titles)

    def _view(self) -> View:
        table = control_table(self._comparison.others, self._about)
        in_text = Table(table.columns, table.rows, notes=table.notes, transposed=True, only="text")
        picture_table = Table(table.columns, table.rows, notes=table.notes, only="drawn")
        verdicts = sentence_part(control_sentences(self._comparison.others, self._about))

        def numbers() -> dict[str, Any]:
            return control_numbers(self._comparison, self._about)

        return View([verdicts, in_text, picture_table], numbers, "", self.plot)
