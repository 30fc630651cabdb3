"""Messages about wrong settings name the file in which these stand."""

from __future__ import annotations

import re
import shutil

import pytest
import yaml
from helpers.configurations import put

from streameval.base import settings
from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.pipeline.configuration import (
    complete,
    merge_files,
    study_content,
    with_command_line,
)
from streameval.pipeline.page_content import not_run
from streameval.pipeline.plan import make_plan

ITEM = {"kind": "measures", "streams": ["sea_50"], "learners": ["knn"], "measures": ["accuracy"]}


def test_settings_of_the_command_line_are_read_as_those_of_a_file():
    """Each example of config/README.md, as Snakemake passes it on: texts within others stay so."""
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"--config '(\w+)=(\{.*?\})'", text)
    assert ("data", "{offline: true}") in examples
    for key, value in examples:
        options = {key: yaml.load(value, Loader=yaml.BaseLoader)}  # as snakemake.cli does
        config = with_command_line(merge_files([]), options)
        assert complete(config).content[key] == {**merge_files([])[key], **yaml.safe_load(value)}
    nested = {"items": {"own": {"a": {"window": "500", "p": "1e-7", "only": ["1", "x", "~", ""]}}}}
    read = with_command_line({"items": {}}, nested)["items"]["own"]["a"]
    assert read == {"window": 500, "p": 1e-7, "only": [1, "x", None, ""]}


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        # The upper file mentions the item; the wrong key is below it.
        ({"window": 0}, {"points": 9}, "low.yaml: at items.own.a.window: .* found 0"),
        ({"widow": 9}, {"points": 9}, "low.yaml: .*at items.own.a: .*widow"),
        ({"kind": "measure"}, {"points": 9}, "low.yaml: at items.own.a.kind: there is no kind"),
        ({"streams": ["see"]}, {"points": 9}, "low.yaml: at items.own.a.streams: there is no str"),
        ({"measures": [1.5]}, {"points": 9}, "low.yaml: at items.own.a.measures.0: .* found 1.5"),
        # It is in the upper one, which also decides where both have it.
        ({"points": 9}, {"widow": 9}, "high.yaml: .*at items.own.a: .*widow"),
        ({"window": 0}, {"window": -1}, "high.yaml: at items.own.a.window: .* found -1"),
        # Keys inside a setting are merged, too.
        (
            {"protocol": {"name": "delayed", "delay": 3}},
            {"protocol": {"dely": 3}},
            "high.yaml: at items.own.a.protocol: .* unknown key 'dely'",
        ),
        (
            {"protocol": {"name": "delayed", "delay": -1}},
            {"protocol": {"name": "delayed"}},
            "low.yaml: at items.own.a.protocol: .*at delay: .*, found -1",
        ),
        # A value replaces all that is below it.
        (
            {"protocol": {"name": "delayed", "dely": 3}},
            {"protocol": "delayd"},
            "high.yaml: .*at items.own.a.protocol: .*protocol 'delayd'",
        ),
    ],
)
def test_the_file_with_the_wrong_key_is_named(config, tmp_path, low, high, message):
    files = [tmp_path / name for name in ("low.yaml", "high.yaml")]
    for path, item in zip(files, [ITEM | low, high], strict=True):
        path.write_text(yaml.safe_dump({"studies": ["own"], "items": {"own": {"a": item}}}))
    with pytest.raises(ConfigError, match=f"^{message}"):
        make_plan(merge_files(files), decide=True, files=files)


def test_a_wrong_key_of_the_command_line_is_in_no_file(config, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump({"studies": ["own"], "items": {"own": {"a": ITEM}}}))
    mistyped = put(merge_files([path]), "items.own.a.widow", 9)
    with pytest.raises(ConfigError, match=r"^the configuration: at items\.own\.a: .*widow"):
        make_plan(mistyped, decide=True, files=[path])


def test_the_file_with_the_wrong_key_of_a_learner_is_named(config, tmp_path):
    files = [tmp_path / name for name in ("low.yaml", "high.yaml")]
    rows = [{"learner": "knn", "titel": "Mine"}, {"parameters": {"k": 3}}]
    for path, row in zip(files, rows, strict=True):
        path.write_text(yaml.safe_dump({"learners": {"mine": row}}))
    with pytest.raises(ConfigError, match=r"^low\.yaml: at learners\.mine: .*titel"):
        make_plan(merge_files(files), decide=True, files=files)


def test_the_scale_is_that_of_the_items():
    assert complete(merge_files([])).content["scale"] == "quick"
    for scale in ("middle", "paper"):
        path = ROOT / "config" / f"{scale}.yaml"
        assert complete(merge_files([path]), [path]).content["scale"] == scale
        changed = merge_files([path])
        changed["items"]["bifet2015"]["errors"]["instances"] = [500]
        assert complete(changed, [path]).content["scale"].startswith(f"{scale}, ")
        with pytest.raises(ConfigError, match=f"--configfile config/{scale}.yaml"):
            complete({**merge_files([]), "scale": scale})


def test_all_stands_for_every_study_of_the_project(config):
    default, folders = (
        merge_files([])["studies"],
        (ROOT / "config" / "studies", ROOT / "validation"),
    )
    files = [path for folder in folders for path in folder.glob("*.yaml")]
    (*first, last) = complete({**merge_files([]), "studies": "all"}).content["studies"]
    assert first[: len(default)] == default
    assert {*first, last} == {path.stem for path in files}
    both = complete({**merge_files([]), "studies": ["all", last]}).content["studies"]
    assert both == (*first, last)


@pytest.fixture
def installed(config, monkeypatch, tmp_path):
    """The project as an installed package has it, without the folder of validation."""
    root = tmp_path / "installed"
    shutil.copytree(ROOT / "config", root / "config")
    monkeypatch.setattr(settings, "ROOT", root)
    return root


def test_an_installed_package_runs_its_own_studies_at_every_scale(installed):
    for name in ("middle", "paper", "test"):
        path = installed / "config" / f"{name}.yaml"
        content = complete({**merge_files([path]), "studies": "all"}, [path]).content
        studies = {file.stem for file in (installed / "config" / "studies").glob("*.yaml")}
        assert {*content["studies"]} == studies == {*content["items"]}


@pytest.mark.parametrize(
    "asked", [{"studies": ["labels"]}, {"items": {"labels": {"budget": {"runs": 1}}}}]
)
def test_an_installed_package_says_where_the_other_studies_are(installed, asked):
    in_clone = r"are in the folder validation of a clone of the project; the installed package"
    with pytest.raises(ConfigError, match=rf"'labels'.*Studies beyond the papers {in_clone}"):
        complete({**merge_files([]), **asked})


def test_the_first_page_is_told_which_studies_are_left_out(config):
    titles = study_content("labels")["titles"] | study_content("detectors")["titles"]
    default = {**config, "studies": merge_files([])["studies"]}
    omitted = not_run(make_plan(default, decide=True))
    assert {*titles.values()} < {*omitted["titles"]}
    assert "studies=all" in omitted["command"]  # there is no clone in this folder
    assert not not_run(make_plan(config, decide=True))["titles"]
    items = {"own": {"a": ITEM}}
    assert not not_run(make_plan({**config, "studies": ["own"], "items": items}, decide=True))[
        "titles"
    ]
