"""What is refused of a plan before any work."""

from __future__ import annotations

import pytest
import yaml
from helpers.configurations import add_stream, put

from streameval.base.errors import ConfigError
from streameval.pipeline import plan


def test_a_study_that_needs_new_instances_refuses_streams_from_files(config):
    config["items"] = {"bifet2015": {"fig4": {"streams": ["rbf_50_0.001", "elec2"]}}}
    message = "kind holdout needs more instances than a file has.*found 'elec2'"
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(config, decide=False)


@pytest.mark.parametrize(
    ("study", "name", "changes"),
    [
        ("grzenda2019", "fig4", {"streams": ["dataexpo_atl_evolving"]}),
        ("beyond", "departure_delays", {"known_at": {"DepDelay": "CRSDepTime"}}),
    ],
)
def test_inputs_of_the_future_are_refused_where_they_would_be_known(config, study, name, changes):
    config["items"] = {study: {name: changes}}
    message = (
        f"{name}.*'dataexpo_atl_evolving' has inputs that are known only after an instance has "
        r"arrived.*evolving_inputs with known_at: \{DepDelay: left\}, found the kind"
    )
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(config, decide=False)


@pytest.mark.parametrize(
    "item",
    [
        {"kind": "type_errors", "runs": 2, "instances": [100], "learners": ["naive_bayes"]},
        {"kind": "class_characteristics"},  # has No-Change's accuracy
        {"kind": "overall_measures", "streams": ["all"], "learners": ["naive_bayes"]},
    ],
    ids=lambda item: item["kind"],
)
def test_labels_that_arrive_later_are_not_taken_for_known(config, item):
    late = {"streams": ["agrawal_delayed"]}
    other = {"kind": "stream_characteristics", **late}  # read for the item of all streams
    config |= {"studies": ["own"], "items": {"own": {"one": late | item, "other": other}}}
    with pytest.raises(ConfigError, match=r"'agrawal_delayed' arrive later.*ignore_label_times: t"):
        plan.make_plan(config, decide=False)
    put(config, "items.own.one.ignore_label_times", True)
    assert plan.make_plan(config, decide=False).items["own/one"].is_computed


def test_streams_with_groups_are_for_kinds_that_respect_them(config, tmp_path):
    add_stream(config, tmp_path, {"generator": "agrawal", "rows": 500, "group": "elevel"})
    config["studies"] = ["own"]
    item = {"streams": ["mine"], "learners": ["naive_bayes"]}
    plan.make_plan(put(config, "items.own.one", {"kind": "overall_measures", **item}), decide=False)
    put(config, "items.own.one", {"kind": "estimates", "measures": ["accuracy"], **item})
    message = "'mine' interleaves several entities.*an item of the kind estimates ignores.*Use one"
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(config, decide=False)


def test_modules_of_one_name_in_two_folders_are_refused(config, tmp_path):
    """Learners of two configurations would run one of them."""
    for folder, name in (("config/studies", "first"), ("elsewhere", "second")):
        (tmp_path / folder).mkdir(parents=True)
        learner = "import helper_of_both\n\n\nclass Mine:\n    learn = predict = lambda *_: None\n"
        (tmp_path / folder / f"{name}_of_two.py").write_text(learner, encoding="utf-8")
        (tmp_path / folder / "helper_of_both.py").write_text("", encoding="utf-8")
        rows = {name: {"learner": f"{name}_of_two:Mine", "title": name}}
        item = {"kind": "overall_measures", "streams": ["elec2"], "learners": [name]}
        content = {"learners": rows, "items": {"own": {name: item}}}
        file = tmp_path / folder / "own.yaml"
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
    merged = {**config, **content, "studies": ["own"]}
    message = r"different names, found \S+/helper_of_both\.py and \S+/helper_of_both\.py\."
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(merged, decide=True, files=[file])
    (tmp_path / "elsewhere" / "helper_of_both.py").unlink()
    (tmp_path / "elsewhere" / "second_of_two.py").write_text(
        learner.replace("import helper_of_both", "")
    )
    plan.make_plan(merged, decide=True, files=[file])
