"""What is wrong in the file of a study of one's own is named, and where it stands."""

from __future__ import annotations

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.pipeline import plan

ERRORS = {"kind": "binned_errors", "streams": ["bike"], "learners": ["target_mean"]}
MAIN = {"kind": "benchmark", "learners": ["knn"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"itmes": {}}, r"own.yaml: at the top level: .*itmes.*'items'"),
        ({"items": {"won": {}}}, r"own.yaml: at items.won: .*study 'own'"),
        (
            {"items": {"own": {"a": {"kind": "classifiers", "learners": ["fimt_dd"]}}}},
            r"own.yaml: at items.own.a.learners: expected classifiers, .*'fim",
        ),
        (
            {"items": {"own": {"a": ERRORS | {"learners": ["knn"]}}}},
            r"own.yaml: at items.own.a.learners: expected regressors, found 'knn', .*: .*orto",
        ),
        (
            {
                "streams": {"n": {"file": "n.csv", "target": "y", "numeric_target": True}},
                "items": {"own": {"a": MAIN | {"streams": ["n"]}}},
            },
            r"own.yaml: at items.own.a.learners: expected regressors, since 'n' has a numeric",
        ),
        (
            {"items": {"own": {"a": {"kind": "class_characteristics", "streams": ["bike"]}}}},
            r"own.yaml: at items.own.a.streams: expected a stream with classes, since class_ch",
        ),
        ({"titles": {"won": "W"}, "items": {}}, r"own.yaml: at titles.won: "),
        ({"items": {"own": {"A": {}}}}, r"own.yaml: at items.own: .*found 'A'"),
        ({"titles": {"own": ""}, "items": {}}, r"own.yaml: at titles.own: .*empty"),
        (
            {"streams": {"m": {"file": "m.csv"}}, "items": {}},
            r"own.yaml: at streams.m.file: .*none at .*studies/m.csv",
        ),
    ],
)
def test_mistakes_in_the_file_of_a_study_are_named(config, tmp_path, content, message):
    folder = tmp_path / "config" / "studies"
    folder.mkdir(parents=True)
    (folder / "n.csv").write_text("x,y\n1,2.5\n", encoding="utf-8")
    (folder / "own.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    config["studies"] = ["own"]
    with pytest.raises(ConfigError, match=f"^config/studies/{message}"):
        plan.make_plan(config, decide=True)
