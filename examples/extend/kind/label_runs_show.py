"""Figure, table and captions of runs of equal labels."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.items.columns import count_column, frame_table, number_column, stream_name
from streameval.items.text_templates import TextTemplates
from streameval.view.parts import Column, Table

TEXTS = {
    "label_runs": TextTemplates(
        menu_entry="runs of equal labels",
        caption="number of runs of equal labels by length, and the number expected of independent "
        "labels with the same proportions of classes. The last length counts longer runs too: "
        "those of {longest} labels or more, unless the stream is shorter.",
    ),
    "label_run_table": TextTemplates(
        title="Runs of equal labels",
        menu_entry="numbers of runs of equal labels",
        caption="Number of runs of equal labels, and the number expected of independent labels "
        "with the same proportions of classes. A ratio below 1 means that labels persist.",
    ),
}
LOOKS = {
    "count": (style.CLASS_LOOKS[0], "labels of the stream"),
    "independent": (style.CLASS_LOOKS[1], "independent labels"),
}


@style.styled
def draw_label_runs(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Numbers of runs by length, on logarithmic axes."""
    runs = frames["runs"]
    figure = style.titled_figure(0.5, **subject.stream_arguments)
    axes = figure.subplots()
    for column, (look, _) in LOOKS.items():
        there = runs[runs[column] > 0]
        axes.plot(there["length"], there[column], marker=look.marker, **look.line)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)
    axes.set_xlabel("length of the run (labels)")
    axes.set_ylabel("number of runs")
    style.legend(figure, [style.handle(*one) for one in LOOKS.values()], columns=len(LOOKS))
    return figure


def layout_label_run_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table: a row for each stream."""
    columns = [
        Column(
            "Stream",
            ["stream"],
            lambda name: stream_name(str(name), simulated=False, titles=subject.streams),
            kind="text",
        ),
        count_column("Runs", "runs"),
        number_column("Independent labels", "independent", 0),
        number_column("Ratio", "ratio", 2),
    ]
    return frame_table(table, columns)
