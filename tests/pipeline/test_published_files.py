"""Files of published values are found beside the study and checked before a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.pipeline import study_jobs
from streameval.pipeline.plan import make_plan

TABLE = {"kind": "benchmark", "streams": ["elec2"], "learners": ["knn"], "published": "table2.csv"}
HEAD = "stream,learner,measure,value,source"


@pytest.fixture
def planned(plan_of, tmp_path):
    """A function that plans a table with these published values, if there are any."""

    def plan(rows, **items):
        if rows is not None:
            head = HEAD if rows.count(",") <= 4 * rows.count("\n") else f"{HEAD},bin"
            (tmp_path / "table2.csv").write_text(f"{head}\n{rows}", encoding="utf-8")
        return plan_of({"table1": TABLE, **items})

    return plan


def test_the_path_starts_at_the_study_s_file_and_is_an_input_of_its_job(config, tmp_path):
    folder = tmp_path / "studies"
    folder.mkdir()
    (folder / "table2.csv").write_text(f"{HEAD}\nelec2,knn,accuracy,81.6%,A\n", encoding="utf-8")
    content = {"studies": ["mine"], "items": {"mine": {"table1": TABLE}}}
    (folder / "mine.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    plan = make_plan(config | content, decide=True, files=[folder / "mine.yaml"])
    assert Path(plan.items["mine/table1"].settings.published) == Path("studies/table2.csv")
    (study,) = study_jobs.studies(plan)
    assert study.inputs["files"] == ["studies/table2.csv"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("elec3,knn,accuracy,0.5,A\n", "table2.csv, line 2: there is no stream 'elec3'"),
        ("elec2,kn,accuracy,0.5,A\n", "table2.csv, line 2: there is no learner 'kn'"),
        ("elec2,knn,acuracy,0.5,A\n", "table2.csv, line 2: there is no measure 'acuracy'"),
        ("elec2,knn,accuracy,x,A\n", "table2.csv, line 2: expected a number"),
        ("elec2,knn,accuracy,1,A\n" * 2, "table2.csv, line 3: expected one value"),
        ("elec2,knn,accuracy,1,A,last\n", "table2.csv, line 2: expected as bin a whole number"),
        ("elec2,knn,accuracy,81.6%,A,2\n", "with no bin, since benchmark"),
        (None, "published: expected a file, found none at table2.csv"),
    ],
)
def test_faults_are_named_before_a_run(planned, rows, message):
    with pytest.raises(ConfigError, match=rf"^mine.yaml: at items.mine.table1: .*{message}"):
        planned(rows)


BINS = {"kind": "binned_measures", "streams": ["airlines"], "learners": ["naive_bayes"]}
BINNED = {"kind": "binned_table", "of": ["fig1"], "published": "table2.csv"}


def test_a_table_of_bins_has_published_values(planned):
    rows = "elec2,naive_bayes,accuracy,81.6%,A,B+1\nelec2,naive_bayes,accuracy,81.6%,A,\n"
    plan = planned(rows, fig1=BINS, table2=BINNED)
    task = study_jobs.study_task(plan, plan.items["mine/table2"], "")
    assert [*task["files"]] == ["table2.csv"]


@pytest.mark.parametrize(
    ("row", "message"),
    [(",B + 1", r"line 2: .*whole number, B\+1"), ("", "with a bin, since binned_table")],
)
def test_faults_of_a_table_of_bins_are_named_before_a_run(planned, row, message):
    with pytest.raises(ConfigError, match=message):
        planned(f"elec2,knn,accuracy,81.6%,A{row}\n", table1=BINNED, fig1=BINS)


def test_plans_without_such_a_file_load_no_pandas():
    code = "import sys, streameval.pipeline.plan; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
