"""The two rules for predictions in a bin, learner by learner."""

from __future__ import annotations

import pytest
from helpers.study_inputs import stream_input_for

from streameval.base.table_files import write_csv
from streameval.items import kinds
from streameval.items.inputs import ItemInput
from streameval.items.reevaluation import binned_measures, show

ITEM = {
    "learners": ["naive_bayes", "no_change", "adaptive_random_forest_2017"],
    "bins": 4,
    "stages": [],
    "delay": {"markov_ozone": 45},
}


def frames_of(rule):
    stream_input = stream_input_for("binned_measures", "markov_ozone", {**ITEM, "rule": rule})
    return binned_measures.study(stream_input)


def test_both_accuracies_are_those_of_the_rules(tmp_path):
    frames = {rule: frames_of(rule) for rule in ("published", "paper")}
    # Each is of the instances that its item scores: by the paper's rule from the first label on.
    for rule, column, scored in (
        ("published", "accuracy", 2536),
        ("paper", "other_accuracy", 2490),
    ):
        rules, bins = frames[rule]["rules"], frames[rule]["bins"]
        expected = bins["accuracy"].to_numpy()[: len(rules)]
        assert rules[column].to_numpy() == pytest.approx(expected, abs=0)
        assert set(rules["predictions"]) == set(bins["predictions"]) == {scored}
    rules = frames["published"]["rules"]
    assert (rules["differing"] > 0).any(), "the stream does not tell the rules apart"

    files = {f"a.{name}": str(tmp_path / f"{name}.csv") for name in ("rules", "size")}
    for name, path in files.items():
        write_csv(frames["published"][name.removeprefix("a.")], path)
    kind = kinds()["bin_rules"]
    settings = kind.settings_from({"of": ["fig3"]})
    table = show.study_bin_rules(
        {}, ItemInput(settings=settings, columns=kind.columns, frames=files)
    )
    for row in table.to_dict("records"):
        learner_rows = rules[rules["learner"] == row["learner"]]
        apart = 100 * (learner_rows["other_accuracy"] - learner_rows["accuracy"])
        assert abs(row["difference"]) == pytest.approx(apart.abs().max())
        there = learner_rows[learner_rows["bin"] == row["bin"]].iloc[0]
        assert row["differing_percent"] == pytest.approx(
            100 * there["differing"] / there["predictions"]
        )
        gap = row["paper_percent"] - row["published_percent"]
        assert row["difference"] == pytest.approx(gap)
