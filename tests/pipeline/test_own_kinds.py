"""Kinds of modules that a study names: the plan has them as it has the package's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, closure
from streameval.pipeline import page_content, products, study_jobs
from streameval.pipeline.plan import make_plan

DECLARED = """
from msgspec import Meta
from typing import Annotated

from streameval.items.kind import ItemKind
from streameval.items.settings import StreamItemSettings


class GapSettings(StreamItemSettings, frozen=True, kw_only=True):
    longest: Annotated[int, Meta(ge=1)] = 5


KINDS = (ItemKind(name="gaps", settings=GapSettings, reads="stream", frames={"gaps": ("length",)}),)
"""
STUDY = """
import measuring


def study(stream_input):
    return {"gaps": measuring.gaps(stream_input.stream)}
"""
MEASURING = "from streameval.streams.derived import arrivals\n"
SHOW = """
from streameval.items.text_templates import TextTemplates

TEXTS = {"gaps": TextTemplates(menu_entry="gaps", caption="gaps of at most {longest} labels.")}


def draw(frames, subject):
    from streameval.drawing import style

    return style.figure()
"""
#: The files of a module of kinds, and of a package of kinds.
MODULE = {"own_gaps.py": DECLARED + STUDY, "own_gaps_show.py": SHOW}
FAMILY = {
    "own_gaps/__init__.py": DECLARED.replace('name="gaps"', 'name="gaps", study="finding"'),
    "own_gaps/finding.py": STUDY,
    "own_gaps/show.py": SHOW,
}
ITEM = {"kind": "gaps", "streams": ["elec2"], "longest": 7}


@pytest.fixture
def plan_of(config, tmp_path):
    """A function that plans a study whose folder has some files."""

    def plan(files, item=ITEM, kinds="own_gaps", **more):
        folder = tmp_path / "config" / "studies"
        for name, text in {**files, "measuring.py": MEASURING}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        content = {"kinds": kinds, "items": {"own": {"fig1": item}}, **more}
        (folder / "own.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        config["studies"] = ["own"]
        return make_plan(config, decide=True)

    yield plan
    for name in [name for name in sys.modules if name.startswith(("own_gaps", "measuring"))]:
        del sys.modules[name]  # the next test has others of these names


def names(paths):
    return {str(path).rpartition("studies/")[2] for path in paths}


@pytest.mark.parametrize(
    ("files", "study", "show"),
    [
        (MODULE, ["own_gaps.py"], ["own_gaps.py", "own_gaps_show.py"]),
        (
            FAMILY,
            ["own_gaps/__init__.py", "own_gaps/finding.py"],
            ["own_gaps/__init__.py", "own_gaps/show.py"],
        ),
    ],
)
def test_jobs_and_pages_have_the_files_of_a_kind_and_jobs_what_these_import(
    plan_of, files, study, show
):
    plan = plan_of(files)
    item = plan.items["own/fig1"]
    assert (item.kind.name, item.settings.longest) == ("gaps", 7)
    (tracing,), (drawing,) = study_jobs.studies(plan), products.drawing_jobs(plan)
    shared = {"measuring.py"} if files is MODULE else set()
    assert names(tracing.inputs["code"]) == {*study, "measuring.py"}
    assert names(drawing.inputs["code"]) == {*show} | shared
    (task,) = tracing.tasks
    assert task["kind"] == {"module": "own_gaps", "name": "gaps", "folder": "config/studies"}
    assert task["settings"] == {"streams": ("elec2",), "longest": 7}
    code = [Path(path) for path in tracing.inputs["code"]]
    script = ROOT / "workflow" / "scripts" / "run_study.py"
    used = {"modules": tracing.modules, "entries": tracing.entries}
    derived = PACKAGE / "streams" / "derived.py"
    assert derived in closure(script, **used, code=code)
    assert derived not in closure(script, **used)
    (of_pages,) = page_content.studies_of(plan, [tracing, drawing])
    (item,) = of_pages["items"]
    assert [file["name"] for file in item["code"]] == [study[-1], show[-1]]
    assert item["subject"] == "gaps"
    (picture,) = item["pictures"]
    assert picture["caption"] == "Stream elec2: gaps of at most 7 labels."


TRAINING = """
from streameval.items.kind import ItemKind
from streameval.items.settings import StreamItemSettings


class Settings(StreamItemSettings, frozen=True, kw_only=True):
    learners: tuple[str, ...]


KINDS = (
    ItemKind(
        name="trained", settings=Settings, reads="stream", columns=("n",), trains="classifiers"
    ),
)


def study(given, item):
    pass
"""
LAYOUT = """
from streameval.items.text_templates import TextTemplates

TEXTS = {"trained": TextTemplates(title="Trained", menu_entry="trained", caption="trained.")}


def layout(table, subject):
    pass
"""


def test_a_table_that_trains_depends_on_the_code_of_its_learners(plan_of):
    rows = {"mine": {"learner": "own_gaps_learner:Mine", "title": "Mine"}}
    learner = "import measuring\n\n\nclass Mine:\n    learn = predict = lambda *_: None\n"
    files = {"own_gaps.py": TRAINING, "own_gaps_learner.py": learner, "own_gaps_show.py": LAYOUT}
    item = {"kind": "trained", "streams": ["elec2"], "learners": ["mine"]}
    (tables,) = products.table_jobs(plan_of(files, item, learners=rows))
    assert names(tables.inputs["code"]) == {*files, "measuring.py"}


@pytest.mark.parametrize(
    ("files", "changed", "message"),
    [
        (MODULE, {"kinds": "own gaps"}, r"at kinds.0: expected a module, .*found 'own gaps'"),
        (MODULE, {"kinds": "nowhere"}, r"at kinds: nowhere: cannot import 'nowhere'"),
        (MODULE, {"kinds": "measuring"}, r"at kinds: measuring: expected KINDS, .*measuring\.py"),
        (MODULE, {"item": ITEM | {"longst": 1}}, r"at items.own.fig1: .*longst; known are longest"),
        (MODULE, {"item": ITEM | {"kind": "gap"}}, r"at items.own.fig1.kind: .*'gap'.*gaps"),
        ({"own_gaps.py": "1 / 0"}, {}, r"at kinds: own_gaps: .*ZeroDivisionError.*own_gaps\.py"),
        (
            {"own_gaps.py": DECLARED.replace('name="gaps"', 'name="lags"')},
            {},
            r"at kinds: own_gaps: .*'lags', which streameval.items.dependence has",
        ),
        (
            {"own_gaps.py": DECLARED.replace('frames={"gaps": ("length",)}', "")},
            {},
            r"at kinds: own_gaps: .*'gaps': expected frames, .*columns",
        ),
        (
            {"own_gaps.py": DECLARED.replace('reads="stream"', 'reads="streams"')},
            {},
            r"at kinds: own_gaps: .*'gaps': reads: expected stream, .*found 'streams'",
        ),
        (
            MODULE | {"own_gaps.py": DECLARED},
            {},
            r"at kinds: own_gaps: .*'gaps': expected a function study .*own_gaps\.py",
        ),
        ({"own_gaps.py": DECLARED + STUDY}, {}, r"at kinds: own_gaps: .*'own_gaps_show'"),
        (
            MODULE | {"own_gaps_show.py": SHOW.replace("def draw", "def paint")},
            {},
            r"at kinds: own_gaps: .*'gaps': expected a function draw .*own_gaps_show\.py",
        ),
        (
            MODULE | {"own_gaps_show.py": SHOW.replace("TEXTS =", "CAPTIONS =")},
            {},
            r"at kinds: own_gaps: .*'gaps': expected TEXTS, .*own_gaps_show\.py",
        ),
    ],
)
def test_mistakes_are_named_with_the_file_and_the_key(plan_of, files, changed, message):
    with pytest.raises(ConfigError, match=f"^config/studies/own.yaml: {message}"):
        plan_of(files, **changed)


def other_folder(folder: Path, **content: object) -> Path:
    """Write a configuration elsewhere that names the kinds of the study, too."""
    file = folder / "elsewhere" / "more.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump({"kinds": ["own_gaps"], **content}), encoding="utf-8")
    return file


def test_studies_of_several_folders_share_an_installed_module(
    plan_of, config, tmp_path, monkeypatch
):
    plan_of(MODULE)
    installed = tmp_path / "installed"
    installed.mkdir()
    for name in (*MODULE, "measuring.py"):
        (tmp_path / "config" / "studies" / name).rename(installed / name)
    monkeypatch.syspath_prepend(installed)
    file = other_folder(tmp_path)
    for folder in (file.parent, tmp_path / "config" / "studies"):  # the installed one comes first
        (folder / "own_gaps.py").write_text("", encoding="utf-8")
    plan = make_plan(config | {"kinds": ["own_gaps"]}, decide=True, files=[file])
    assert plan.items["own/fig1"].kind.name == "gaps"


def test_two_modules_of_one_name_are_refused(plan_of, config, tmp_path):
    plan_of(MODULE)
    file = other_folder(tmp_path)
    (file.parent / "own_gaps.py").write_text(DECLARED, encoding="utf-8")
    both = r".*studies/own_gaps\.py and .*elsewhere/own_gaps\.py"
    message = rf"at kinds: own_gaps: expected a module with a name of its own, found {both}"
    with pytest.raises(ConfigError, match=message):
        make_plan(config | {"kinds": ["own_gaps"]}, decide=True, files=[file])


def test_a_caption_that_quotes_no_setting_is_named(plan_of):
    plan = plan_of(MODULE | {"own_gaps_show.py": SHOW.replace("{longest}", "{longst}")})
    with pytest.raises(ConfigError, match=r"own/fig1: .*'gaps'.*\{longst\}.*longest"):
        products.captions_of(plan, plan.items["own/fig1"])
