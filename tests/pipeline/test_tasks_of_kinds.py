"""Which targets items of each kind accept: classes, numbers, or one of both."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest
import yaml
from helpers.all_kinds import all_kinds
from helpers.pages import blocks

from streameval.base.errors import ConfigError
from streameval.base.schema import fields_of
from streameval.base.settings import ROOT
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, REGRESSION_BASELINES
from streameval.learners.registry import load_learners
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION
from streameval.pipeline import plan
from streameval.pipeline.checks import check_known_names
from streameval.pipeline.configuration import Configuration, complete, merge_files
from streameval.pipeline.items import Item, items_of, task_of_item
from streameval.streams.registry import load_registry

SHIPPED = items_of(complete({**merge_files([]), "studies": "all"}))
REGISTRY = load_registry(ROOT / "config" / "streams.yaml", check_options=False)
LEARNERS = load_learners(ROOT / "config" / "learners.yaml")
OF_LEARNERS = {
    name: kind
    for name, kind in all_kinds().items()
    if (kind.trains or kind.reads == "predictions") and "streams" in fields_of(kind.settings)
}
#: A generated stream and a learner of each task.
GIVEN = {CLASSIFICATION: ("sea_50", "naive_bayes"), REGRESSION: ("planes", "target_mean")}


def item_of(kind, task):
    """An item of a kind on a stream of a task; other required settings are those of a study."""
    stream, learner = GIVEN[task]
    plain = {"streams": [stream], "learners": [learner]}
    known = next(
        (item.plain_settings() for item in SHIPPED.values() if item.kind.name == kind.name), {}
    )
    fields = fields_of(kind.settings)
    required = [key for key, field in fields.items() if field.required and key not in plain]
    plain = {key: value for key, value in plain.items() if key in fields}
    item = Item("own", "a", kind, kind.settings_from(plain | {key: known[key] for key in required}))
    return item.for_task(task_of_item(item, [stream], REGISTRY, LEARNERS))


@pytest.mark.parametrize("task", BOTH)
@pytest.mark.parametrize("kind", OF_LEARNERS.values(), ids=OF_LEARNERS)
def test_a_kind_takes_the_targets_that_it_declares_and_refuses_others(kind, task):
    item = item_of(kind, task)
    plan_of_item = SimpleNamespace(
        configuration=Configuration({"studies": ["own"]}, {}),
        items={item.id: item},
        registry=REGISTRY,
        learners=LEARNERS,
    )
    message = ""
    try:
        check_known_names(plan_of_item)
    except ConfigError as error:
        message = str(error)
    if task in kind.tasks:
        assert item.task == task
        assert "expected a stream with" not in message
        assert "expected classifiers" not in message
        assert "expected regressors" not in message
    else:
        target = "classes" if task == REGRESSION else "a numeric target"
        assert f"streams: expected a stream with {target}, since {kind.name} is about" in message


NUMBERS = {"kind": "benchmark", "streams": ["bike", "planes"], "learners": ["amrules"]}
CLASSES = {"kind": "benchmark", "streams": ["elec2"], "learners": ["knn"]}


def test_the_baselines_of_the_task_run_beside_the_learners_of_an_item(plan_of):
    plan_of_study = plan_of({"a": NUMBERS, "b": CLASSES})
    ran = {name: {*names} for (name, _), names in plan_of_study.predictions.items()}
    assert ran == {
        "bike": {"amrules", *REGRESSION_BASELINES},
        "planes": {"amrules", *REGRESSION_BASELINES},
        "elec2": {"knn", *CLASSIFICATION_BASELINES},
    }
    assert {*REGRESSION_BASELINES} < {*plan_of_study.all_learners}
    assert ("amrules", "target_mean") not in plan_of_study.user_pairs  # no stream is the user's own
    numbers, classes = (
        plan_of_study.items["mine/a"].settings,
        plan_of_study.items["mine/b"].settings,
    )
    assert (numbers.measures, classes.measures) == (("mean_absolute_error",), ("accuracy",))
    assert numbers.learners_and_baselines == ("amrules", *REGRESSION_BASELINES)
    assert classes.learners_and_baselines == ("knn", *CLASSIFICATION_BASELINES)


CONTROL = {"kind": "control_test", "control": "amrules"}


@pytest.fixture
def about(plan_of):
    """A function that plans an item about a benchmark of three numeric streams."""

    def plan(measures, item):
        streams = {"noisy": {"generator": "planes", "rows": 100, "classes": 0}}
        benchmark = NUMBERS | {"streams": ["bike", "planes", "noisy"], "measures": measures}
        return plan_of({"a": benchmark, "b": {"of": "a", **item}}, streams=streams).items["mine/b"]

    return plan


def test_items_about_a_benchmark_take_its_first_measure(about):
    for kind in ({"kind": "mean_ranks"}, CONTROL):
        item = about(["skill_over_target_mean", "r_squared"], kind)
        assert item.settings.measure_or_default == "skill_over_target_mean"
    chosen = {"measure": "mean_absolute_error", "rope": 0}
    settings = about(["r_squared", "mean_absolute_error"], CONTROL | chosen).settings
    assert (settings.measure_or_default, settings.rope_or_default) == (*chosen.values(),)


def test_a_control_by_errors_needs_a_region_in_their_unit(about):
    with pytest.raises(ConfigError, match=r"mine\.b: rope: .* unit .* mean_absolute_error"):
        about(["mean_absolute_error"], CONTROL)


def test_the_study_of_numeric_targets_in_the_documentation_is_right(config, tmp_path):
    (block,) = blocks("docs/howto/benchmark.md", "yaml", "Numeric targets")
    shutil.copy(ROOT / "examples" / "demand.csv", tmp_path)
    path = tmp_path / "study.yaml"
    path.write_text(block, encoding="utf-8")
    plan_of_study = plan.make_plan(config | yaml.safe_load(block), decide=True, files=[path])
    assert {item.task for item in plan_of_study.items.values()} == {REGRESSION}
    assert plan_of_study.items["demand/table3"].settings.measure_or_default == "mean_absolute_error"
    assert ("arf_reg", "target_mean") in plan_of_study.user_pairs


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            NUMBERS | {"streams": ["elec2", "bike"]},
            "streams: expected streams that all .* found 'elec2' with classes and 'bike' with a",
        ),
        (NUMBERS | {"learners": ["knn"]}, "learners: expected regressors, since 'bike' has a num"),
        (CLASSES | {"learners": ["amrules"]}, "learners: expected classifiers, since 'elec2' has"),
        (NUMBERS | {"measures": ["accuracy"]}, "measures: there is no measure 'accuracy'.*mean_ab"),
        (CLASSES | {"measures": ["r_squared"]}, "measures: there is no measure 'r_squared'"),
        (NUMBERS | {"measures": ["skill_over_knn"]}, "measures: .*'skill_over_knn'"),
        (NUMBERS | {"baselines": ["majority"]}, "'majority'.*expected regressors"),
        (CLASSES | {"baselines": ["target_mean"]}, "'target_mean'.*expected classifiers"),
        (CLASSES | {"rope": 2}, "rope: expected a difference in accuracy, from 0 to 1, found 2"),
    ],
)
def test_what_does_not_fit_the_task_is_named(plan_of, item, message):
    with pytest.raises(ConfigError, match=rf"mine.yaml: at items.mine.a[.:].*{message}"):
        plan_of({"a": item})


def test_a_skill_over_a_learner_that_repeats_a_season_is_known(plan_of):
    item = {**NUMBERS, "learners": ["seasonal"], "measures": ["skill_over_seasonal"], "rope": 2}
    assert plan_of({"a": item}).items["mine/a"].settings.measures == ("skill_over_seasonal",)


def test_a_stream_whose_entry_does_not_say_its_target_has_that_of_the_learners(plan_of, tmp_path):
    head = "@relation n\n@attribute x numeric\n@attribute y numeric\n@data\n"
    (tmp_path / "n.arff").write_text(f"{head}1,2\n2,3\n", encoding="utf-8")
    for learner, task in (("amrules", REGRESSION), ("knn", CLASSIFICATION)):
        item = {"kind": "benchmark", "streams": ["n"], "learners": [learner]}
        plan_of_study = plan_of({"a": item}, streams={"n": {"file": "n.arff"}})
        assert plan_of_study.items["mine/a"].task == task
