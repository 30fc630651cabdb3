"""What the documentation says is true."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import numpy as np
import pytest
import yaml

from streameval.learners.registry import LearnerSpec
from streameval.protocols.prequential import prequential
from streameval.settings import ROOT
from streameval.streams.generators.sea import sea

PAGES = [path for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & set(path.parts)]


def test_the_example_of_a_learner_plays(monkeypatch):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    module = ModuleType("their_package")
    monkeypatch.setitem(sys.modules, "their_package", module)
    exec(compile(code[1], "CONTRIBUTING.md", "exec"), vars(module))
    spec = LearnerSpec("mine", "their_package:EveryOther", "Mine", {"first": 1})
    stream = sea(7)
    answers = spec.make().play(stream, prequential(7))
    assert answers.label.tolist() == [1, 0, 1, 0, 1, 0, 1]
    assert answers.row.tolist() == list(range(7))
    assert answers.label.dtype == np.int16


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_key_of_the_configuration_is_explained():
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    schema = yaml.safe_load(
        (ROOT / "workflow" / "schemas" / "config.schema.yaml").read_text(encoding="utf-8")
    )
    keys = set(schema["properties"]) | set(schema["properties"]["data"]["properties"])
    for part in schema["$defs"].values():
        keys |= set(part.get("properties", {}))
    for key in keys:
        assert f"`{key}`" in text or f".{key}`" in text or f"`{key}." in text, key


def test_the_files_of_rules_and_scripts_stay_small():
    for script in (ROOT / "workflow" / "scripts").glob("*.py"):
        assert len(script.read_text(encoding="utf-8").splitlines()) <= 60, script.name
    for rules in (ROOT / "workflow" / "rules").glob("*.smk"):
        assert len(rules.read_text(encoding="utf-8").splitlines()) <= 200, rules.name
    for source in (ROOT / "src").rglob("*.py"):
        assert len(source.read_text(encoding="utf-8").splitlines()) <= 400, source.name
