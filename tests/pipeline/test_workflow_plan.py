"""What the pipeline plans of the tiny configuration, before any work or with very little."""

from __future__ import annotations

import pytest
from helpers.projects import copy_project, run, run_with, two_items

from streameval.base.table_files import digest

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def plan(tmp_path_factory, environment):
    """What Snakemake says of a run before anything has been made."""
    project = copy_project(tmp_path_factory.mktemp("plan") / "project")
    return run(project, environment, "--cores", "1", "--dry-run")


def test_a_job_does_what_takes_seconds_for_a_whole_study(plan):
    """Each job loads Python and its packages anew, which takes longer than most figures."""
    table = plan.partition("Job stats:")[2]
    assert table.partition("total")[2].split()[0] == "89"


def test_every_output_is_a_target(plan, project, environment):
    """Of a file that only other rules ask for, nobody would notice that it was deleted."""
    targets = plan.partition("rule all:\n    input: ")[2].partition("\n")[0].split(", ")
    made = [line.split("\t")[0] for line in run(project, environment, "--summary").splitlines()]
    made = [path for path in made if path.startswith(("results/", "figures/"))]
    assert len(made) > 50
    assert set(made) == set(targets)


def test_a_figure_without_a_stream_is_not_drawn(project, environment):
    words = (two_items(project, streams=[]), "--cores", "1", "figures/two/fig1")
    said = run_with(*words, cwd=project, environment=environment, fails=True)
    assert "No rule to produce figures/two/fig1" in said
    assert not (project / "figures" / "two" / "fig1").exists()


def test_the_rules_take_an_id_with_a_fraction(project, environment):
    words = (two_items(project, streams=["hyp_10_0.001"]), "--summary")
    planned = run_with(*words, cwd=project, environment=environment)
    rules = dict(line.split("\t")[0:3:2] for line in planned.splitlines() if "hyp_10" in line)
    assert rules["resources/streams/hyp_10_0.001.parquet"] == "generate_stream"
    assert rules["results/data/two/fig1/hyp_10_0.001.curves.csv"] == "trace_hyp_10_0_001"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--config", "scal=quick"], "unknown key scal"),
        (["--shared-fs-usage", "persistence"], "expected machines that share the disk"),
        ([], "no stream 'markov_mars'"),
    ],
)
def test_mistakes_stop_the_run_before_any_work(project, environment, words, message):
    if not words:
        config = project / "config" / "test.yaml"
        text = config.read_text(encoding="utf-8").replace("[markov_ozone]", "[markov_mars]")
        config.write_text(text, encoding="utf-8")
    assert message in run(project, environment, "--cores", "1", *words, fails=True)
    assert not (project / "results").exists()


def test_a_raw_file_survives_whatever_changes(project, environment, tmp_path):
    lines = "".join(f"{i % 3},{'a' if i % 5 else 'b'}\n" for i in range(300))
    mirror = tmp_path / "mirror"
    (mirror / "tiny").mkdir(parents=True)
    (mirror / "tiny" / "tiny.csv").write_text(f"x,class\n{lines}", encoding="utf-8")
    registry = project / "config" / "streams.yaml"
    entry = (
        "\n  tiny: {title: Tiny, file: tiny/tiny.csv, reader: csv, options: {target: class},\n"
        f"    sha256: {digest(mirror / 'tiny' / 'tiny.csv')}}}\n"
    )
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before + entry, encoding="utf-8")
    converted = "resources/streams/tiny.parquet"
    words = (two_items(project, streams=["tiny"]), "--cores", "1", converted)
    there = {**environment, "STREAMEVAL_DATA": str(mirror)}
    run_with(*words, cwd=project, environment=there)
    assert (project / converted).is_file()

    assert "Nothing to be done" in run_with(*words, cwd=project, environment=environment)
    changed = entry.replace("title: Tiny", "page: http://nowhere.invalid/, title: Tiny")
    registry.write_text(before + changed, encoding="utf-8")
    assert "fetch_raw" in run_with(*words, cwd=project, environment=environment)
    assert (project / "resources" / "raw" / "tiny" / "tiny.csv").read_text().endswith(lines)


def test_a_table_is_made_without_the_others_of_its_study(project, environment):
    """Table 5 is arithmetic; others of its study are of long runs."""
    said = run(project, environment, "--cores", "1", "-n", "results/tables/bifet2015/table5.csv")
    jobs = said.partition("Job stats:")[2].partition("total")[0].splitlines()[3:]
    assert [line.split() for line in jobs if line] == [["tabulate_table", "1"]]
