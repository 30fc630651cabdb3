"""What inputs that change while labels wait are worth, by age."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.report import style
from streameval.report.frames import require_among, require_columns
from streameval.report.subject import Subject

#: The panels from top to bottom.
_PANELS = {
    "time_last": "time so far; the inputs just before the label are learnt",
    "time_each": "time so far; the inputs of each prediction are learnt",
    "later_last": "inputs known later; those just before the label are learnt",
    "later_each": "inputs known later; those of each prediction are learnt",
    "both_each": "both; the inputs of each prediction are learnt",
}
_PANEL_MM, _REST_MM, _MARKERS = 40.0, 30.0, 7


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    settings = subject.settings
    about = {"learners": settings.learners, "unit": settings.unit, "titles": subject.titles}
    return evolving_inputs(frames["inputs"], **about, **subject.stream)


@style.styled
def evolving_inputs(
    inputs: pd.DataFrame,
    *,
    learners: Sequence[str],
    unit: str,
    titles: Mapping[str, str],
    title: str,
    simulated: bool,
) -> Figure:
    """Draw a panel for each variant, with the gain of each learner and its interval.

    Parameters
    ----------
    inputs : pandas.DataFrame
        Columns learner, variant, age, gain, gain_low, gain_high; see
        `streameval.studies.evolving_inputs`.
    learners : sequence of str
        What is drawn, in the order of the legend.
    unit : str
        What one unit of time is called.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.

    Raises
    ------
    DataError
        If a column or a learner is missing.
    """
    columns = ("learner", "variant", "age", "gain", "gain_low", "gain_high")
    require_columns(inputs, columns, "Changing inputs")
    require_among(learners, inputs["learner"].unique(), "Changing inputs: no learner")
    there = {name: text for name, text in _PANELS.items() if name in set(inputs["variant"])}
    height_mm = _REST_MM + _PANEL_MM * len(there)
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, title, simulated)
    panels = drawn.subplots(len(there), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (variant, text) in zip(panels, there.items(), strict=True):
        style.zero_line(axes)
        for number, name in enumerate(learners):
            rows = inputs[(inputs["learner"] == name) & (inputs["variant"] == variant)]
            look, step = style.learner_look(name), max(1, len(rows) // _MARKERS)
            style.band(axes, rows["age"], 100 * rows["gain_low"], 100 * rows["gain_high"], look)
            axes.plot(
                rows["age"],
                100 * rows["gain"],
                color=look.color,
                linestyle=look.dash,
                marker=look.marker,
                markevery=(number * step // len(learners), step),
                zorder=look.layer,
            )
        axes.set_title(text, loc="left", pad=3)
        axes.set_ylabel("gain (points)")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, max(float(inputs["age"].max()), 1.0))
    panels[-1].set_xlabel(f"time since the instance has arrived ({unit})")
    handles = [style.learner_handle(name, titles.get(name, name)) for name in learners]
    style.legend(drawn, [*handles, style.band_handle("95 % interval")], columns=4)
    return drawn
