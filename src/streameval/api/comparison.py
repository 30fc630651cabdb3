"""The result of a comparison: its numbers, in words and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streameval.api import comparison_text
from streameval.api.compared import Compared
from streameval.errors import ConfigError
from streameval.values import flag_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Comparison(Compared):
    """A comparison of learners, as `streameval.compare` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        The names of the learners: A, B, and more.
    pairs : list of Verdict
        For each pair of learners: first, second, difference, low, high, p_value, effective, ahead,
        behind, verdict, reason.
    unlabelled : int
        How many labels have not arrived; these instances are not scored.
    by_bin : mapping of (str, str) to list of Verdict
        For each pair, a verdict in each bin of the time to the label, where `bins` were asked for.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
    >>> print(found.pairs[0].verdict, round(found.pairs[0].difference, 2))
    A is better 0.23
    """

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return the verdicts and a table, for notebooks."""
        return comparison_text.html(self)

    def lines(self, *, more: bool = False) -> list[str]:
        """Return the comparison in lines of text; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.lines()[0]
        'naive_bayes is better than majority: +22.96 points [+20.94, +24.98].'
        """
        return comparison_text.lines(self, more=flag_of(more, "more"))

    def to_dict(self, *, more: bool = False) -> dict[str, Any]:
        """Return all results as plain numbers, as for JSON; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.to_dict()["verdict"]
        'A is better'
        """
        return comparison_text.plain(self, more=flag_of(more, "more"))

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
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.plot().savefig("difference.svg")
        """
        from streameval.api.plots import draw_difference

        return draw_difference(self, points)

    def plot_bins(self) -> Figure:
        """Draw the difference of each pair by bin, with its interval.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Raises
        ------
        ConfigError
            If no bins were asked for.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=5)
        >>> found.plot_bins().savefig("difference.svg")
        """
        if not self.by_bin:
            raise ConfigError(
                "Expected a comparison by bins, found one without. Compare with bins=B, on a "
                "stream whose labels are delayed."
            )
        from streameval.api.plots import draw_differences_by_bin

        return draw_differences_by_bin(self)
