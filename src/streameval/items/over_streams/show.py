"""Tables, figures and captions of tests over the streams of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing.control_differences import draw as draw_differences
from streameval.drawing.subject import Subject
from streameval.evaluation.control_view import ControlSubject, control_table
from streameval.items.performance.show import draw_critical_difference, layout_critical_difference
from streameval.items.text_templates import TextTemplates
from streameval.measures.regression import is_error
from streameval.view.parts import Table

#: Why all learners of an item matter for each pair: a sentence of the captions of mean ranks.
_NEMENYI_NOTE = (
    "Nemenyi's test of two learners depends on which other learners are ranked (Benavoli et al., "
    "2016)."
)
#: Title, menu entry and captions of each kind of item (table or figure); ``{name}`` stands for the
#: value of a setting.
TEXTS = {
    "control_test": TextTemplates(
        title="{measure_title}: a control against all other learners, over streams",
        menu_entry="a control against all other learners, over streams",
        caption=(
            "Differences in {measure_name} over the streams, by tests of two learners. The tests "
            "take streams as a sample of independent domains; streams of one generator are not "
            "independent."
        ),
        pictures={
            "differences": (
                "Differences in {measure_name} by stream; dots of simulated streams are hollow. "
                "Lines: the Hodges-Lehmann estimate of the difference with the interval of "
                "Wilcoxon's test. Grey: practically equal, within {region}. From top to bottom, "
                "the dots of a learner are in the order of the streams in the benchmark."
            ),
        },
    ),
    "mean_ranks": TextTemplates(
        title="{measure_title}: mean ranks of learners over streams",
        menu_entry="mean ranks of learners over streams",
        caption=(
            "Learners by their mean rank over the streams; 1 is the best. Friedman's test is a "
            "test of the hypothesis that all are equal. By Nemenyi's test, at {percent} % for all "
            "pairs together, two learners differ if their mean ranks are at least the critical "
            f"difference (CD) apart. {_NEMENYI_NOTE} The tests take streams as a sample of "
            "independent domains."
        ),
        pictures={
            "ranks": (
                "Each learner at its mean rank over the streams; 1 is the best. Bars join learners "
                "that do not differ by Nemenyi's test. If there are many learners, each has a bar "
                "as long as the critical difference, and two learners differ if their bars do not "
                f"overlap. {_NEMENYI_NOTE}"
            ),
        },
    ),
}


def draw_control_test(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the differences of the control from each of the other learners, by stream."""
    return draw_differences(
        frames,
        subject,
        subject.settings.rope_or_default,
        is_error=is_error(subject.settings.measure_or_default),
    )


def layout_control_test(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item, with a row for each learner except the control."""
    settings = subject.settings
    control_subject = ControlSubject(
        control=settings.control,
        rope=settings.rope_or_default,
        level=settings.level,
        difference=settings.difference,
        titles=subject.titles,
        is_error=is_error(settings.measure_or_default),
    )
    # Empty cells of a file are NaN.
    texts = {name: table[name].fillna("").astype(str) for name in ("verdict", "reason", "left_out")}
    return control_table(table.assign(**texts), control_subject)


def draw_mean_ranks(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the mean ranks of learners, as in the kind ``critical_difference``."""
    ranked = frames["ranks"].dropna(subset="mean_rank")
    return draw_critical_difference({**frames, "ranks": ranked}, subject)


def layout_mean_ranks(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each learner, the best first."""
    ranked = layout_critical_difference(table.dropna(subset="mean_rank"), subject)
    unranked = table[table["mean_rank"].isna()]
    rows = zip(unranked["learner"], unranked["reason"], strict=True)
    notes = [
        f"{subject.titles.get(str(name), str(name))} is not ranked: {reason}."
        for name, reason in rows
    ]
    return replace(ranked, notes=(*ranked.notes, *notes))
