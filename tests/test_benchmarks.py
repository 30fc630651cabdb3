"""The tables of benchmarks, and the pages that show them."""

from __future__ import annotations

import importlib
import re
import sys

import pandas as pd
import pytest

from streameval.base.errors import DataError
from streameval.base.settings import ROOT
from streameval.learners.registry import load_learners
from streameval.streams.generators.random_rbf import RandomRbf

#: Benchmark, and on how many pages it is shown.
SHOWN = {
    "throughput": 2,
    "folds": 1,
    "reevaluation": 1,
    "type_errors": 1,
    "compilation": 1,
    "temporal": 1,
    "files": 1,
}


@pytest.fixture(autouse=True)
def _on_path(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


@pytest.fixture
def tables():
    return importlib.import_module("tables")


@pytest.mark.parametrize("name", SHOWN)
def test_the_pages_show_the_measured_tables_of_learners_that_there_are(name, tables):
    benchmark = importlib.import_module(name)
    table = pd.read_csv(benchmark.TABLE)
    texts = [text for page in tables.PAGES if (text := tables.table_text(page, name)) is not None]
    assert texts == [benchmark.page(table)] * SHOWN[name]
    assert set(table["learner"]) <= {*load_learners(ROOT / "config/learners.yaml"), "all of them"}
    for column in {"equal_answers", "equal_means", "equal_deviations"} & set(table):
        assert table[column].all()


def test_a_row_takes_the_place_of_the_one_with_its_keys_and_others_stay(tables, tmp_path):
    path, keys = tmp_path / "t.csv", {"stream": ["s", "t"], "learner": ["a", "b"]}
    path.write_text("learner,stream,n\nold,t,\n")
    for learner, stream, n in [("b", "t", 1), ("a", "t", None), ("b", "s", 3), ("a", "t", 40)]:
        table = tables.keep({"learner": learner, "stream": stream, "n": n}, path, keys)
    assert path.read_text() == "learner,stream,n\nb,s,3\na,t,40\nb,t,1\nold,t,\n"
    assert table.to_csv(index=False) == path.read_text()


def test_a_table_stands_between_its_marks(tables, tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("A\n<!-- x: begin --><!-- x: end -->\nB\n<!-- y: begin --><!-- y: end -->\n")
    monkeypatch.setattr(tables, "PAGES", [page])
    head = {"name": lambda r: r.name, "n": lambda r: f"{r.n}"}
    for n in (1, 2):
        text = tables.markdown(head, pd.DataFrame([{"name": "a", "n": n}]), right=1)
        tables.show("x", text)
    assert text == "| name | n |\n| --- | ---: |\n| a | 2 |\n"
    assert tables.table_text(page, "x") == text
    assert page.read_text().startswith(f"A\n<!-- x: begin -->\n\n{text}\n<!-- x: end -->\nB\n")
    assert page.read_text().endswith("<!-- y: begin --><!-- y: end -->\n")
    assert tables.table_text(page, "z") is None


def test_the_throughput_has_words_for_what_is_missing():
    throughput = importlib.import_module("throughput")
    numbers = ("instances", "moa_per_second", "ours_per_second", "model_bytes_ours")
    row = dict.fromkeys(numbers, 2000) | {"learner": "a", "stream": "s", "machine": "m"}
    row |= {"times_moa": 10, "equal_answers": True}
    row |= dict.fromkeys(("river_per_second", "times_river", "model_bytes_moa"))
    *_, cells, _, machine = throughput.page(pd.DataFrame([row])).splitlines()
    expected = ["a", "s", "2,000", "2,000", "–", "2,000", "10.0", "–", "yes", "not measured"]
    assert cells == f"| {' | '.join([*expected, '2,000'])} |"
    assert machine.startswith("Measured on: m; ")
    row |= {"times_streamdm": 3.25}
    head, _, cells, *_ = throughput.page(pd.DataFrame([row])).splitlines()
    assert cells.split(" | ")[head.split(" | ").index("× streamDM-C++")] == "3.2"


def test_passes_are_counted_as_the_study_is_configured():
    """Three schemes, two readings, three tests; the second learner also with noise, twice."""
    passes = importlib.import_module("type_errors").passes()
    assert [*passes.values()] == [3 * 2, 3 * 2 * (1 + 3), 3 * 2 * (1 + 3) * 3]


def groups_in_page(pattern):
    page = " ".join((ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8").split())
    (numbers,) = re.findall(pattern, page)
    return numbers


def test_numbers_about_files_on_the_page():
    files = importlib.import_module("files")
    assert groups_in_page(r"on the first (\S+) lines") == f"{files.FOR_PYTHON:,}"
    assert [*pd.read_csv(files.TABLE)["file"]] == [*files.ENDINGS]


def test_a_command_is_measured_without_whoever_starts_it():
    files, python = importlib.import_module("files"), [sys.executable, "-S", "-c"]
    run = files.run([*python, "print('x' * 3)"])
    assert run.out == "xxx\n"
    assert 0 < run.cpu < run.wall + 1
    assert 2e6 < run.peak < 6e7  # a bare Python, not this process with pandas
    with pytest.raises(DataError, match="ZeroDivisionError"):
        files.run([*python, "1 / 0"])


def test_packages_that_cannot_be_imported_are_left_out(capsys):
    available = importlib.import_module("files").available
    assert available(["json", "no_such_package", "csv"]) == ["json", "csv"]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Left out: no_such_package.")
    assert line.endswith("No module named 'no_such_package'")


def test_percentages_of_tools_are_compared():
    files = importlib.import_module("files")
    of = {
        "moa": "id,classifications correct (percent),kappa\n500,80.0,1\n1000,90.5,2\n",
        "capymoa": "Some of Java's words.\n90.5\n",
        "anew": '{"learners": {"hoeffding_tree": {"accuracy": 0.905}}}',
        "start": '{"learners": {"hoeffding_tree": {"accuracy": 0.906}}}',
    }
    runs = {name: [files.Run(1.0, 1.0, 1, out)] for name, out in of.items()}
    assert files.all_equal(runs, "moa", "anew", "capymoa", "again")
    assert not files.all_equal(runs, "moa", "start")
    assert files.all_equal({}, "capymoa", "start")


#: Reads what streamDM-C++ reads in the folder where it runs, and writes what that logs.
STREAMDM = """
import re, sys, time
from pathlib import Path
assert "console" in Path("conf/log4cpp.properties").read_text()
learner, source, every = re.fullmatch(
    r"EvaluatePrequential -l \\((.+)\\) -r ArffReader -ds (\\S+)"
    r" -e \\(BasicClassificationEvaluator -f (\\d+)\\)", sys.argv[1]).groups()
tested = Path(source).read_text().upper().split("@DATA")[1].count("C") - 1
tested -= learner.startswith("Bagging")
begun = time.process_time()
while learner == "NaiveBayes" and time.process_time() < begun + 0.3:
    pass
print(f"INFO    : learner: {learner}\\nDEBUG   : \\nInstancesSeen,Accuracy,Kappa Statistic")
if "AdaptiveTree" not in learner:
    print(*(f"{seen:g},0.75,0.5" for seen in range(1, tested + 1) if not seen % int(every)))
"""


def test_streamdm_is_called_as_it_reads_its_command_line(tmp_path, monkeypatch):
    throughput, contestants = map(importlib.import_module, ("throughput", "contestants"))
    program = tmp_path / "streamdm-cpp"
    program.write_text(f"#!{sys.executable} -S\n{STREAMDM}")
    program.chmod(0o755)
    monkeypatch.setenv("STREAMDM", str(program))
    arena = throughput.Arena(RandomRbf().stream(300), throughput.RBF_IN_MOA, tmp_path)
    seconds, accuracy = throughput.run_streamdm(
        contestants.CONTESTANTS["naive_bayes"].streamdm, arena
    )
    assert accuracy == 0.75
    assert throughput.run_streamdm(throughput.READING, arena)[0] + 0.2 < seconds < 1.5
    bagging = contestants.CONTESTANTS["online_bagging"].streamdm
    assert throughput.run_streamdm(bagging, arena)[1] == 0.75
    with pytest.raises(DataError, match=r"streamdm-cpp did not reach .*learner: Hoeffding"):
        throughput.run_streamdm(contestants.CONTESTANTS["hoeffding_adaptive_tree"].streamdm, arena)


def test_numbers_about_the_method_on_the_page():
    throughput, contestants = map(importlib.import_module, ("throughput", "contestants"))
    slow = contestants.CONTESTANTS["knn"]
    quick = contestants.CONTESTANTS["naive_bayes"]
    numbers = {20: "twenty", 3: "three", 5: "five"}
    measured = pd.read_csv(throughput.TABLE).query("stream == 'elec2'")["instances"].max()
    assert groups_in_page(
        r"`elec2` repeated (\w+) times, as one long stream of (\S+) instances"
    ) == (
        numbers[throughput.STREAMS["elec2"]],
        f"{measured:,}",
    )
    assert groups_in_page(r"k-NN\) get at most (\S+) instances and (\w+) repetitions") == (
        f"{slow.instances:,}",
        numbers[slow.repetitions],
    )
    assert groups_in_page(r"the minimum of at most (\w+) repetitions") == numbers[quick.repetitions]
    assert groups_in_page(r"the first (\S+) instances, of slow learners (\S+)\. ") == (
        f"{quick.river_instances:,}",
        f"{slow.river_instances:,}",
    )
    assert groups_in_page(r"or (\w+) seconds, have passed") == numbers[throughput.LONGEST_TURN]
