"""A study of one's own, run in an empty folder from the built package."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers import first_page
from helpers.distributions import build
from helpers.latex import read_latex
from helpers.shadows import shadow

import streameval as se
from streameval.base.settings import ROOT, load_yaml
from streameval.base.sources import cache_folder
from streameval.base.table_files import read_csv_table
from streameval.cli import main
from streameval.learners.adapters.moa import write_arff
from streameval.view.numbers import number_text

STUDY = """
studies: [mine, main]
registries: {streams: streams.yaml}
streams:
  weather: {file: weather.arff, title: Weather}
  sea: {generator: sea, rows: 1000}
  hills: {generator: planes, rows: 600, classes: 0}
learners:
  nearest: {learner: "nearest_mean:NearestMean", title: Nearest mean}
items:
  mine:
    fig1: {kind: measures, streams: [weather], window: 1000,
           learners: [no_change, hoeffding_tree, nearest], measures: [accuracy, kappa_temporal]}
    table1: {kind: overall_measures, streams: [weather], learners: [hoeffding_tree, nearest]}
    table2: {kind: overall_measures, streams: [weather], learners: [naive_bayes],
             protocol: {name: cross_validation, folds: 3}}
    ranks: {kind: critical_difference, streams: [weather, led, sea], protocol: "delayed:25",
            learners: [no_change, majority, naive_bayes]}
    numbers: {kind: benchmark, streams: [hills], rows: 500, learners: [fimt_dd],
              measures: [mean_absolute_error, skill_over_target_mean]}
  main:
    table1: {kind: benchmark, streams: [sea], learners: [naive_bayes, leveraging_bagging], seeds: 2}
    table2: {kind: benchmark_costs, of: table1}
"""
#: A registry of streams in which the checks of an entry, such as `rows`, are left out.
LED = "resources/raw/led.arff"
REGISTRY = """
streams:
  led: {file: led.arff, title: LED, reader: arff}
"""


def write(folder):
    """Write a study, and what it names."""
    (folder / "mine.yaml").write_text(STUDY, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "nearest_mean.py", folder)
    (folder / "streams.yaml").write_text(REGISTRY, encoding="utf-8")
    (folder / LED).parent.mkdir(parents=True)
    write_arff(se.generate("sea", rows=1500), folder / "weather.arff")
    write_arff(se.generate("led", rows=900), folder / LED)
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write(tmp_path)


@pytest.fixture(scope="module")
def run(environment, tmp_path_factory):
    """A function that runs a command in a folder as a user of the built wheel does."""
    place = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build(ROOT, place / "built", "wheel")[".whl"]) as archive:
        archive.extractall(place / "packages")
    # The same sources: what the clone has compiled is theirs, too.
    (place / "kernels").mkdir()
    (place / "kernels" / "streameval").symlink_to(cache_folder())
    variables = environment | {"PYTHONPATH": str(place / "packages")}
    variables |= {"NUMBA_CACHE_DIR": str(place / "kernels")}
    code = "import sys; del sys.path[0]; from streameval.__main__ import main; sys.exit(main())"

    def call(folder, *words):
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


#: Results of the studies of the project, which may be in the folder of a study.
OTHERS = [
    *(
        "results/index.html",
        "results/measures.csv",
        "results/digests.json",
        "results/scorecard.csv",
    ),
    *("results/beyond.html", "results/data/beyond/order/elec2.shares.csv"),
    *("results/tables/bifet2013/table1.csv", "figures/bifet2013/fig1/elec2.svg"),
    "results/predictions/elec2.prequential.parquet",
]


@pytest.fixture(scope="module")
def run_folder(run, tmp_path_factory):
    """The folder of a study after its run."""
    folder = write(tmp_path_factory.mktemp("mine"))
    for other in OTHERS:
        (folder / other).parent.mkdir(parents=True, exist_ok=True)
        (folder / other).write_text("of another run")
    add_example(folder)
    shadow(folder)
    finished = run(folder, "run", "mine.yaml", "--cores", "2")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert not list(folder.rglob("RAN_*"))  # no job imports a file that is here
    assert Path(finished.stdout.strip().splitlines()[-1].removeprefix("Done. Open ")) == (
        pages_of(folder) / "index.html"
    )
    return folder


def add_example(folder):
    """Make the study of the examples another one of the run."""
    shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
    study, example = (load_yaml(folder / name) for name in ("mine.yaml", "study.yaml"))
    for key, content in example.items():
        study[key] = study[key] + content if key == "studies" else study[key] | content
    (folder / "mine.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")


def pages_of(folder):
    """The folder of the pages of the run."""
    (index,) = (folder / "results" / "summary").glob("*/index.html")
    return index.parent


@pytest.mark.workflow
def test_one_file_and_one_command_leave_pages(run_folder):
    report = (pages_of(run_folder) / "index.html").read_text(encoding="utf-8")
    (streams, _, times, digests) = first_page.tables(report)
    assert {row["stream"] for row in digests} <= {row["stream"] for row in streams}
    assert all(len(row["SHA-256"]) == 64 for row in digests)
    assert digests
    logs = [path for path in (run_folder / "logs").rglob("*.log") if path.stem != "write_pages"]
    assert times[-1] | {"part": "all", "jobs": str(len(logs))} == times[-1]  # of all jobs
    left = {str(path.relative_to(run_folder)) for path in run_folder.rglob("*.*") if path.is_file()}
    assert {(run_folder / other).read_text() for other in OTHERS} == {"of another run"}
    left -= {*OTHERS}
    products = {path for path in left if path.startswith(("figures/mine/", "results/tables/mine/"))}
    assert {path for path in products if "/." not in path} == {
        *(
            f"figures/mine/{picture}.{form}"
            for picture in ("fig1/weather", "numbers/ranks", "ranks/ranks")
            for form in ("pdf", "svg")
        ),
        *(
            f"results/tables/mine/{table}.{form}"
            for table in ("table1", "table2", "ranks", "numbers")
            for form in ("csv", "json", "html", "md", "tex")
        ),
    }
    assert (pages_of(run_folder) / "measures.csv").is_file()
    table = read_csv_table(run_folder / "results" / "tables" / "mine" / "table1.csv")
    learners = ["No-Change", "Majority", "Hoeffding tree", "Nearest mean"]
    assert table["learner"].tolist() == learners
    text = "\n".join(first_page.lines(report))
    assert re.search(r"\nNearest mean .*No-Change.*\[.+, .+\]; .*Majority", text)
    row_of_stream = {name: rest for name, *rest in (row.values() for row in streams)}
    assert row_of_stream["weather"] == ["Weather", "1,500", "3", "2 classes", "your own"]
    assert row_of_stream["led"] == ["LED", "900", "24", "10 classes", "real"]
    # The same as without the pipeline.
    models = ["hoeffding_tree", runpy.run_path(str(run_folder / "nearest_mean.py"))["NearestMean"]]
    result = se.evaluate(se.read(run_folder / "weather.arff"), models)
    for column, text in result.measures("accuracy", "kappa_temporal").items():
        values, expected = table[column].tolist()[2:], text.tolist()[:2]
        assert values == pytest.approx(expected, abs=1e-12)


@pytest.mark.workflow
def test_the_example_study_has_its_pages(run_folder):
    """Its first page says what the commands say: on arrival, against the baselines."""
    assert (run_folder / "figures/example/fig1/loans.svg").is_file()
    assert (run_folder / "figures/example/fig2/demand.svg").is_file()
    assert (pages_of(run_folder) / "example.html").is_file()
    index = (pages_of(run_folder) / "index.html").read_text(encoding="utf-8")
    page, (streams, *_) = "\n".join(first_page.lines(index)), first_page.tables(index)
    loans = run_folder / "loans.csv"
    stream = se.read(loans, target="paid", time="asked", label_time="settled")
    differences = se.evaluate(stream, "naive_bayes").over_baselines()["naive_bayes"]
    for name, said in {"no_change": "No-Change", "majority": "Majority"}.items():
        value, low, high = (number_text(100 * x, 2) for x in differences[name][:3])
        assert f"beats {said} by {value} points [{low}, {high}]" in page
    assert "FIMT-DD loses to the previous target: its error is higher by 39.0 %" in page
    assert "268 of 2,000 labels have not arrived" in page
    cells = ["Hourly demand (simulated)", "3,000", "4", "a number"]
    assert cells in [[*row.values()][1:5] for row in streams]
    assert "Scale" not in page
    table = pd.read_csv(run_folder / "results/tables/example/table1.csv")
    assert table.astype(str).apply(lambda column: column.str.contains("Nearest mean")).any().any()


@pytest.mark.workflow
def test_a_table_of_a_numeric_target_has_the_numbers_of_evaluate(run_folder):
    table = read_csv_table(run_folder / "results" / "tables" / "mine" / "numbers.csv")
    assert set(table["stream"]) == {"hills_first_500"}
    result = se.evaluate(se.generate("planes", rows=500), "fimt_dd")
    measured = result.to_dict("mean_absolute_error", "skill_over_target_mean")
    assert list(dict.fromkeys(table["learner"])) == [*measured] == ["fimt_dd", *result.baselines]
    for learner, measure, mean in table[["learner", "measure", "mean"]].itertuples(index=False):
        assert mean == pytest.approx(measured[learner][measure], rel=1e-12)
    page = (pages_of(run_folder) / "index.html").read_text(encoding="utf-8")
    lines = "\n".join(first_page.lines(page))
    assert "hills, the first 500: does a learner beat the previous target" in lines


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("table", "protocol", "caption"),
    [
        (
            "table2",
            "cross_validation:3",
            (
                "Measures over whole streams; protocol: 3-fold cross-validation, tested on "
                "instances before they are learnt"
            ),
        ),
        (
            "ranks",
            "delayed:25",
            "Mean ranks of learners over streams; protocol: labels delayed by 25 instances",
        ),
    ],
)
def test_tables_by_other_protocols_name_them(run_folder, table, protocol, caption):
    stem = run_folder / "results" / "tables" / "mine" / table
    frame = read_csv_table(stem.with_suffix(".csv"))
    assert set(frame["protocol"]) == {protocol}
    assert f"**{caption}.**" in stem.with_suffix(".md").read_text(encoding="utf-8")
    page = (pages_of(run_folder) / "mine.html").read_text(encoding="utf-8")
    (section,) = re.findall(rf'<section id="{table}" class="item">(.*?)</section>', page, re.DOTALL)
    captions = re.findall("<figcaption>(.*?)</figcaption>", section, re.DOTALL)
    assert len(captions) == (2 if table == "ranks" else 1)  # that of the figure, too
    words = caption.partition("protocol: ")[2]
    assert all(f" Protocol: {words}." in caption for caption in captions)
    if table == "table2":  # the numbers are those of the protocol, too
        stream = se.read(run_folder / "weather.arff")
        result = se.evaluate(stream, "naive_bayes", protocol=protocol).measures("accuracy", "kappa")
        (row,) = frame[frame["learner"] == "Naive Bayes"].to_dict("records")
        for measure in ("accuracy", "kappa"):
            assert row[measure] == pytest.approx(result[measure].iloc[0], abs=1e-12)


@pytest.mark.workflow
def test_a_main_table_has_seeds_ranks_and_costs(run_folder):
    results = run_folder / "results"
    scores = pd.read_csv(results / "data" / "main" / "table1" / "scores.csv")
    seeds = scores[scores["measure"] == "accuracy"].groupby("learner")["seed"].apply(list)
    assert seeds.to_dict() == {
        "naive_bayes": [1],
        "leveraging_bagging": [1, 2],
        "no_change": [1],
        "majority": [1],
    }
    assert "± " in read_latex((results / "tables/main/table1.tex").read_text(encoding="utf-8"))
    digested = (pages_of(run_folder) / "digests.json").read_text(encoding="utf-8")
    assert "tables/main/table1.csv" in digested
    assert "main/table2.csv" not in digested  # no two runs take the same times
    assert (results / "tables" / "main" / "table2.html").stat().st_size > 0
    assert (run_folder / "figures" / "main" / "table1" / "ranks.svg").stat().st_size > 0
    assert len([*results.rglob("predictions/**/seed-2/sea.prequential.parquet")]) == 1


@pytest.mark.workflow
@pytest.mark.long("Snakemake plans a study, and the fixture runs it")
def test_a_study_that_was_moved_has_nothing_to_do(run, run_folder, tmp_path):
    there = shutil.copytree(run_folder, tmp_path / "elsewhere" / "mine")
    before = content(there)
    # Its files are still looked at, even if what has replaced them is older.
    replace_by_older(there / LED, "% edited\n")
    replace_by_older(there / "nearest_mean.py", "# edited\n")
    planned = run(there, "run", "mine.yaml", "--", "-n")
    output = planned.stdout + planned.stderr
    assert planned.returncode == 0, output
    for job, wanted in (
        ("Reading led", True),
        ("Running the learners over weather: prequential", True),
        ("Reading weather", False),
        ("Running the learners over weather: delayed", False),  # without this learner
    ):
        assert (job in output) is wanted, output
    edited = {LED, "nearest_mean.py"}
    assert {path for path, text in content(there).items() if before.get(path) != text} == edited


def content(folder):
    """The files of a folder but for the state of Snakemake, with their content and times."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and ".snakemake" not in path.parts
    }


def replace_by_older(path, more):
    other = path.with_suffix(".other")
    other.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    os.utime(other, (10**9, 10**9))
    other.replace(path)


@pytest.mark.workflow
@pytest.mark.long("Snakemake runs a study twice, and the fixture runs it")
def test_what_is_damaged_is_named_and_the_same_command_goes_on(run, run_folder, tmp_path):
    there = shutil.copytree(run_folder, tmp_path / "damaged")
    pictures = there / "figures" / "mine" / "fig1"
    whole = {path: path.read_bytes() for path in pictures.glob("weather.*")}
    for path, text in whole.items():
        path.write_bytes(text[:100])
    index = pages_of(there) / "index.html"
    index.unlink()
    failed = run(there, "run", "mine.yaml", "--cores", "2")
    assert failed.returncode == 2
    said = failed.stderr.rpartition("streameval: ")[2]
    assert "Repeat the same command to continue." in said
    assert re.search(r"figures/mine/fig1/weather\.\w+: expected .* Delete it and run again", said)
    finished = run(there, "run", "mine.yaml", "--cores", "2")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert {path: path.read_bytes() for path in whole} == whole
    assert index.is_file()


@pytest.mark.parametrize("words", [("mine.yaml", "--dry-run"), ("--dry-run", "mine.yaml")])
def test_options_of_snakemake_stand_behind_dashes(folder, monkeypatch, words):
    calls = []
    monkeypatch.setattr(
        "streameval.cli.run.run_snakemake", lambda command, **_: calls.append(command)
    )
    assert main(["run", *words, "--", "--forceall", "figures/mine/fig1"]) == 0
    (command,) = calls
    profile = Path(command[command.index("--workflow-profile") + 1])
    assert profile.is_absolute()  # not one that the folder of a study has
    assert (profile / "profile.yaml").is_file()
    assert command[-2:] == ["--forceall", "figures/mine/fig1"]
    assert str(folder / "mine.yaml") in command
