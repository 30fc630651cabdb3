"""Edits of users' code and of parameters rerun the learners, studies and figures that use them.

`base/test_user_code.py` has the forms in which code imports other code.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
import yaml
from helpers.projects import finish_without_running

from streameval.base.settings import ROOT, load_yaml
from streameval.learners.registry import LearnerSpec

#: A job in the output of a dry run.
JOB = re.compile(r"^Job \d+: (.+)$", re.MULTILINE)
PLAIN = """
import {name}_helper


class Mine:
    def __init__(self{parameters}):
        pass

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0
"""
KIND = """
from msgspec import Struct

from streameval.items.kind import ItemKind
from streameval.items.settings import StreamItemSettings


class Settings(StreamItemSettings, frozen=True, kw_only=True):
    pass


KINDS = (ItemKind(name="gaps", settings=Settings, reads="stream", frames={"gaps": ("length",)}),)


def study(stream_input):
    import kind_helper
"""
SHOW = """
from streameval.items.text_templates import TextTemplates

TEXTS = {"gaps": TextTemplates(menu_entry="gaps", caption="gaps.")}


def draw(frames, subject):
    pass
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


BAGGING = {"river.ensemble.BaggingClassifier": {"model": {"river_model.Fader": {}}, "n_models": 2}}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"learner": "plain:Mine", "wrapper": "resetting"}, {"plain.py", "helper.py"}),
        (
            {"learner": "plain:Mine", "parameters": {"options": {"weights": "weights/a.csv"}}},
            {"plain.py", "helper.py", "weights/a.csv"},
        ),
        ({"learner": "compiled:Mine"}, {"compiled.py", "helper.py"}),
        (
            {"learner": "river", "imports": ["river_model"], "parameters": {"model": BAGGING}},
            {"river_model.py", "helper.py"},
        ),
        (
            {
                "learner": "sklearn",
                "imports": ["estimators"],
                "parameters": {"model": "estimators.bayes.Bayes"},
            },
            {"estimators/__init__.py", "estimators/bayes.py", "estimators/deep.py"},
        ),
        (
            {
                "learner": "retrained",
                "imports": ["scaling"],
                "parameters": {"model": ["scaling.Scaler", "sklearn.naive_bayes.GaussianNB"]},
            },
            {"scaling.py", "helper.py"},
        ),
        ({"learner": "editable:Mine"}, {"clone/editable.py", "helper.py"}),
        ({"learner": "naive_bayes"}, set()),
    ],
    ids=lambda value: value["learner"] if isinstance(value, dict) else "",
)
def test_the_code_of_a_learner_is_all_that_its_row_names(tmp_path, monkeypatch, row, expected):
    modules = ("plain", "compiled", "river_model", "scaling", "clone/editable")
    write(
        tmp_path,
        {
            **{f"{name}.py": "import numpy, helper\n" for name in modules},
            **dict.fromkeys(("helper.py", "weights/a.csv", "weights/b.csv"), ""),
            **dict.fromkeys(("estimators/__init__.py", "estimators/deep.py"), ""),
            "estimators/bayes.py": "from .deep import smoothing\n",
        },
    )

    class Editable:
        """Finds a package in editable mode."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            return PathFinder.find_spec(name, [str(tmp_path / "clone")])

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable])
    spec = LearnerSpec(id="mine", title="Mine", folder=str(tmp_path), **row)
    assert {path.relative_to(tmp_path).as_posix() for path in spec.code()} == expected


@pytest.fixture
def study(tmp_path, environment):
    """A function that writes a study, takes it for run, and returns a planning function.

    The results are empty files, which Snakemake takes for those of a run (`--touch`).
    """
    folder = tmp_path / "study"
    variables = environment | {"PYTHONPATH": str(ROOT / "src")}

    def jobs() -> set[str]:
        """Messages of the jobs that a dry run plans."""
        return {match[1] for match in JOB.finditer(call(folder, variables, "-n"))}

    def finish(content: dict, files: dict[str, str]):
        write(folder, {"study.yaml": yaml.safe_dump(content), **files})
        pictures = [*content["streams"], "ranks"]
        finish_without_running(folder, pictures, partial(call, folder, variables))
        return folder, jobs

    return finish


def call(folder: Path, variables: dict[str, str], *words: str) -> str:
    places = ("--snakefile", str(ROOT / "Snakefile"), "--configfile", "study.yaml")
    command = [sys.executable, "-P", "-m", "snakemake", *places, "--cores", "1"]
    finished = subprocess.run(
        [*command, *words], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout + finished.stderr


@pytest.mark.workflow
@pytest.mark.long("Snakemake plans a study three times")
def test_an_edit_of_users_code_or_of_a_parameter_reruns_what_uses_it(study):
    """Each learner runs over a stream of its own, so that jobs name the learners."""
    rows = {
        "plain": {"learner": "plain:Mine"},
        "slow": {"learner": "slow:Mine", "slow": True},
        "seeded": {"learner": "seeded:Mine", "seeds": 2},
        "conformal": {"learner": "conformal:Mine", "wrapper": "conformal"},
        "untouched": {"learner": "untouched:Mine"},
    }
    names = (*rows, "hoeffding_tree", "naive_bayes")
    items = {
        name: {"kind": "overall_measures", "streams": [name], "learners": [name]} for name in names
    }
    items["seeded"]["kind"] = "benchmark"
    items["conformal"] |= {"kind": "binned_errors", "delay": {"conformal": 5}}
    items["gaps"] = {"kind": "gaps", "streams": ["gaps"]}
    streams = {name: {"generator": "sea", "rows": 60} for name in (*names, "gaps")}
    streams["conformal"] = {"generator": "planes", "rows": 60}
    content = {
        "studies": ["own"],
        "registries": {"learners": "learners.yaml"},
        "kinds": "own_gaps",
        "streams": streams,
        "learners": {name: {"title": name, **row} for name, row in rows.items()},
        "items": {"own": items},
    }
    files = {"own_gaps.py": KIND, "own_gaps_show.py": SHOW}
    for name in rows:
        parameters = ", seed" if name == "seeded" else ""
        files[f"{name}.py"] = PLAIN.format(name=name, parameters=parameters)
    helpers = [f"{name}_helper.py" for name in (*rows, "kind")]
    shipped = load_yaml(ROOT / "config" / "learners.yaml")
    files |= {"learners.yaml": yaml.safe_dump(shipped), **dict.fromkeys(helpers, "")}
    folder, jobs = study(content, files)
    shipped["hoeffding_tree"]["parameters"] = {"grace_period": 100}
    edited = dict.fromkeys({*helpers} - {"untouched_helper.py"}, "# Edited.\n")
    write(folder, edited | {"learners.yaml": yaml.safe_dump(shipped)})
    running = ("plain", "slow", "seeded", "hoeffding_tree")
    assert {job for job in jobs() if re.match("Running|Study|Tracing", job)} == {
        *(f"Running the learners over {name}: prequential" for name in running),
        "Running slow over slow: prequential",
        "Running the learners over seeded: prequential, seed 2",
        *("Study own/seeded", "Study own/conformal of conformal", "Tracing gaps"),
    }
