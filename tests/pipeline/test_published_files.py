"""Files of published values are found beside the study and checked before a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.pipeline import plan, study_jobs

TABLE = {"kind": "benchmark", "streams": ["elec2"], "learners": ["knn"], "published": "table2.csv"}
HEAD = "stream,learner,measure,value,source\n"


def planned(config, tmp_path, rows, **more):
    folder = tmp_path / "studies"
    folder.mkdir()
    if rows is not None:
        head = HEAD if rows.count(",") <= 4 * rows.count("\n") else f"{HEAD.strip()},bin\n"
        (folder / "table2.csv").write_text(head + rows, encoding="utf-8")
    content = {"studies": ["mine"], "items": {"mine": {"table1": TABLE, **more}}}
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return plan.make_plan(config | content, decide=True, files=[path])


def test_the_path_starts_at_the_study_s_file_and_is_an_input_of_its_job(config, tmp_path):
    plan = planned(config, tmp_path, "elec2,knn,accuracy,81.6%,A\n")
    (item,) = plan.items.values()
    assert Path(item.settings.published) == Path("studies/table2.csv")
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
        (None, "published: expected a file, found none at studies/table2.csv"),
    ],
)
def test_faults_are_named_before_a_run(config, tmp_path, rows, message):
    with pytest.raises(
        ConfigError, match=rf"^studies/mine.yaml: at items.mine.table1: .*{message}"
    ):
        planned(config, tmp_path, rows)


BINS = {"kind": "binned_measures", "streams": ["airlines"], "learners": ["naive_bayes"]}
BINNED = {"kind": "binned_table", "of": ["fig1"], "published": "table2.csv"}


def test_a_table_of_bins_has_published_values(config, tmp_path):
    rows = "elec2,naive_bayes,accuracy,81.6%,A,B+1\nelec2,naive_bayes,accuracy,81.6%,A,\n"
    plan = planned(config, tmp_path, rows, fig1=BINS, table2=BINNED)
    task = study_jobs.study_task(plan, plan.items["mine/table2"], "")
    assert [*task["files"]] == ["studies/table2.csv"]


def test_faults_of_a_table_of_bins_are_named_before_a_run(config, tmp_path):
    row = "elec2,knn,accuracy,81.6%,A,B + 1\n"
    with pytest.raises(ConfigError, match=r"line 2: .*whole number, B\+1"):
        planned(config, tmp_path, row, table1=BINNED, fig1=BINS)


def test_a_file_without_any_value_that_can_be_shown_is_refused(config, tmp_path):
    with pytest.raises(ConfigError, match="with a bin, since binned_table"):
        planned(config, tmp_path, "elec2,knn,accuracy,81.6%,A\n", table1=BINNED, fig1=BINS)


def test_a_file_with_nothing_but_bins_is_refused_for_whole_streams(config, tmp_path):
    with pytest.raises(ConfigError, match="with no bin, since benchmark"):
        planned(config, tmp_path, "elec2,knn,accuracy,81.6%,A,2\n")


def test_plans_without_such_a_file_load_no_pandas():
    code = "import sys, streameval.pipeline.plan; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
