"""Reading settings, and the plan of a run."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from streameval import plan, settings
from streameval.errors import ConfigError, DownloadError

CONFIG = settings.load_yaml(settings.ROOT / "config" / "config.yaml")


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The default configuration in an empty folder, offline."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    changed = copy.deepcopy(CONFIG)
    changed["data"]["offline"] = True
    return changed


def put(config: dict, path: str, value: object) -> dict:
    *parents, key = path.split(".")
    place = config
    for parent in parents:
        place = place[parent]
    place[key] = value
    return config


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "data.offlin",
            True,
            "at data: unknown key offlin; known are mirror, missing, offline, stand_ins",
        ),
        ("scale", "huge", r"at scale: 'huge' is not one of \['quick', 'paper'\]"),
        ("items.bifet2013.fig1.window", 0, "at items.bifet2013.fig1.window: 0 is less than"),
        ("items.bifet2014", {}, "at items: unknown key bifet2014"),
        ("learners", ["no_change", "majority", "naive_bays"], "the learner 'naive_bays'"),
        ("learners", ["naive_bayes"], "at learners"),
        ("items.bifet2013.fig2.streams", ["elec3"], "no stream 'elec3' in the registry"),
        ("items.bifet2013.fig2.learners", ["naive_bays"], "the learner 'naive_bays', which is not"),
        (
            "items.bifet2013.fig2.learners",
            ["knn"],
            "shows the learner 'knn', which",
        ),
        (
            "items.zliobaite2015.fig3.learners",
            ["knn"],
            "shows the learner 'knn', which",
        ),
        (
            "items.zliobaite2015.fig2.variants",
            ["shuffled"],
            "Variant 'shuffled' of",
        ),
        ("items.zliobaite2015.fig6.lags", {"label": [1]}, "at items.zliobaite2015.fig6.lags"),
        ("items.beyond.order.seeds", [1], "at items.beyond.order.seeds"),
        ("registries.learners", "config/nothing.yaml", "expected a YAML file, found none"),
    ],
)
def test_a_wrong_configuration_is_named(config, path, value, message):
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(put(config, path, value), decide=True)


def test_missing_streams_are_left_out_and_named(config):
    made = plan.make_plan(config, decide=True)
    assert set(made.left_out) == {"elec2", "elec2_mlj", "covtype", "airlines", "kdd99", "ozone"}
    stand_ins = ("elec2", "elec2_mlj", "covtype", "kdd99", "ozone", "airlines")
    assert made.streams == [f"markov_{name}" for name in stand_ins]
    assert "offline" in made.left_out["covtype"]
    assert made.streams_of("bifet2013/fig2") == ["markov_elec2"]


def test_variants_are_played_by_the_learners_that_are_shown(config):
    made = plan.make_plan(config, decide=True)
    shown = config["items"]["zliobaite2015"]["fig2"]["learners"]
    assert set(made.learners_of("markov_ozone:shuffled:1")) == set(shown)
    assert list(made.learners_of("markov_ozone")) == config["learners"]
    spec = made.learners["naive_bayes"]  # a new title plays nothing again
    assert made.learners_of("markov_ozone")["naive_bayes"] == spec.recipe() != spec.to_dict()
    wrapped = made.learners_shown("zliobaite2015/fig3")
    assert {"no_change", "naive_bayes", "ddm_nb_augmented", "ddm_nb_corrected"} < set(wrapped)
    assert set(made.all_learners) >= set(config["learners"])


def test_stand_ins_stand_in_for_what_is_missing(config, monkeypatch):
    found = dict.fromkeys(("covtype", "airlines"), "")
    monkeypatch.setattr(plan, "_missing", lambda *_: found)
    made = plan.make_plan(config, decide=True)
    assert made.not_needed == {
        *("markov_elec2", "markov_elec2_mlj", "markov_kdd99", "markov_ozone")
    }
    assert made.streams_of("bifet2013/fig2") == ["elec2"]
    assert made.streams_of("bifet2013/fig3") == ["markov_covtype"]
    config["data"]["stand_ins"] = "always"
    made = plan.make_plan(config, decide=True)
    assert made.streams_of("bifet2013/fig2") == ["elec2", "markov_elec2"]


def test_jobs_read_the_decision_of_the_main_process(config, monkeypatch):
    decided = plan.make_plan(config, decide=True)
    monkeypatch.setattr(plan, "survey", lambda *_: pytest.fail("a job must not ask hosts"))
    assert plan.make_plan(config, decide=False).left_out == decided.left_out
    assert not list(Path("resources").rglob("*.part"))


def test_files_with_predictions_are_inputs_of_the_run(config, tmp_path):
    rows = (settings.ROOT / "config" / "learners.yaml").read_text(encoding="utf-8")
    row = "mine: {learner: predictions_file, title: Mine, parameters: {file: 'p/{stream}.csv'}}\n"
    (tmp_path / "learners.yaml").write_text(rows + row, encoding="utf-8")
    config["registries"]["learners"] = "learners.yaml"
    assert plan.make_plan(config, decide=True).prediction_files("elec2") == []
    config["learners"].append("mine")
    assert plan.make_plan(config, decide=True).prediction_files("elec2") == [
        str(Path("p/elec2.csv"))
    ]


def test_missing_streams_stop_the_run_where_they_must(config):
    config["data"]["missing"] = "fail"
    with pytest.raises(DownloadError) as caught:
        plan.make_plan(config, decide=True)
    message = str(caught.value)
    assert message.startswith("6 streams cannot be had")
    for stream in ("elec2", "covtype", "airlines", "kdd99", "ozone"):
        assert re.search(rf"^  - {stream} \(.*Put a copy at resources", message, re.MULTILINE)


def test_yaml_errors_are_named(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\nb: 2\na: 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"line 1: the key 'a' occurs twice"):
        settings.load_yaml(path)
    path.write_text("a: [1,\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="expected YAML"):
        settings.load_yaml(path)


def test_sources_name_files_that_exist():
    files = plan.sources("errors", "streams")
    assert all(Path(file).is_file() for file in files)
    assert any(file.endswith("fetch.py") for file in files)
