"""Jobs that a dry run plans after edits of users' code and of parameters of learners.

Each learner runs over a stream of its own, so that the jobs of one dry run name the learners. The
results of the study are empty files, which Snakemake takes for those of a run (`--touch`).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import yaml
from helpers.projects import finish_without_running

from streameval.base.settings import ROOT, load_yaml

pytestmark = pytest.mark.workflow

#: A job in the output of a dry run.
JOB = re.compile(r"^Job \d+: (.+)$", re.MULTILINE)
#: A learner that imports a module in its constructor.
PLAIN = """
class {name}:
    def __init__(self):
        {statement}

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0
"""
RIVER = """
from river import base
from river_helper import LABEL


class Fader(base.Classifier):
    def learn_one(self, x, y):
        pass

    def predict_one(self, x):
        return LABEL
"""
TRANSFORMER = """
import scaling_helper
from sklearn.preprocessing import StandardScaler


class Scaler(StandardScaler):
    pass
"""
ESTIMATOR = """
from sklearn.naive_bayes import GaussianNB
from .deep import smoothing


class Bayes(GaussianNB):
    pass
"""
COMPILED = """
from dataclasses import dataclass

from compiled_helper import LABEL
from streameval.learners.baselines import Majority


@dataclass(frozen=True)
class Mine(Majority):
    pass
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
import show_helper
from streameval.items.text_templates import TextTemplates

TEXTS = {"gaps": TextTemplates(menu_entry="gaps", caption="gaps.")}


def draw(frames, subject):
    pass
"""


def plain(name: str, statement: str) -> str:
    return PLAIN.format(name=name, statement=statement)


#: Files of the study's folder.
FILES = {
    "plain.py": plain("Itself", "self.label = 0"),
    "beside.py": plain("Beside", "import beside_helper"),
    "oneline.py": plain("OneLine", "if True: import oneline_helper"),
    "named.py": plain("Named", "__import__('importlib').import_module('named_helper')"),
    "further.py": plain("Further", "import further_helper"),
    "further_helper.py": "import on_path",
    "reading.py": plain("Reading", "open(__file__.parent / 'weights' / 'start.csv')"),
    "weights/start.csv": "1\n",
    "weights/given.csv": "1\n",
    "package/__init__.py": "",
    "package/learner.py": "from .parts import one\n" + plain("Relative", "one"),
    "package/parts/__init__.py": "",
    "package/parts/one.py": "from .. import two\n",
    "package/two.py": "",
    "river_model.py": RIVER,
    "estimators/__init__.py": "",
    "estimators/bayes.py": ESTIMATOR,
    "estimators/deep.py": "smoothing = 1\n",
    "untouched.py": plain("Untouched", "pass"),
    "scaling.py": TRANSFORMER,
    "compiled_learner.py": COMPILED,
    "given.py": plain("Given", "pass").replace("(self)", "(self, options)", 1),
    "seeded.py": """
import seeded_helper


class Seeded:
    def __init__(self, seed):
        pass

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0
""",
    "regressor.py": "import regressor_helper\n" + plain("Number", "pass"),
    "own_gaps.py": KIND,
    "own_gaps_show.py": SHOW,
    **{
        f"{name}_helper.py": "LABEL = 0\n"
        for name in (
            *("beside", "oneline", "named", "river", "scaling", "compiled", "regressor"),
            *("seeded", "kind", "show"),
        )
    },
}
#: Files elsewhere: of a folder on PYTHONPATH, and of a package in editable mode.
ELSEWHERE = {
    "path/on_path.py": "import on_path_too\n",
    "path/on_path_too.py": "",
    "path/sitecustomize.py": """
import sys
from importlib.machinery import PathFinder
from pathlib import Path


class Editable:
    def find_spec(name, path=None, target=None):
        if name == "editable":
            return PathFinder.find_spec(name, [str(Path(__file__).parents[1] / "clone")])


sys.meta_path.append(Editable)
""",
    "clone/editable/__init__.py": "",
    "clone/editable/learner.py": "from editable import inner\n" + plain("Installed", "inner"),
    "clone/editable/inner.py": "",
}
NESTED = {"river.ensemble.BaggingClassifier": {"model": {"river_model.Fader": {}}, "n_models": 2}}
#: Learners, each with the file that is edited; "" for none.
LEARNERS = {
    "itself": ({"learner": "plain:Itself"}, "plain.py"),
    "beside": ({"learner": "beside:Beside"}, "beside_helper.py"),
    "oneline": ({"learner": "oneline:OneLine"}, "oneline_helper.py"),
    "named": ({"learner": "named:Named"}, "named_helper.py"),
    "further": ({"learner": "further:Further"}, "path/on_path_too.py"),
    "reading": ({"learner": "reading:Reading"}, "weights/start.csv"),
    "given": (
        {"learner": "given:Given", "parameters": {"options": {"weights": "weights/given.csv"}}},
        "weights/given.csv",
    ),
    "relative": ({"learner": "package.learner:Relative"}, "package/two.py"),
    "installed": ({"learner": "editable.learner:Installed"}, "clone/editable/inner.py"),
    "wrapped": ({"learner": "further:Further", "wrapper": "resetting"}, "path/on_path.py"),
    "compiled": ({"learner": "compiled_learner:Mine"}, "compiled_helper.py"),
    "river": (
        {"learner": "river", "imports": ["river_model"], "parameters": {"model": NESTED}},
        "river_helper.py",
    ),
    "sklearn": (
        {
            "learner": "sklearn",
            "imports": ["estimators"],
            "parameters": {"model": "estimators.bayes.Bayes"},
        },
        "estimators/deep.py",
    ),
    "retrained": (
        {
            "learner": "retrained",
            "imports": ["scaling"],
            "parameters": {"model": ["scaling.Scaler", "sklearn.naive_bayes.GaussianNB"]},
        },
        "scaling_helper.py",
    ),
    "conformal": (
        {"learner": "regressor:Number", "wrapper": "conformal"},
        "regressor_helper.py",
    ),
    "seeded": ({"learner": "seeded:Seeded", "seeds": 2}, "seeded_helper.py"),
    "untouched": ({"learner": "untouched:Untouched"}, ""),
}
#: Learners of the project, also some that build on the compiled code of the first one.
SHIPPED = ("hoeffding_tree", "random_forest", "adaptive_random_forest", "naive_bayes")


def study_of_learners() -> dict:
    """A study with an item for each learner, over a stream of its own, and items of a kind."""
    names = (*LEARNERS, *SHIPPED)
    streams = {name: {"generator": "sea", "rows": 60} for name in (*names, "gaps")}
    streams["conformal"] = {"generator": "planes", "rows": 60}
    items = {
        name: {"kind": "overall_measures", "streams": [name], "learners": [name]} for name in names
    }
    items["conformal"] |= {"kind": "binned_errors", "delay": {"conformal": 5}}
    items["seeded"]["kind"] = "benchmark"
    items["gaps"] = {"kind": "gaps", "streams": ["gaps"]}
    lags = {"kind": "lags", "lags": {"labels": [0, 1]}, "measures": ["accuracy"]}
    items["lags"] = lags | {"streams": ["naive_bayes"], "learners": ["random_forest"]}
    return {
        "studies": ["own"],
        "registries": {"learners": "learners.yaml"},
        "kinds": "own_gaps",
        "streams": streams,
        "learners": {name: {"title": name, **row} for name, (row, _) in LEARNERS.items()},
        "items": {"own": items},
    }


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def study(tmp_path, environment):
    """A function that writes a study, takes it for run, and returns a planning function."""
    folder = tmp_path / "study"
    places = [ROOT / "src", tmp_path / "path"]
    variables = environment | {"PYTHONPATH": os.pathsep.join(map(str, places))}

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


def edit(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("# Edited.\n")


@pytest.mark.long("Snakemake plans a study four times")
def test_an_edit_of_users_code_or_of_a_parameter_reruns_the_learners_that_use_it(study, tmp_path):
    write(tmp_path, ELSEWHERE)
    shipped = load_yaml(ROOT / "config" / "learners.yaml")
    registry = {"learners.yaml": yaml.safe_dump(shipped)}
    folder, jobs = study(study_of_learners(), FILES | registry)
    edited = {name for _, name in LEARNERS.values()} - {""}
    for name in (*edited, "show_helper.py"):
        edit((tmp_path if name in ELSEWHERE else folder) / name)
    planned = jobs()
    names = (*LEARNERS, *SHIPPED)
    about = {name for name in names if any(computes(job, name) for job in planned)}
    assert about == {*LEARNERS} - {"untouched"}
    # What an item's pictures are drawn with computes nothing again.
    assert "Figures of own: conformal, gaps, lags, seeded" in planned
    assert "Tracing gaps" not in planned
    edit(folder / "kind_helper.py")
    shipped["hoeffding_tree"]["parameters"] = {"grace_period": 100}
    write(folder, {"learners.yaml": yaml.safe_dump(shipped)})
    more = {"Tracing gaps", "Running the learners over hoeffding_tree: prequential"}
    assert jobs() == planned | more


def computes(job: str, stream: str) -> bool:
    """Whether a job runs learners over a stream, or a study of it."""
    return bool(re.fullmatch(rf"(Running|Study|Tracing).* {stream}(: prequential)?", job))
