"""Rows of settings import the modules that they name, and construct nothing before a run."""

from __future__ import annotations

import sys

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.cli import main
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.pipeline.plan import make_plan
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea

#: A module of the user's own: each class leaves a trace when it is constructed.
MODULE = """
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from river.base import Classifier
from sklearn.base import BaseEstimator, ClassifierMixin

from streameval.learners.regression.fimt_dd import FimtDD
from streameval.learners.trees.hoeffding_tree import HoeffdingTree

TRACE = Path(__file__).with_name("trace")


class Traced:
    def __init__(self, seed=None):
        TRACE.write_text(type(self).__name__)


class Plain(Traced):
    def learn(self, x, y, w): ...
    def predict(self, x): ...


class Stepwise(Traced):
    def learn_one(self, x, y): ...
    def predict_one(self, x): ...


class OfRiver(Stepwise, Classifier):
    seed = None


class Batch(Traced):
    def fit(self, X, y): ...
    def predict(self, X): return [0] * len(X)


class Partial(Batch, ClassifierMixin):
    def partial_fit(self, X, y, classes=None): ...


@dataclass(frozen=True)
class Tree(Traced, HoeffdingTree):
    grace_period: int = 7

    def __post_init__(self):
        super().__init__()
        super().__post_init__()


@dataclass(frozen=True)
class ModelTree(FimtDD):
    def __post_init__(self):
        Traced.__init__(self)
        super().__post_init__()


class NoEstimator(Traced):
    pass
"""
MODEL = {"title": "T", "imports": ["traced"]}
#: Rows of each sort, and what `streameval learners` says that they predict.
ROWS = {
    "plain": ({"title": "T", "learner": "traced:Plain"}, "either"),
    "tree": ({"title": "T", "learner": "traced:Tree"}, "classes"),
    "wrapped": (
        {"title": "T", "learner": "traced:Tree", "wrapper": "prediction_augmented"},
        "classes",
    ),
    "model_tree": ({"title": "T", "learner": "traced.ModelTree"}, "numbers"),
    "river": (MODEL | {"learner": "river", "parameters": {"model": "traced.Stepwise"}}, "either"),
    "pipeline": (
        MODEL
        | {
            "learner": "river",
            "parameters": {"model": ["river.preprocessing.StandardScaler", {"traced.OfRiver": {}}]},
        },
        "classes",
    ),
    "sklearn": (
        MODEL | {"learner": "sklearn", "parameters": {"model": "traced.Partial"}},
        "classes",
    ),
    "retrained": (
        MODEL | {"learner": "retrained", "parameters": {"model": "traced.Batch"}},
        "either",
    ),
    "ensemble": (
        MODEL
        | {
            "learner": "retrained",
            "parameters": {
                "model": {
                    "sklearn.ensemble.BaggingClassifier": {"estimator": {"traced.Partial": {}}}
                }
            },
        },
        "classes",
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "traced.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "config").mkdir()
    rows = yaml.safe_dump({name: row for name, (row, _) in ROWS.items()}, sort_keys=False)
    (tmp_path / "config" / "learners.yaml").write_text(rows, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "traced", raising=False)
    yield tmp_path
    sys.modules.pop("traced", None)


def test_lists_of_learners_construct_none(folder, capsys):
    assert main(["learners"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert {name: kind for name, _, kind, *_ in lines} == {
        name: kind for name, (_, kind) in ROWS.items()
    }
    assert not (folder / "trace").exists()
    # A run does construct them: those of the package's kind when it makes them.
    for spec in load_learners(folder / "config" / "learners.yaml").values():
        learner = spec.make()
        if not (folder / "trace").exists():
            learner.run(Sea().stream(9), prequential(9))
        (folder / "trace").unlink()


def test_plans_construct_none(folder, config):
    classifiers = [name for name, (_, kind) in ROWS.items() if kind != "numbers"]
    measures = {"kind": "overall_measures", "streams": ["sea_"], "learners": classifiers}
    delays = {"kind": "delays", "streams": ["sea_"], "learners": ["tree"], "delays": [0, 1]}
    content = {
        "streams": {"sea_": {"generator": "sea", "rows": 9}},
        "learners": {name: row for name, (row, _) in ROWS.items()},
        "kinds": ["pending_labels"],
        "items": {"own": {"a": measures, "b": delays}},
    }
    study = folder / "study.yaml"
    study.write_text(yaml.safe_dump(content), encoding="utf-8")
    config |= content | {"studies": ["own"]}
    plan = make_plan(config, decide=True, files=[study])
    assert {*classifiers} <= {*plan.all_learners}
    assert not (folder / "trace").exists()
    assert plan.learner_code(["plain", "river"]) == [str(folder / "traced.py")]
    content["learners"]["tree"]["parameters"] = {"grace_period": 0.5}
    with pytest.raises(ConfigError, match=r"'tree': .*at grace_period: .*whole number"):
        make_plan(config, decide=True, files=[study])
    assert not (folder / "trace").exists()


POPEN = {"subprocess.Popen": {"args": ["touch", "trace"]}}


@pytest.mark.parametrize(
    ("learner", "model"),
    [
        ("river", POPEN),
        ("river", ["river.preprocessing.StandardScaler", POPEN]),
        ("river", {"river.ensemble.BaggingClassifier": {"model": POPEN}}),
        ("sklearn", POPEN),
        ("sklearn", [POPEN, "sklearn.naive_bayes.BernoulliNB"]),
        ("retrained", POPEN),
        ("retrained", {"sklearn.pipeline.Pipeline": {"steps": [["a", POPEN]]}}),
        ("retrained", "traced.Batch"),
    ],
)
def test_a_module_that_is_not_named_is_not_imported(folder, learner, model):
    (folder / "traced.py").write_text("open('trace', 'w').write('imported')\n" + MODULE)
    spec = LearnerSpec("x", learner, "X", {"model": model}, folder=str(folder))
    module = "traced" if isinstance(model, str) else "subprocess"
    message = rf"'x': '{module}\..*': expected a class of river or sklearn, .*imports: \[{module}\]"
    for make in (spec.make, spec.check):
        with pytest.raises(ConfigError, match=message):
            make()
    assert spec.tasks == ()
    assert not (folder / "trace").exists()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (POPEN, "'subprocess.Popen': expected a class of estimators"),
        ({"os.system": ["touch trace"]}, "'os.system' is a builtin_function.*, expected a class"),
        ("traced.NoEstimator", "'traced.NoEstimator': expected a class of estimators"),
        ("traced.TRACE", "'traced.TRACE' is a PosixPath, expected a class"),
        ({"traced.Batch": {"sead": 1}}, "unknown parameter sead"),
        ({"traced.Batch": [1, 2]}, "traced.Batch: too many positional arguments"),
        ("river.stream.Cache", "'river.stream.Cache': expected a class of estimators"),
        ("sklearn.base.datetime", "cannot import"),
        ("sklearn.model_selection.BaseCrossValidator", "an abstract class"),
        (
            {"sklearn.ensemble.BaggingClassifier": {"estimator": {"traced.NoEstimator": {}}}},
            "'traced.NoEstimator': expected a class of estimators",
        ),
        (
            {"sklearn.pipeline.Pipeline": {"steps": [["a", "sklearn.svm.SVC"]], "memory": "trace"}},
            "memory: expected none, found 'trace'",
        ),
    ],
)
@pytest.mark.parametrize("learner", ["river", "sklearn", "retrained"])
def test_only_classes_of_estimators_are_constructed(folder, learner, model, message):
    imports = ("subprocess", "os", "traced")
    spec = LearnerSpec("x", learner, "X", {"model": model}, imports=imports)
    for make in (spec.make, spec.check):
        with pytest.raises(ConfigError, match=message):
            make()
    assert not (folder / "trace").exists()


@pytest.mark.parametrize("learner", ["retrained:traced:Batch", "traced.Partial"])
def test_a_class_on_the_command_line_needs_no_further_name(folder, capsys, learner):
    assert main(["evaluate", "sea", "--rows", "300", "--json", "--learner", learner]) == 0
    assert (folder / "trace").exists()
