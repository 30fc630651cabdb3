"""Layout of figures of every kind: nothing overlaps or leaves the page, all has a name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers.all_kinds import all_kinds
from helpers.figure_layout import layout_faults
from matplotlib.figure import Figure

from streameval.base.settings import ROOT
from streameval.drawing.looks import distinct_looks
from streameval.items import kind_at
from streameval.pipeline import products
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.figures import read_figure_data
from streameval.pipeline.plan import make_plan
from streameval.pipeline.study_jobs import Job

PLAN = make_plan(
    merge_files([ROOT / "config" / "test.yaml"]),
    decide=False,
    files=[ROOT / "config" / "test.yaml"],
)
TITLES = {name: row.title for name, row in PLAN.learners.items()}
#: Job, task and picture of a figure of each kind that the tiny run draws.
FIGURES: dict[str, tuple[Job, dict[str, Any], str]] = {
    " ".join(dict.fromkeys((kind_at(**task["kind"]).name, picture))): (job, task, picture)
    for job in reversed(products.drawing_jobs(PLAN))
    for task in reversed(job.tasks)
    for picture in kind_at(**task["kind"]).pictures or list(task["frames"])[:1]
}
#: Kinds that no study of the project has; their figures are in the tests of their folders.
ELSEWHERE = {"benchmark", "control_test", "mean_ranks", "ranks_over_time"}
LONG = "Hoeffding adaptive trees that are bagged, and know which labels came late"


def draw(project: Path, name: str, titles: Mapping[str, str], **subject: Any) -> Figure:
    """Draw a figure from the frames of a finished run."""
    job, task, picture = FIGURES[name]
    inputs = [str(project / path) for paths in job.inputs.values() for path in paths]
    stream = picture if picture in task["frames"] else ""
    return read_figure_data(task, stream, titles, inputs, **subject).draw(picture)


@pytest.mark.workflow
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_can_be_read(finished, name):
    """With long titles, which leave the least room for the rest."""
    with distinct_looks(TITLES):
        titles = {learner: f"{number} {LONG}" for number, learner in enumerate(TITLES)}
        figure = draw(finished, name, titles, title=LONG, simulated=True)
        assert layout_faults(figure, titles) == []


def test_figures_of_all_kinds_are_looked_at():
    kinds = {kind_at(**task["kind"]).name for _, task, _ in FIGURES.values()}
    assert kinds | ELSEWHERE == {name for name, kind in all_kinds().items() if kind.is_figure}
