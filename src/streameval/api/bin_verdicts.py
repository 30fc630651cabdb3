"""The part of a comparison that is about bins of the time to the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from streameval.errors import ConfigError
from streameval.evaluation.verdicts import ComparisonPlan, Verdict
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

#: A verdict for each bin of the time to the label, by pair of learners.
ByBin = Mapping[tuple[str, str], Sequence[Verdict]]


class VerdictsByBin:
    """A comparison with a verdict for each bin, where bins were asked for."""

    stream: Stream
    learners: list[str]
    plan: ComparisonPlan
    by_bin: ByBin

    @property
    def bins(self) -> pd.DataFrame:
        """Which learner is better in each bin of the time to the label: a row per pair and bin.

        Columns first, second, bin, difference, low, high, p_value, effective, verdict, reason.
        Intervals hold for all bins of all pairs at once, with 95 % confidence. Without bins there
        are no rows.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=1)
        >>> found.bins["verdict"].tolist()
        ['A is better', 'A is better', 'A is better']
        """
        import pandas as pd

        shown = ["difference", "low", "high", "p_value", "effective", "verdict", "reason"]
        rows = [
            (*pair, b, *(getattr(one, name) for name in shown))
            for pair, verdicts in self.by_bin.items()
            for b, one in enumerate(verdicts)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "bin", *shown])

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
