"""What the documentation says is true."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.pages import blocks, documentation

import streameval
from streameval.base.schema import fields_of
from streameval.base.settings import ROOT, load_yaml
from streameval.learners.adapter_rows import PARAMETERS
from streameval.learners.registry import load_learners
from streameval.pipeline.configuration import STUDY_KEYS, ConfigContent
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream


def test_the_pages_name_what_there_is():
    named = set(re.findall(r"\bse\.(\w+)", documentation()))
    assert {"read", "evaluate", "kappa_m"} <= named <= {*streameval.__all__}


def examples(tmp_path):
    text = "\n".join(blocks("config/README.md", "yaml"))
    (tmp_path / "learners.yaml").write_text(text, encoding="utf-8")
    return load_learners(tmp_path / "learners.yaml")


def test_the_examples_of_rows_play(tmp_path):
    specs = examples(tmp_path)
    assert set(PARAMETERS) == {spec.learner for spec in specs.values()}
    stream, tape = Sea().stream(200), prequential(200)
    for spec in specs.values():
        if spec.learner in ("river", "sklearn"):
            coded = spec.id == "sklearn_categorical"
            played = Stream(np.floor(stream.X), stream.y, stream.schema) if coded else stream
            label = spec.make().run(played, tape).label
            assert (label[100:] == stream.y[100:]).mean() > 0.5, spec.id


@pytest.mark.moa
def test_the_example_of_moa_runs(tmp_path):
    for spec in examples(tmp_path).values():
        if spec.learner == "moa":
            assert len(spec.make().run(Sea().stream(50), prequential(50)).label) == 50


def findings(page):
    """The lines with which each finding of a page starts, by their first words."""
    text = (ROOT / page).read_text(encoding="utf-8")
    sections = re.split(r"^(?=##)", text, flags=re.MULTILINE)
    parts = [part for part in sections if part.startswith("###") or "**Claim" in part]
    assert len(parts) > 20
    for part in parts:
        items = re.split(r"^- ", part.split("\n\n")[1], flags=re.MULTILINE)[1:]
        assert max(len(item.strip().splitlines()) for item in items) <= 3, part
        yield {re.match(r"\*\*(\w+)", item)[1]: item for item in items}


def test_every_finding_starts_with_claim_result_and_reason():
    assert {(*lines,) for lines in findings("docs/findings.md")} == {("Claim", "Here", "Why")}


def test_findings_of_validation_name_records_or_items_of_a_run():
    folder = ROOT / "resources" / "recorded"
    records = {path.name for path in folder.rglob("*.csv")}
    records |= {path.relative_to(ROOT).as_posix() for path in folder.rglob("*.csv")}
    studies = [load_yaml(path)["items"] for path in (ROOT / "validation").glob("*.yaml")]
    items = {
        f"{study}/{item}" for parts in studies for study, names in parts.items() for item in names
    }
    for lines in findings("validation/findings.md"):
        assert (*lines,) == ("Claim", "Here", "Why", "Source")
        sources = {*re.findall("`([^`]+)`", lines["Source"])}
        assert sources
        assert ("Run: " in lines["Source"]) == bool(sources & items)
        assert sources <= records | items | {"make findings"}


def test_every_key_of_the_configuration_is_explained():
    """Settings of items are in config/kinds.md, which is made from their declarations."""
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| key \| meaning \|\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    explained = set(re.findall(r"`([\w.]+)(?:\.<\w+>)*`", re.sub(r"(?m)\|[^|]*\|$", "", table)))
    known = set()
    for key, field in fields_of(ConfigContent).items():
        inner = getattr(field.type, "fields", ())
        known |= {f"{key}.{below.name}" for below in inner} or {key}
    assert explained == known
    assert "`kind`" in table
    assert "kinds.md" in table


def test_what_a_file_of_a_study_holds_is_explained():
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^A file `studies/<study>.yaml` holds .*?\.\s", text, re.M | re.S)
    assert set(STUDY_KEYS) <= set(re.findall(r"`(\w+)`", said))


def test_the_first_page_fits_two_screens_and_shows_a_small_picture():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 115
    first = text.split("\n\n")[2]
    alternative, place = re.fullmatch(r"!\[(.+)\]\((.+)\)", first, re.DOTALL).groups()
    assert "κ-temporal" in alternative
    assert 0 < (ROOT / place).stat().st_size < 200_000
