"""Errors in settings name the file and the keys of the wrong entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.configurations import put

from streameval.base import settings
from streameval.base.errors import ConfigError
from streameval.pipeline import plan


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("data.offlin", True, "at data: .*offlin.*mirror, missing, offline, stand_ins"),
        ("scale", "huge", r"at scale: expected one of middle, paper, quick, found 'huge'"),
        (
            "items.bifet2013.fig1.window",
            0,
            "at items.bifet2013.fig1.window: expected a whole number .* found 0",
        ),
        (
            "items.bifet2014",
            {},
            "at items.bifet2014: expected one of the studies overview, .*'bifet2015'",
        ),
        ("titles", {"overveiw": "All"}, "at titles.overveiw: .*'overview'"),
        ("studies", ["bifet2031"], "at studies: .*study 'bifet2031'.*'bifet2013'"),
        ("studies", [], "at studies: .*at least 1 value, found none"),
        (
            "items.bifet2013.fig1.kind",
            "class_distributon",
            "kind 'class_distributon'.*_distribution'",
        ),
        ("items.bifet2013.fig1.kind", 7, "at items.bifet2013.fig1.kind: there is no kind 7"),
        (
            "items.bifet2013.mine",
            {"streams": ["elec2"]},
            "at items.bifet2013.mine: .*key kind, .*none.*kinds are .*lags",
        ),
        ("items.bifet2013.mine", None, "at items.bifet2013.mine"),
        ("items.bifet2013.fig1.widow", 9, "at items.bifet2013.fig1: .*key widow;.*'window'"),
        (
            "items.bifet2013.fig2.protocol",
            "prequentail",
            "at items.bifet2013.fig2.protocol: .*prequentail.*'prequential'",
        ),
        (
            "items.bifet2013.fig2.protocol",
            {"name": "cross_validation", "fold": 3},
            "at items.bifet2013.fig2.protocol: .*fold",
        ),
        (
            "items.zliobaite2015.table2.of",
            "proposition",
            "table2.of: there is no item of kind propositions called 'zliobaite2015/proposition'",
        ),
        ("learners", ["naive_bayes"], "at learners: .*mapping .*found"),
        ("items.bifet2013.fig2.streams", ["elec3"], "fig2.streams: .*stream 'elec3'"),
        ("items.bifet2013.fig2.streams", ["all", "elec2"], "fig2.streams: .*no stream 'all'"),
        (
            "items.bifet2013.fig2.learners",
            ["naive_bays"],
            "at items.bifet2013.fig2.learners: .*learner 'naive_bays'.*no_ch",
        ),
        (
            "items.zliobaite2015.fig3.learners",
            ["knn"],
            "fig3: .*the item reads the learner 'knn_corrected': .*row 'knn_corrected'",
        ),
        (
            "items.zliobaite2015.fig2.variants",
            ["shuffled"],
            "at items.zliobaite2015.fig2.variants: Variant 'shuffled' of stream 'elec2_mlj'",
        ),
        ("registries.learners", "config/nothing.yaml", "expected a YAML file, found none"),
        (
            "items.bifet2013.fig2.measures",
            ["kapa"],
            "at items.bifet2013.fig2.measures: .*measure 'kapa'.*accuracy, ",
        ),
        ("items.bifet2013.fig2.learners", [], "fig2: the item has no learners"),
        (
            "items.zliobaite2015.fig3.variants",
            ["original", "shuffled:1"],
            "at items.zliobaite2015.fig3: .*key variants",
        ),
        ("items.zliobaite2015.fig2.variants", ["blocks:1:0"], "block size of 1 or more, found 0"),
        (
            "items.zliobaite2015.fig6.lags",
            {"labels": [0, 5000]},
            "labels.1: .* to 1,000, found 5000",
        ),
        ("items.beyond.delays.learners", ["no_change"], "the study always runs 'no_change'"),
        (
            "items.beyond.delays.learners",
            ["naive_bayes_augmented"],
            "'naive_bayes_augmented' has the wrapper 'temporally_augmented'",
        ),
    ],
)
def test_a_wrong_configuration_is_named(config, path, value, message):
    with pytest.raises(ConfigError, match=message):
        plan.make_plan(put(config, path, value), decide=True)


def test_a_path_that_is_too_long_is_none():
    path = "x" * 3000
    assert settings.locate(path) == Path(path)
