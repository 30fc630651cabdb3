"""What one more lagged label says about the next label (Žliobaitė et al. 2015, Figure 5)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from streameval.items.subject import Subject
from streameval.report import style


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return dependence(frames["dependence"], **subject.stream)


@style.styled
def dependence(orders: pd.DataFrame, *, title: str, simulated: bool) -> Figure:
    """Draw, class by class, how persistence depends on the length of the run so far.

    Parameters
    ----------
    orders : pandas.DataFrame
        Columns class, order, cases, share, delta; see `dependence_by_order`.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    largest = orders[orders["order"] == 0].sort_values("share", ascending=False, kind="stable")
    names = largest["class"].tolist()
    shown = names[: len(style.CLASSES)]
    drawn = style.figure(columns=2, aspect=0.42)
    style.headline(drawn, title, simulated)
    left, right = drawn.subplots(1, 2)
    lines = _draw(left, orders, shown, "share")
    left.set_ylabel("share that is of the class again")
    left.set_ylim(0, 1.02)
    style.zero_line(right)
    _draw(right, orders, shown, "delta")
    right.set_ylabel("what the last of these labels adds, Δ(ℓ)")
    for axes in (left, right):
        axes.set_xlabel("previous labels, all of the class, ℓ")
        axes.set_xlim(0, orders["order"].max())
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    rest = len(names) - len(shown)
    smaller = "smaller one" if rest == 1 else "smaller ones"
    heading = f"class ({rest} {smaller} left out)" if rest else "class"
    style.legend(drawn, lines, columns=len(lines), title=heading)
    return drawn


def _draw(axes: Axes, orders: pd.DataFrame, names: list[str], column: str) -> list[Line2D]:
    lines = []
    labels = style.shortened([str(name) for name in names])
    for look, name, label in zip(style.CLASSES, names, labels, strict=False):
        part = orders[orders["class"] == name]
        lines += axes.plot(
            part["order"],
            part[column],
            color=look.color,
            linestyle=look.dash,
            marker=".",  # or a lone point would not be seen
            markersize=3.5,
            markeredgewidth=0,
            label=label,
        )
    return lines
