"""A study of one's own that stands elsewhere, run in the folder of the papers' studies."""

from __future__ import annotations

import pytest
from helpers.own_study import CLASS, check_made, files, write_study
from helpers.projects import run_with

pytestmark = pytest.mark.workflow


def test_a_study_of_ones_own_makes_its_items_and_no_others(project, environment, tmp_path):
    study = write_study(tmp_path)
    words = (study, "--cores", "2")
    run_with(*words, cwd=project, environment=environment)
    check_made(project)
    tables = {f"results/tables/mine/table1.{form}" for form in ("csv", "html", "md", "tex")}
    assert files(project, "results/tables") == tables
    pictures = {f"figures/mine/fig1/weather.{form}" for form in ("svg", "pdf")}
    assert files(project, "figures") == pictures
    assert files(project, "results/data") == {
        f"results/data/mine/fig1/weather.{frame}.csv" for frame in ("curves", "windows")
    }
    assert not list(study.parent.glob("results*"))
    said = run_with(*words, "--dry-run", cwd=project, environment=environment)
    assert "Nothing to be done" in said
    # An edit of the class runs it again, without compiling anything.
    code = study.parent / "nearest_mean.py"
    code.write_text(f"{CLASS}\n\n# edited\n", encoding="utf-8")
    said = run_with(*words, "--dry-run", cwd=project, environment=environment)
    assert "evaluate_learners" in said
    assert "compile_kernels" not in said
    code.write_text(CLASS, encoding="utf-8")
