"""Comparing one learner, the control, with others over several streams, from a table of scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, DataError, excerpt
from streameval.evaluation.control_comparison import ControlComparison, compare_with_control
from streameval.evaluation.control_view import (
    ControlSubject,
    control_json,
    control_sentences,
    control_table,
)
from streameval.significance.significance_test import LEVEL
from streameval.significance.t_over_folds import ROPE
from streameval.view.latex import latex
from streameval.view.mixin import Viewable
from streameval.view.parts import Table, View, sentence_part

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Reason for a missing difference, in `OverStreams.differences`.
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
    """Compare one learner, the control, with all other learners by scores on several streams.

    The result has, for each of the other learners,

    - Wilcoxon's signed-rank test and the sign test over the streams, with p-values adjusted for the
      number of other learners (Holm), and the interval of Wilcoxon's test;
    - the Bayesian signed-rank test;
    - effect sizes, and the number of streams needed to detect a difference.

    These assume that the streams are a sample of independent domains. Several streams of one
    generator are not independent.

    Parameters
    ----------
    scores : DataFrame
        A column for each learner, and a row for each stream, whose name is in the index. Greater
        scores are better. Several rows of one stream are results with several seeds, and are
        averaged. If a learner has NaN or an infinite number on a stream, its comparison with the
        control leaves this stream out.
    control : str
        The learner that is compared with each of the others.
    rope : float
        Region of practical equivalence: the largest difference that counts as practically equal; by
        default 0.01, one point of accuracy.
    level : float
        Level of the tests, for all other learners together; by default 0.05.
    difference : float, optional
        True difference for which power and number of streams are computed; by default the rope.
    titles : mapping of str to str, optional
        Names of the learners in tables and plots.

    Returns
    -------
    OverStreams
        A table, sentences and a plot.

    Raises
    ------
    StreamevalError
        If the control is not a column, fewer than three streams have a value of the control, or a
        number is out of range.

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
    >>> result = se.over_streams(scores, control="mine")
    >>> result.sentences()
    ['mine beats tree.', 'mine is practically equal to forest.']
    >>> result.table()[["learner", "wins", "ties", "losses", "wilcoxon_p"]].round(4)
      learner  wins  ties  losses  wilcoxon_p
    0    tree     8     0       0      0.0156
    1  forest     1     5       2      1.0000
    """
    long_table = _to_long_table(scores)
    numbers = {"rope": rope, "level": level}
    if difference is not None:
        numbers["difference"] = difference
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ConfigError(f"{name}: expected a number, found {excerpt(repr(value), 60)}.")
    comparison = compare_with_control(
        long_table, control, rope=rope, level=level, difference=difference
    )
    subject = ControlSubject(
        control, rope=rope, level=level, difference=difference, titles=dict(titles or {})
    )
    return OverStreams(comparison, subject)


def _to_long_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Data frame with a row for each score; rows of a stream are numbered as seeds from 1."""
    import pandas as pd

    if not isinstance(scores, pd.DataFrame):
        raise DataError(
            "scores: expected a DataFrame with a column for each learner and a row for each "
            f"stream, found {type(scores).__name__}."
        )
    not_numeric = [str(name) for name, dtype in scores.dtypes.items() if dtype.kind not in "iuf"]
    if not_numeric or not scores.columns.is_unique:
        raise DataError(
            "scores: expected columns of numbers with different names, one for each learner, found "
            f"{', '.join(not_numeric) or 'a name twice'}. Make the streams the index, "
            "scores.set_index('stream'), and name each learner once."
        )
    table = scores.rename_axis(index="stream", columns="learner").rename(columns=str)
    table["seed"] = table.groupby(level=0).cumcount() + 1
    long_table = table.reset_index().melt(
        ["stream", "seed"], var_name="learner", value_name="value"
    )
    values = long_table["value"].where(long_table["value"].abs() < math.inf)  # else NaN
    return long_table.assign(
        value=values,
        stream=long_table["stream"].astype(str),
        simulated=False,  # studies mark simulated stand-ins for real streams
        reason=values.isna().map({True: _NO_VALUE, False: ""}),
    )


class OverStreams(Viewable):
    """Comparison of a control with other learners; see `streameval.over_streams`."""

    def __init__(self, comparison: ControlComparison, subject: ControlSubject) -> None:
        self._comparison, self._subject = comparison, subject

    def table(self) -> pd.DataFrame:
        """Test results of the control against all other learners.

        Returns
        -------
        pandas.DataFrame
            A row for each of the other learners, with the columns

            - learner;
            - streams: number of streams with both values;
            - difference: mean over the streams of control − other;
            - center, low, high: Hodges-Lehmann estimate with its interval; NaN with too few
              streams;
            - wins, ties, losses of the control;
            - effect: rank-biserial correlation;
            - wilcoxon_p, sign_p: adjusted p-values;
            - better, equal, worse: probabilities of the Bayesian test;
            - seeds_part: proportion of the variance that is due to seeds;
            - power with these streams, and streams_needed;
            - simulated: number of simulated stand-ins for real streams, always 0 here;
            - verdict;
            - reason: why there is no verdict, or why no other verdict is possible;
            - left_out: streams without a value of the control.

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
        """Difference between the control and each of the other learners, by stream.

        Returns
        -------
        pandas.DataFrame
            Columns stream; simulated (always False); learner; difference (control − other); error
            (standard error of the difference over seeds); reason (why a difference is missing).

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
        text = caption or f"{self._subject.title(self._subject.control)} against other learners."
        return latex(control_table(self._comparison.others, self._subject), text, label)

    def plot(self) -> Axes:
        """Plot the differences by stream for each of the other learners, with the rope.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Returns
        -------
        matplotlib.axes.Axes
            Save the figure with ``.figure.savefig``.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> scores = pd.DataFrame({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, list("xyz"))
        >>> se.over_streams(scores, control="a").plot().figure.savefig("differences.svg")
        """
        from streameval.drawing.results import draw_over_streams

        # The drawing reads these two settings of an item of the report.
        settings = SimpleNamespace(control=self._subject.control, rope=self._subject.rope)
        return draw_over_streams(self._comparison._asdict(), settings, self._subject.titles)

    def _view(self) -> View:
        table = control_table(self._comparison.others, self._subject)
        text_table = Table(
            table.columns, table.rows, notes=table.notes, transposed=True, shown_in="text"
        )
        notebook_table = Table(table.columns, table.rows, notes=table.notes, shown_in="notebook")
        verdicts = sentence_part(control_sentences(self._comparison.others, self._subject))

        def numbers() -> dict[str, Any]:
            return control_json(self._comparison, self._subject)

        return View([verdicts, text_table, notebook_table], numbers, "", self.plot)
