"""Reading settings, and the plan of a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from numba.core.dispatcher import Dispatcher

from streameval import settings
from streameval.errors import ConfigError, DownloadError, StreamevalError
from streameval.pipeline import plan


def put(config: dict, path: str, value: object) -> dict:
    *parents, key = path.split(".")
    place = config
    for parent in parents:
        place = place[parent]
    place[key] = value
    return config


def add_row(config: dict, folder: Path, row: dict) -> None:
    """Put a row "mine" into a copy of the registry of learners that the run then uses."""
    rows = settings.load_yaml(settings.ROOT / "config" / "learners.yaml")
    rows["mine"] = {"title": "Mine"} | row
    (folder / "learners.yaml").write_text(yaml.safe_dump(rows), encoding="utf-8")
    config["registries"]["learners"] = "learners.yaml"


def add_stream(config: dict, folder: Path, entry: dict) -> None:
    """Put an entry "mine" into a copy of the registry of streams that the run then uses."""
    content = settings.load_yaml(settings.ROOT / "config" / "streams.yaml")
    content["streams"]["mine"] = {"title": "Mine"} | entry
    (folder / "streams.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    config["registries"]["streams"] = "streams.yaml"


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
        (
            "items.bifet2013.fig2.measures",
            ["kapa"],
            "bifet2013/fig2 names the measure 'kapa', which does not exist. There are accuracy, ",
        ),
        ("items.zliobaite2015.fig6.measures", ["kapa"], "zliobaite2015/fig6 names the measure"),
        ("items.bifet2013.fig2.measures", [], r"at items.bifet2013.fig2.measures: \[\]"),
        ("items.zliobaite2015.fig2.variants", [], r"at items.zliobaite2015.fig2.variants: \[\]"),
        ("items.bifet2013.fig2.learners", [], "bifet2013/fig2 has streams and no learners"),
        ("items.bifet2013.fig9.learners", [], "bifet2013/fig9 has streams and no learners"),
        ("items.beyond.delays.learners", [], "beyond/delays has streams and no learners"),
        (
            "items.zliobaite2015.fig3.variants",
            ["original", "shuffled:1"],
            "at items.zliobaite2015.fig3: unknown key variants",
        ),
        (
            "items.zliobaite2015.fig3.measures",
            ["accuracy", "kappa"],
            r"fig3.measures.1: 'kappa' is not one of \['accuracy'\]",
        ),
        ("items.zliobaite2015.fig3.measures", [], "at items.zliobaite2015.fig3.measures"),
        (
            "items.zliobaite2015.table_significance.learners",
            ["knn"],
            "zliobaite2015/table_significance shows the learner 'knn', which is not played",
        ),
        (
            "items.zliobaite2015.table4.learners",
            ["naive_bays"],
            "at the item zliobaite2015/table4, names the learner 'naive_bays'",
        ),
        ("items.zliobaite2015.fig7.probabilities", [0.0], "fig7.probabilities.0: 0.0 is less"),
        ("items.zliobaite2015.fig7.probabilities", [1.5], "fig7.probabilities.0: 1.5 is greater"),
        ("items.beyond.order.sizes", [1, 10], "at items.beyond.order.sizes.0: 1 is less"),
        ("items.beyond.order.sizes", [], "at items.beyond.order.sizes"),
        ("items.zliobaite2015.fig2.variants", ["blocks:1:0"], "block size of 1 or more, found 0"),
        ("items.zliobaite2015.fig6.lags", {"labels": [0, 5000]}, "labels.1: 5000 is greater than"),
        ("items.bifet2013.fig9.lags", {"labels": [-1]}, "labels.0: -1 is less than"),
        ("items.bifet2013.fig2.window", 10**14, "fig2.window: 100000000000000 is greater than"),
        ("items.bifet2013.fig2.window", float("nan"), "fig2.window: expected a finite number, fou"),
        ("items.bifet2013.fig2.window", 2.5, "fig2.window: 2.5 is not of type 'integer'"),
        ("items.bifet2013.fig2.points", 0, "fig2.points: 0 is less than"),
        ("items.bifet2013.fig1.lags", 0, "fig1.lags: 0 is less than"),
        ("items.beyond.order.sizes", [2**31], "sizes.0: 2147483648 is greater than"),
        ("items.beyond.delays.delays", [10**14], "delays.0: 100000000000000 is greater than"),
        ("items.beyond.delays.delays", [-1], "delays.0: -1 is less than"),
        (
            "items.zliobaite2015.fig7.probabilities",
            [float("nan")],
            "fig7.probabilities.0: expected",
        ),
        ("items.zliobaite2015.fig7.seeds", [], "at items.zliobaite2015.fig7.seeds"),
        ("items.zliobaite2015.fig7.seeds", [1, 1], "non-unique"),
        ("items.zliobaite2015.table2.instances", 10**14, "table2.instances: 1.* is greater than"),
        ("items.zliobaite2015.table2.seeds", 10**14, "table2.seeds: 1.* is greater than"),
        ("items.beyond.delays.learners", ["no_change"], "'no_change', which it always plays"),
        ("items.beyond.delays.learners", ["majority"], "'majority', which it always plays"),
        (
            "items.beyond.delays.learners",
            ["naive_bayes_augmented"],
            "'naive_bayes_augmented', which is in the wrapper 'temporally_augmented'",
        ),
    ],
)
def test_a_wrong_configuration_is_named(config, path, value, message):
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(put(config, path, value), decide=True)


def test_items_without_streams_may_name_what_is_not_played(config):
    for item in ("fig2", "fig3", "fig4", "table_significance"):
        config["items"]["zliobaite2015"][item]["streams"] = []
    for figure in ("fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8"):
        config["items"]["bifet2013"][figure]["streams"] = []
    config["items"]["bifet2013"]["fig2"]["learners"] = ["knn"]
    config["items"]["bifet2013"]["fig3"]["learners"] = []
    config["learners"] = ["no_change", "majority"]
    made = plan.make_plan(config, decide=True)
    assert "knn" not in made.all_learners  # and so it is not compiled either
    assert "hoeffding_tree" in made.all_learners  # Figures 9 to 11 play their own


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"learner": "naive_bays"}, "'mine': no learner is called 'naive_bays'"),
        ({"learner": "knn", "parameters": {"neighbours": 3}}, "'mine': unknown parameter neighb"),
        ({"learner": "knn", "parameters": {"k": 0}}, "'mine': knn: k must be at least 1"),
        ({"learner": "knn", "parameters": {"window": 10**14}}, "expected a whole number for win"),
        (
            {"learner": "hoeffding_tree", "parameters": {"tie_threshold": float("nan")}},
            "'mine': expected a number .* for tie_threshold, found nan",
        ),
        ({"learner": "knn", "parameters": {"k": 2.5}}, "'mine': expected a whole number for k"),
        (
            {"learner": "hoeffding_tree", "parameters": {"split_confidence": "tiny"}},
            "'mine': expected a number .* for split_confidence, found 'tiny'",
        ),
        ({"wrapper": "temporaly_augmented"}, "'mine': There is no wrapper 'temporaly_augmented'"),
        (
            {"wrapper": "temporal_correction:{smothing}"},
            "expected a number for smoothing, found '{smo",
        ),
        ({"wrapper": "temporal_correction:5"}, "'mine': temporal_correction: expected a smoothing"),
    ],
)
@pytest.mark.parametrize("used_by", ["learners", "items.bifet2013.fig9.learners"])
def test_rows_that_make_no_learner_are_named(config, tmp_path, row, message, used_by):
    add_row(config, tmp_path, {"learner": "naive_bayes"} | row)
    plan.make_plan(config, decide=True)  # a row that nobody plays is nobody's trouble
    names = ["no_change", "majority", "mine"] if used_by == "learners" else ["mine"]
    if used_by == "learners":
        config["items"] = {}
    with pytest.raises(ConfigError, match=f"^learners.yaml: Learner .*{message}"):
        plan.make_plan(put(config, used_by, names), decide=True)


def test_the_study_of_delays_plays_only_learners_that_can_be_stopped(config, tmp_path):
    file = {"learner": "predictions_file", "parameters": {"file": "p.csv"}}
    add_row(config, tmp_path, file)
    config["items"]["beyond"]["delays"]["learners"] = ["mine"]
    with pytest.raises(ConfigError, match="beyond/delays cannot play the learner 'mine'"):
        plan.make_plan(config, decide=True)


def test_planning_compiles_nothing(config, monkeypatch):
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiled"))
    plan.make_plan(config, decide=True)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {"file": "a.csv", "reader": "csv", "options": {"targt": "label"}},
            "'mine': expected options of the reader 'csv', found unknown targt; no target",
        ),
        ({"generator": "sea", "parameters": {"functoin": 1}, "rows": 9}, "unknown parameter funct"),
    ],
)
def test_streams_that_cannot_be_read_or_made_are_named(config, tmp_path, entry, message):
    add_stream(config, tmp_path, entry)
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(config, decide=True)


@pytest.mark.parametrize("decide", [True, False])
def test_only_the_main_process_asks_hosts(config, monkeypatch, decide):
    asked = []

    def survey(specs, raw, mirror, offline):
        asked.append(not offline)
        return {}

    monkeypatch.setattr(plan, "survey", survey)
    monkeypatch.setattr(plan, "DECISION", Path("there", "is", "none.json"))
    monkeypatch.setattr(plan, "_write_down", lambda left_out: None)
    config["data"]["offline"] = False
    plan.make_plan(config, decide)
    assert asked == [decide]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"generator": "sea", "parameters": {"function": 9}}, "parameter function must be"),
        ({"generator": "led", "parameters": {"noise": 101}}, "parameter noise must be"),
        ({"generator": "led", "parameters": {"seed": 2**63}}, "parameter seed must be"),
        ({"generator": "led_drift", "parameters": {"drifting": 8}}, "parameter drifting must be"),
        ({"generator": "random_rbf", "parameters": {"classes": 1}}, "parameter classes must be"),
        ({"generator": "random_rbf_drift", "parameters": {"speed": -1}}, "parameter speed must be"),
        ({"generator": "hyperplane", "parameters": {"magnitude": 2}}, "parameter magnitude must"),
        ({"generator": "agrawal", "parameters": {"balance": 1}}, "balance must be true or false"),
        ({"generator": "random_tree", "parameters": {"depth": 60}}, "a tree of depth 60 would"),
        (
            {
                "generator": "markov",
                "parameters": {"priors": [1], "persistence": 1, "attributes": 2},
            },
            "parameter priors must list",
        ),
        (
            {
                "generator": "concept_drift",
                "parameters": {
                    "before": {"generator": "sea", "function": 7},
                    "after": {"generator": "sea"},
                },
            },
            "In before: Generator sea: parameter function must be",
        ),
        ({"generator": "sea", "rows": 10**14}, "rows: 100000000000000 is greater than"),
        (
            {"generator": "hyperplane", "rows": 2 * 10**9, "parameters": {"attributes": 10**5}},
            "of 2,000,000,000 instances with 100,000 inputs, would need",
        ),
        ({"generator": "sea", "label_delay": -1}, "label_delay: -1 is less than"),
    ],
)
def test_streams_that_cannot_be_generated_are_refused_before_any_work(
    config, tmp_path, monkeypatch, entry, message
):
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiled"))
    add_stream(config, tmp_path, {"rows": 9} | entry)
    config["items"] = {"bifet2013": {"table2": {"streams": ["mine"]}}}
    with pytest.raises(StreamevalError, match=f"(Stream 'mine'|at streams.mine).*{message}"):
        plan.make_plan(config, decide=True)


@pytest.mark.parametrize("offline", [True, False])
def test_a_file_of_ones_own_that_is_not_there_is_said_where_it_was_looked_for(
    config, tmp_path, offline
):
    entry = {"file": "own/a.csv", "reader": "csv", "options": {"target": "label"}}
    add_stream(config, tmp_path, entry)
    config["items"] = {"bifet2013": {"table2": {"streams": ["mine"]}}}
    config["data"] |= {"offline": offline, "mirror": "copies"}
    reason = plan.make_plan(config, decide=True).left_out["mine"]
    places = f"{Path('resources/raw/own/a.csv')} or {Path('copies/own/a.csv')}"
    assert reason == f"no file {places}, and no address known to download it from"
    path = tmp_path / "a.csv"
    add_stream(config, tmp_path, entry | {"file": str(path)})
    reason = plan.make_plan(config, decide=True).left_out["mine"]
    assert reason == f"no file {path}, and no address known to download it from"


def test_missing_streams_are_left_out_and_named(config):
    made = plan.make_plan(config, decide=True)
    assert set(made.left_out) == {
        "elec2",
        "elec2_mlj",
        "covtype",
        "airlines",
        "kdd99",
        "kdd99_head",
        "ozone",
    }
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


def test_the_code_of_learners_of_ones_own_is_an_input_of_the_run(config, tmp_path, monkeypatch):
    (tmp_path / "our_learners.py").write_text("class Ours:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    made = plan.make_plan(config, decide=True)
    rows = made.learners_of("elec2") | {"ours": {"learner": "our_learners:Ours"}}
    assert made.own_code(rows) == [str(tmp_path / "our_learners.py")]


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
    assert message.startswith("7 streams cannot be had")
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
