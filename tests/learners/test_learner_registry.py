"""Rows of ``config/learners.yaml`` become learners, or clear messages."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from dataclasses import replace

import pytest

from streameval import learners
from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.learners.adapter_rows import PARAMETERS
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.baselines import MovingMajority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import AnyLearner
from streameval.learners.registry import (
    LEARNERS,
    LearnerSpec,
    built_in_learners,
    load_learners,
    make_learners,
    modules_compiled_ahead,
)
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.learners.reseeded import Reseeded
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.registry import WRAPPERS
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.streams.registry import SMOOTHING


class Mine(HoeffdingTree):
    """A learner outside the package."""


def write(tmp_path, text):
    path = tmp_path / "learners.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_row_that_is_shipped_makes_its_learner():
    specs = load_learners(ROOT / "config" / "learners.yaml")
    for key, spec in specs.items():
        assert spec.id == key
        learner = spec.make()
        assert learner.possible_tasks == spec.tasks
        assert learner.reference
        assert spec.title
        assert spec.citation
    assert {*LEARNERS} - {*PARAMETERS} <= {spec.learner for spec in specs.values()}


def classes_of_the_package():
    """Learners, adapters and wrappers that the modules of the package define."""
    for info in pkgutil.walk_packages(learners.__path__, f"{learners.__name__}."):
        module = importlib.import_module(info.name)
        for cls in vars(module).values():
            if inspect.isclass(cls) and issubclass(cls, AnyLearner) and "name" in vars(cls):
                yield cls


def test_every_learner_of_the_package_is_registered_under_its_name():
    assert not LEARNERS.keys() & WRAPPERS.keys()
    registered = {**LEARNERS, **WRAPPERS}
    assert [cls.name for cls in registered.values()] == [*registered]
    # What makes a learner of two methods, or gives one a seed, is no learner of its own.
    others = {CustomLearner.name, Reseeded.name}
    assert {cls.name for cls in classes_of_the_package()} - others == {*registered}


def test_the_registry_has_the_tasks_of_the_classes():
    assert {name: LEARNERS.tasks(name) for name in LEARNERS} == {
        name: cls.tasks for name, cls in LEARNERS.items()
    }
    assert {name for name in LEARNERS if ".adapters." in LEARNERS.module(name)} == {*PARAMETERS}
    assert {*built_in_learners(CLASSIFICATION), *built_in_learners(REGRESSION), *PARAMETERS} == {
        *LEARNERS
    }
    assert "fimt_dd" in built_in_learners(REGRESSION)
    assert "moa" not in built_in_learners(CLASSIFICATION)


PROGRAM = """
import sys
from streameval.cli import main
from streameval.learners.registry import LearnerSpec

def loaded(*beginnings):
    print(*sorted(name for name in sys.modules if name.startswith(beginnings)), file=sys.stderr)

main(["learners"])
loaded("numba", "streameval.learners.learner")
LearnerSpec("x", "no_change", "X").make()
loaded(*("streameval.learners." + part for part in ("trees", "ensembles", "adapters.")))
"""


def test_lists_of_learners_import_none_and_a_learner_no_other():
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "fimt_dd" in ran.stdout
    assert ran.stderr == "\n\n"


def test_what_takes_long_or_several_jobs_begin_with_is_compiled_ahead():
    modules = set(modules_compiled_ahead().values())
    module_of = {name: LEARNERS.module(name) for name in LEARNERS}
    ahead = {name for name, module in module_of.items() if module in modules}
    assert ahead >= {"hoeffding_tree", "random_hoeffding_tree", "random_forest", "amrules"}
    assert ahead >= {"naive_bayes", "knn"}
    assert not ahead & {"no_change", "majority", "moving_majority"}


def test_a_row_can_have_a_wrapper(tmp_path):
    path = write(
        tmp_path,
        "a:\n  learner: moving_majority\n  title: A\n  parameters: {window: 3}\n"
        "  wrapper: temporally_augmented:2\n",
    )
    (spec,) = load_learners(path).values()
    assert spec.make() == TemporallyAugmented(MovingMajority(window=3), lags=2)
    assert LearnerSpec(**spec.to_dict()) == spec
    # A new title plays no learner again.
    assert replace(spec, title="Another", base="trees").recipe() == spec.recipe()
    assert LearnerSpec(**spec.recipe()).make() == spec.make()
    wrong = LearnerSpec("x", "no_change", "X", wrapper="temporaly_augmented")
    with pytest.raises(ConfigError, match=r"Learner 'x': .*wrapper 'temporaly_augmented'"):
        wrong.make()


def test_a_wrapper_can_forget_as_fast_as_the_stream_says():
    row = {"learner": "naive_bayes", "title": "X", "wrapper": "temporal_correction:{smoothing}:2"}
    spec = LearnerSpec("x", **row)
    assert spec.make(1e-05) == TemporalCorrection(NaiveBayes(), smoothing=1e-05, lags=2)
    assert spec.make() == TemporalCorrection(NaiveBayes(), smoothing=SMOOTHING, lags=2)
    assert make_learners({"x": spec.to_dict()}, 0.25) == {"x": spec.make(0.25)}


def test_a_dotted_path_names_a_class_outside():
    spec = LearnerSpec("mine", "test_learner_registry:Mine", "Mine", {"grace_period": 9})
    learner = spec.make()
    assert type(learner).__name__ == "Mine"
    assert learner.grace_period == 9
    learner = LearnerSpec("x", "helpers.foreign_models:Frequencies", "X", {"smoothing": 2}).make()
    assert isinstance(learner, CustomLearner)
    assert learner.parameters == {"smoothing": 2}


@pytest.mark.parametrize(
    ("learner", "parameters", "message"),
    [
        ("hoefding_tree", {}, "'x': .*'hoefding_tree'.*no_change, "),
        ("nowhere.to_be:Found", {}, "'x': cannot import 'nowhere.to_be:Found'"),
        (
            "pathlib:Path",
            {},
            r"needs the methods learn\(x, y, w\) and predict\(x\); there is no learn",
        ),
        (
            "helpers.foreign_models:no_class",
            {},
            "'helpers.foreign_models:no_class' is a function, expected a class",
        ),
        ("helpers.foreign_models:Frequences", {}, "has no Frequences.*Frequencies?"),
        (
            "helpers.foreign_models:Frequencies",
            {"smothing": 2},
            "'x': unknown parameter smothing. Frequen",
        ),
        ("helpers.foreign_models:Answering", {}, "'x': Answering needs a value for answer"),
        ("moving_majority", {"windw": 3}, r"windw\. MovingMajority.*window"),
        ("no_change", {"a": 1, "b": 2}, "unknown parameter a, b. NoChange takes: none"),
    ],
)
def test_wrong_rows_are_named(learner, parameters, message):
    with pytest.raises(ConfigError, match=message):
        LearnerSpec("x", learner, "X", parameters).make()


def test_a_row_says_what_its_learner_predicts():
    tree = LearnerSpec("tree", "fimt_dd", "Tree", {"grace_period": 50})
    assert tree.tasks == (REGRESSION,)
    assert tree.is_compiled
    assert tree.make() == FimtDD(grace_period=50)
    assert LearnerSpec("x", "naive_bayes", "X").tasks == (CLASSIFICATION,)
    assert LearnerSpec("x", "helpers.foreign_models:Frequencies", "X").tasks == BOTH
    with pytest.raises(ConfigError, match=r"classes, found the regressor 'fimt_dd'.*conformal"):
        replace(tree, wrapper="temporally_augmented").make()
    with pytest.raises(ConfigError, match=r"'tree': .*at grace_period: .*whole number"):
        replace(tree, parameters={"grace_period": 0.5}).make()


@pytest.mark.parametrize(
    ("learner", "model", "tasks"),
    [
        ("river", "river.linear_model.LinearRegression", (REGRESSION,)),
        ("river", ["river.preprocessing.StandardScaler", "river.naive_bayes.GaussianNB"], None),
        ("sklearn", "sklearn.linear_model.SGDRegressor", (REGRESSION,)),
        ("sklearn", "sklearn.naive_bayes.GaussianNB", None),
        ("retrained", "sklearn.linear_model.LinearRegression", (REGRESSION,)),
        ("retrained", "helpers.foreign_models:Frequencies", ()),
    ],
)
def test_an_adapter_predicts_what_its_model_does(learner, model, tasks):
    expected = (CLASSIFICATION,) if tasks is None else tasks
    assert LearnerSpec("x", learner, "X", {"model": model}).tasks == expected


def test_codes_in_a_file_are_classes():
    names = LearnerSpec("x", "predictions_file", "X", {"file": "a.csv"})
    assert names.tasks == BOTH
    codes = replace(names, parameters={"file": "a.csv", "labels": "codes"})
    assert codes.tasks == (CLASSIFICATION,)


TREE = "river.tree.HoeffdingTreeClassifier"


@pytest.mark.parametrize(
    ("learner", "model", "message"),
    [
        (
            "river",
            "river.tree.HoeffdingTreClassifier",
            "'x': cannot import 'river.tree.Hoef.*did you",
        ),
        (
            "river",
            "HoeffdingTreeClassifier",
            "a model is written as a dotted path, or .* found 'Hoef",
        ),
        ("river", [], r"a model is written as .*; found \[\]"),
        ("river", 7, "for example river.some_module.SomeClassifier; found 7"),
        ("river", {TREE: {}, "river.naive_bayes.GaussianNB": {}}, "a model is written as"),
        ("river", "river.ensemble.BaggingClassifier", "BaggingClassifier needs a value for model"),
        (
            "river",
            {"river.ensemble.BaggingClassifier": {"model": {TREE: {"grace_perod": 7}}}},
            r"'x': .*grace_perod\. HoeffdingTreeClassifier.*grace_period, ",
        ),
        ("river", ["river.preprocessing.StandardScaler"], "StandardScaler is no classifier"),
        ("river", "river.optim", "'river.optim' is a module, expected a class"),
        (
            "sklearn",
            {"sklearn.linear_model.SGDClassifier": {"loss": "log"}},
            "'x': The 'loss' parameter of SGDClassifier must be a str among",
        ),
        ("sklearn", "sklearn.ensemble.RandomForestClassifier", "'x': Random.* has no partial_fit"),
        ("sklearn", "sklearn.preprocessing.StandardScaler", "StandardScaler is no classifier"),
        (
            "sklearn",
            ["sklearn.naive_bayes.BernoulliNB", "sklearn.naive_bayes.BernoulliNB"],
            "BernoulliNB is no transformer",
        ),
    ],
)
def test_wrong_models_are_named(learner, model, message):
    with pytest.raises(ConfigError, match=message):
        LearnerSpec("x", learner, "X", {"model": model}).make()


@pytest.mark.parametrize(("package", "title"), [("river", "River"), ("sklearn", "scikit-learn")])
def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch, package, title):
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"Learner 'x': {title} is not installed.*: pip install \"streameval\[{package}\]\""
    with pytest.raises(ConfigError, match=message):
        LearnerSpec("x", package, "X", {"model": f"{package}.some.Model"}).make()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("learner: river", "at x.parameters: .*key model, .*none"),
        (
            "learner: river\n  parameters: {model: a.b, modell: c}",
            "at x.parameters: .*modell.*model",
        ),
        (
            "learner: river\n  parameters: {model: 3}",
            "at x.parameters.model: .*a text, found 3",
        ),
        ("learner: river\n  parameters: {model: []}", "at x.parameters.model: "),
        (
            "learner: sklearn\n  parameters: {model: a.b, one_hott: no}",
            "at x.parameters: .*one_hott.*model, one_hot",
        ),
        (
            "learner: moa\n  parameters: {lerner: trees.HoeffdingTree}",
            "at x.parameters: .*lerner.*learner, measure_size",
        ),
        (
            "learner: predictions_file\n  parameters: {file: a.csv, labels: code}",
            "at x.parameters.labels: expected one of codes, names, .*'codes'",
        ),
    ],
)
def test_rows_of_adapters_are_checked(tmp_path, row, message):
    path = write(tmp_path, f"x:\n  title: X\n  {row}\n")
    with pytest.raises(ConfigError, match=message):
        load_learners(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:\n  learner: majority\n", "at x: expected the key title, found learner"),
        ("x:\n  learner: majority\n  title: X\n  colour: 1\n", "at x: unknown key colour; known"),
        ("X:\n  learner: majority\n  title: X\n", "expected an id of small letters, .* found 'X'"),
        ("{}", "at the top level"),
    ],
)
def test_wrong_files_are_named(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_learners(path)
    assert str(path) in str(caught.value)
