"""The walks of `docs/howto/extend.md`: their files and lines work as the page says."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partialmethod
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.commands import json_of, json_of_first, printed, refused
from helpers.pages import blocks
from helpers.scorecards import FOLDER as PUBLISHED
from helpers.scorecards import card_of, gaps, measures

import streameval as se
from streameval import papers
from streameval.base.errors import ConfigError, DataError
from streameval.base.settings import ROOT
from streameval.base.sources import LazyRegistry
from streameval.base.table_files import read_csv_table
from streameval.detectors.registry import DETECTORS
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import prediction_file
from streameval.items.kind import function_of
from streameval.learners.learner import CompiledLearner
from streameval.learners.registry import LEARNERS
from streameval.learners.tasks import CLASSIFICATION
from streameval.pipeline import products, study_jobs
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import make_plan
from streameval.pipeline.tasks import run_study, tabulate
from streameval.protocols.registry import PROTOCOLS
from streameval.report.results import Results
from streameval.report.scorecard import scorecard, scorecard_page
from streameval.significance.registry import TESTS
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert
from streameval.streams.registry import READERS
from streameval.view.markdown import markdown

PAGE = "docs/howto/extend.md"
EXTEND = ROOT / "examples" / "extend"
FIVE = "x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n6,b\n"


@dataclass(frozen=True)
class Here:
    """The working folder of a walk, and the output of commands there."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def json(self, *words: object) -> dict[str, Any]:
        return json_of(self.capsys, *words)

    def refusal(self, *words: object) -> str:
        return refused(self.capsys, *words)

    def write(self, name: str, content: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path


@pytest.fixture
def here(tmp_path, capsys, monkeypatch) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, capsys, monkeypatch)


# ---- a learner


def stream_of_three_classes() -> se.Stream:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + rng.normal(size=300) < 0, "a", np.where(X[:, 1] < 0, "b", "c"))
    X[rng.random(X.shape) < 0.1] = np.nan
    return se.from_pandas(pd.DataFrame(X, columns=[*"stuv"]).assign(label=y), "label")


def check_learner(here: Here) -> None:
    """It predicts as the plain class, whatever the protocol, and its parameter is checked."""
    (row,) = blocks(PAGE, "yaml", "A learner")
    rows = (ROOT / "config" / "learners.yaml").read_text(encoding="utf-8")
    here.write("config/learners.yaml", f"{rows}\n{dedent(row)}")
    plain = runpy.run_path(str(ROOT / "examples" / "nearest_mean.py"))["NearestMean"]
    stream = stream_of_three_classes()
    for protocol in ("prequential", "delayed:7", "bootstrap_validation:2"):
        for fading in (1.0, 0.9):
            defaults = {"__init__": partialmethod(plain.__init__, fading=fading)}
            twin = type("Twin", (plain,), defaults)
            learners = {"plain": twin, "fast": f"fast_mean:fading={fading}"}
            predictions = se.evaluate(stream, learners, protocol).predictions
            assert predictions["plain"].nunique() == 3
            pd.testing.assert_series_equal(
                predictions["fast"], predictions["plain"], check_names=False, check_dtype=False
            )
    with pytest.raises(ConfigError, match=r"fading.*2"):
        se.evaluate(stream, "fast_mean:fading=2")
    assert "Nearest mean (compiled)" in printed(here.capsys, "learners")


def test_the_study_of_the_compiled_learner_outside_is_planned(here):
    """The same file beside a study, as `docs/howto/own_learner.md` has it."""
    file = EXTEND / "learner" / "study.yaml"
    here.monkeypatch.chdir(file.parent)
    here.monkeypatch.syspath_prepend(file.parent)
    plan = make_plan(merge_files([file]), decide=False, files=[file])
    row = plan.learners["fast_mean"]
    learner = row.make()
    sys.modules.pop("fast_mean")
    assert isinstance(learner, CompiledLearner)
    assert (type(learner).__name__, learner.fading) == ("FastMean", 0.999)
    assert "fast_mean" in plan.learners_of("elec2", "prequential")
    assert [path.name for path in row.code()] == ["fast_mean.py"]


# ---- a kind


RAIN = "hour,rain\n1,no\n2,no\n3,yes\n4,yes\n5,yes\n6,yes\n7,no\n8,yes\n"
WEATHER = "streams:\n  weather: {file: weather.csv, title: Weather, target: rain}\n"


@pytest.mark.parametrize("longest", [1, 3, 8])
def test_expected_runs_are_the_mean_over_all_streams_of_independent_labels(longest):
    """All streams of eight labels of two classes, each with its probability."""
    kind = runpy.run_path(str(EXTEND / "kind" / "label_runs.py"))
    n, p = 8, np.array([0.3, 0.7])
    expected = np.zeros(longest)
    for number in range(2**n):
        labels = np.array([number >> i & 1 for i in range(n)], np.int32)
        expected += np.prod(p[labels]) * kind["runs_by_length"](labels, longest)
    assert kind["expected_runs"](p, n, longest) == pytest.approx(expected)


def check_kind(here: Here) -> None:
    """A study has its figure and its table, of a stream that can be counted by hand."""
    for name in ("label_runs.py", "label_runs_show.py"):
        shutil.copy(EXTEND / "kind" / name, here.folder)
    here.write("weather.csv", RAIN)
    study = (EXTEND / "kind" / "study.yaml").read_text(encoding="utf-8")
    study = WEATHER + study.replace("streams: [elec2, ozone]", "streams: [weather]")
    file = here.write("study.yaml", study.replace("longest: 100", "longest: 3"))
    plan = make_plan(merge_files([file]), decide=False, files=[file])
    spec = plan.registry["weather"]
    write_stream(convert(spec, spec.file), study_jobs.stream_file("weather"))
    (job,) = study_jobs.studies(plan)
    (task,) = job.tasks
    inputs = [path for paths in job.inputs.values() for path in paths]
    run_study(task, inputs, job.outputs, lambda line: None)
    runs = read_csv_table(task["frames"]["runs"])
    # Runs of 2, 4, 1 and 1 labels; the one of 4 counts as 3.
    assert runs["length"].tolist() == [1, 2, 3]
    assert runs["count"].tolist() == [2, 1, 1]
    (tables,) = products.table_jobs(plan)
    (task,) = tables.tasks
    inputs = [path for paths in tables.inputs.values() for path in paths]
    table = tabulate(task, inputs, {})
    assert table[["stream", "runs"]].to_numpy().tolist() == [["weather", 4]]
    # A new run begins at each of 7 places with probability 2 * 3/8 * 5/8.
    assert table["independent"].tolist() == pytest.approx([1 + 7 * 2 * 3 / 8 * 5 / 8])
    figure, of_totals = (plan.items[f"label_runs/{name}"] for name in ("fig1", "table1"))
    subject = Subject(settings=figure.settings, title="Weather")
    (axes,) = function_of(figure.kind, "draw")({"runs": runs}, subject).axes
    assert axes.lines[0].get_ydata().tolist() == [2, 1, 1]
    subject = Subject(settings=of_totals.settings, streams={"weather": "Weather"})
    frame_table = function_of(of_totals.kind, "layout")(table, subject)
    assert "| Weather | 4 | 4 | 0.93 |" in markdown(frame_table, "")
    (caption,) = products.captions_of(plan, figure).values()
    assert "those of 3 labels or more" in caption
    here.write("study.yaml", study.replace("longest: 100", "longest: 1"))
    with pytest.raises(ConfigError, match=r"study\.yaml.*longest.*2.*1"):
        make_plan(merge_files([file]), decide=False, files=[file])


# ---- a paper


def check_paper(here: Here) -> None:
    """The scorecard has its numbers and its claim, and those of other papers as before."""
    here.monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(EXTEND / "paper")])
    published = Path(shutil.copytree(PUBLISHED, here.folder / "published"))
    shutil.copytree(EXTEND / "paper" / "published", published / "example2020")
    accuracies = measures("elec2", no_change__accuracy=0.8533, hoeffding_tree__accuracy=0.791)
    assert list(papers.all_papers())[-1] == "example2020"  # of 2020, after all others
    for difference, verdict in (
        (-0.06, "claim holds"),
        (-0.0095, "claim undecided"),  # its interval reaches to -0.0105
        (0.06, "claim does not hold"),
    ):
        gap = gaps("elec2", hoeffding_tree__no_change=difference)
        ours = {"measures": accuracies, "differences": gap}
        card = card_of(ours, folder=published)
        rows = card[card["paper"] == "example2020"]
        assert rows[["item", "key", "verdict"]].to_numpy().tolist() == [
            ["table1", "elec2/no_change", "reproduced"],
            ["table1", "elec2/hoeffding_tree", "differs"],
            ["table1", "no_change_is_better", verdict],
        ]
    assert "the Hoeffding tree by at least 0.01; a difference" in rows["rule"].iloc[-1]
    older = [name for name in papers.all_papers() if name != "example2020"]
    alone = scorecard(papers.select_papers(older), PUBLISHED, Results(ours))
    pd.testing.assert_frame_equal(card.drop(rows.index), alone)
    page = scorecard_page(card, list(papers.all_papers().values()))
    assert "Example and Sample (2020)" in page
    assert "How often labels repeat. A Journal" in page
    content = (EXTEND / "paper" / "example2020.yaml").read_text(encoding="utf-8")
    study = here.write("study.yaml", f"studies: [example2020]\n{content}")
    item = make_plan(merge_files([study]), decide=False, files=[study]).items["example2020/table1"]
    assert item.learners == ("no_change", "hoeffding_tree")


# ---- others, which a line registers


def check_protocol(here: Here) -> None:
    """Commands, captions and items know it."""
    here.write("five.csv", FIVE)
    words = ("evaluate", "five.csv", "--target", "y", "--learner", "no_change", "--protocol")
    # No-Change repeats the third label, b, for the rest: b, a, b.
    measured = json_of_first(here.capsys, *words, "hold_out:3")
    assert measured["accuracy"] == pytest.approx(2 / 3)
    expected = "expected a value for train (number of instances to learn from)"
    assert expected in here.refusal(*words, "hold_out")
    item = {"kind": "overall_measures", "streams": ["ozone"], "learners": ["no_change"]}
    study = {"studies": ["mine"], "items": {"mine": {"table1": item}}}
    item["protocol"] = {"name": "hold_out", "train": 7}
    file = here.write("study.yaml", json.dumps(study))
    plan = make_plan(merge_files([file]), decide=False, files=[file])
    protocol = plan.items["mine/table1"].protocol
    assert protocol.title == "hold-out after 7 instances"
    assert prediction_file("ozone", protocol).name == "ozone.hold_out-7.parquet"


def check_detector(here: Here) -> None:
    """Its alarms are those of the errors; the command lists it and checks its parameter."""
    errors = [0, 1, 1, 1, 1, 0, 1]
    assert DETECTORS["in_a_row"](errors=2).run(errors).changes.tolist() == [2, 4]
    assert re.search(r"in_a_row +Errors in a row .* errors=5", printed(here.capsys, "detectors"))
    words = ("detect", "ozone", "--rows", 400, "--learner", "no_change", "--detector")
    alarms = here.json(*words, "in_a_row:2")["detectors"][0]["rows"]
    labels = se.load("ozone").y[:400].tolist()
    expected, length = [], 0
    for row in range(1, 400):
        length = length + 1 if labels[row] != labels[row - 1] else 0
        if length == 2:
            expected.append(row)
            length = 0
    assert alarms == expected != []
    assert "errors" in here.refusal(*words, "in_a_row:0")


def check_reader(here: Here) -> None:
    """A row of the registry names it; the command reads the file, and refuses another text."""
    (row,) = blocks(PAGE, "yaml", "A reader")
    streams = (ROOT / "config" / "streams.yaml").read_text(encoding="utf-8")
    here.write("config/streams.yaml", f"{streams}\n  {row.strip()}\n")
    file = here.write("resources/raw/weather/weather.jsonl", "")
    shutil.copy(EXTEND / "reader" / file.name, file)
    stream = se.load("weather")
    assert [attribute.name for attribute in stream.schema.attributes] == ["hour"]
    assert (stream.schema.classes, stream.y.tolist()) == (("no", "yes"), [0, 1, 1, 0])
    assert np.isnan(stream.X[2, 0])
    assert here.json("check", "weather")["in_all"] == 4
    file.write_text("hour,rain\n1,no\n", encoding="utf-8")
    assert "expected a JSON object in each line" in here.refusal("check", "weather")


def check_significance_test(here: Here) -> None:
    result = TESTS["binomial"](9, 10, 0.5)
    assert TESTS["binomial"].title == "Binomial test of accuracy"
    assert result.statistic == 0.9
    assert result.p_value == pytest.approx(22 / 1024)  # 0, 1, 9 or 10 of 10 fair coins
    with pytest.raises(DataError, match=r"from 0 to 10.*found 11"):
        TESTS["binomial"](11, 10, 0.5)


#: The checks of the walks by the section of the page, with the registries that have their lines.
WALKS: dict[str, tuple[Callable[[Here], None], LazyRegistry[Any] | None]] = {
    "A learner": (check_learner, LEARNERS),
    "A kind": (check_kind, None),
    "A paper": (check_paper, None),
    "A protocol": (check_protocol, PROTOCOLS),
    "A detector": (check_detector, DETECTORS),
    "A reader": (check_reader, READERS),
    "A significance test": (check_significance_test, TESTS),
}


@pytest.fixture
def registered(monkeypatch) -> Iterator[Callable[[str, LazyRegistry[Any]], None]]:
    """Function that does for this process what the line of a walk does in a registry."""
    modules = []

    def register(title: str, registry: LazyRegistry[Any]) -> None:
        (line,) = blocks(PAGE, "text", title)
        name, place = re.fullmatch(r' *"(\w+)": "([\w.]+:\w+)",\n *', line).groups()
        module = place.partition(":")[0]
        package = import_module(module.rpartition(".")[0])
        (example,) = EXTEND.glob(f"*/{module.rpartition('.')[2]}.py")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(example.parent)])
        assert name not in registry
        monkeypatch.setitem(vars(registry)["_locations"], name, place)
        if registry is LEARNERS:
            monkeypatch.setitem(vars(registry)["_tasks"], name, (CLASSIFICATION,))
        modules.append((package, module))

    yield register
    for package, module in modules:
        vars(package).pop(module.rpartition(".")[2], None)
        sys.modules.pop(module, None)
    for name in [name for name in sys.modules if name.startswith("label_runs")]:
        del sys.modules[name]
    for name in [name for name in sys.modules if ".example2020" in name]:
        del sys.modules[name]


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_adds_what_it_says(title, here, registered):
    check, registry = WALKS[title]
    if registry is not None:
        registered(title, registry)
    check(here)


def test_an_item_is_a_block_of_yaml(here):
    (block,) = blocks(PAGE, "yaml", "An item")
    file = here.write("item.yaml", block)
    config = {**merge_files([file]), "studies": "all"}
    item = make_plan(config, decide=False, files=[file]).items["beyond/persistence"]
    assert (item.kind.name, item.settings.orders) == ("dependence", 20)
    assert item.streams == ("elec2", "markov_elec2")


def test_every_example_is_that_of_a_walk():
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    folders = {path.name for path in EXTEND.iterdir() if path.is_dir()}
    assert folders == set(re.findall(r"\(\.\./\.\./examples/extend/(\w+)/", text))
    lines = set(re.findall(r'^ *"\w+": "[\w.]+:\w+",$', text, re.MULTILINE))
    assert len(lines) == len([registry for _, registry in WALKS.values() if registry])
