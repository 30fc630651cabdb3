"""Tables, figures and captions of tests over the streams of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing.control_differences import draw as draw_differences
from streameval.drawing.subject import Subject
from streameval.evaluation.control_view import ControlSubject, control_table
from streameval.items.performance.show import draw_critical_difference, layout_critical_difference
from streameval.items.text_templates import TextTemplates
from streameval.measures.regression import is_error
from streameval.view.blocks import Table

_RANKS = (
    "Nemenyi's test of two learners depends on which others are ranked beside them (Benavoli et "
    "al., 2016)."
)
#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "control_test": TextTemplates(
        title="{measured}: a learner against each other one, over streams",
        subject="a learner against the others, over streams",
        caption=(
            "Differences in {by} over the streams, by tests of two learners over streams. "
            "They take streams as a sample of independent domains; streams of one generator are "
            "not."
        ),
        pictures={
            "differences": (
                "Differences in {by} by stream; dots of simulated streams are hollow. Lines: "
                "the centre of the differences with the interval of Wilcoxon's test. Grey: "
                "practically equal, within {within}. Streams of a learner lie below each other in "
                "the order of the table."
            ),
        },
    ),
    "mean_ranks": TextTemplates(
        title="{measured}: mean ranks of learners over streams",
        subject="mean ranks of learners over streams",
        caption=(
            "Learners by their mean rank over the streams; 1 is the best. Friedman's test is of "
            "the hypothesis that all are equal. By Nemenyi's test, at {percent} % for all pairs "
            "together, two learners differ if their mean ranks are at least the critical "
            f"difference (CD) apart. {_RANKS} The tests take streams as a sample of independent "
            "domains."
        ),
        pictures={
            "ranks": (
                "Each learner at its mean rank over the streams; 1 is the best. Bars join learners "
                "that do not differ by Nemenyi's test; of many learners, each has a bar as long as "
                f"the critical difference, and two differ if their bars do not overlap. {_RANKS}"
            ),
        },
    ),
}


def draw_control_test(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the differences of the control from each other learner, by stream."""
    return draw_differences(
        frames, subject, subject.settings.region, is_error=is_error(subject.settings.measured)
    )


def layout_control_test(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each other learner."""
    settings = subject.settings
    about = ControlSubject(
        settings.control,
        settings.region,
        settings.level,
        settings.difference,
        subject.titles,
        is_error(settings.measured),
    )
    # Empty cells of a file are NaN.
    texts = {name: table[name].fillna("").astype(str) for name in ("verdict", "reason", "left_out")}
    return control_table(table.assign(**texts), about)


def draw_mean_ranks(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the mean ranks of learners, as of the kind ``critical_difference``."""
    ranked = frames["ranks"].dropna(subset="mean_rank")
    return draw_critical_difference({**frames, "ranks": ranked}, subject)


def layout_mean_ranks(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each learner, the best first."""
    ranked = layout_critical_difference(table.dropna(subset="mean_rank"), subject)
    without = table[table["mean_rank"].isna()]
    rows = zip(without["learner"], without["reason"], strict=True)
    left_out = [
        f"{subject.titles.get(str(name), str(name))} is not ranked: {reason}."
        for name, reason in rows
    ]
    return Table(ranked.columns, ranked.rows, notes=(*ranked.notes, *left_out))
