"""What hosts, catalogs and readers of citations take from the repository is complete and true."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from urllib.parse import unquote

import pytest
import yaml

from streameval.base.settings import ROOT
from streameval.cli import COMMANDS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CARD = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PAPERS = sorted(path.name for path in (ROOT / "resources/published").iterdir() if path.is_dir())
OLDEST = re.search(r">=([\d.]+)", PROJECT["requires-python"])[1]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# --- Citations --------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_each_paper_is_cited_as_the_report_cites_it(paper):
    citation = import_module(f"streameval.papers.{paper}").CITATION
    (entry,) = (it for it in CARD["references"] if it["title"].lower() in citation.lower())
    names = [author["family-names"] for author in entry["authors"]]
    assert re.findall(r"([^.,\s][^.,]*), (?:\w\. ?)+", citation.partition(" (")[0]) == names
    assert f"({entry['year']})" in citation
    assert f"{entry['start']}–{entry['end']}" in citation
    if "volume" in entry:
        assert (
            f"{entry['journal']} {entry['volume']}({entry['issue']}), {entry['start']}" in citation
        )
    for other in ("THIRD_PARTY.md", "paper.bib"):
        assert entry["doi"] in page(other), other


def test_no_other_paper_is_cited_and_the_authors_are_the_same_everywhere():
    assert len(CARD["references"]) == len(PAPERS)
    (name,) = (author["name"] for author in CARD["authors"])
    assert [author["name"] for author in PROJECT["authors"]] == [name]
    assert name.removeprefix("The ") in page("LICENSE")
    assert f"name: {name}" in page("paper.md")


# --- The first page ---------------------------------------------------------------------


def test_badges_say_what_is_declared():
    lines = page("README.md").partition("\n\n")[0].splitlines()[1:]
    badges = [
        re.fullmatch(r"\[!\[([^\]]+)\]\((https://\S+)\)\]\((https://\S+)\)", it) for it in lines
    ]
    assert all(badges), lines
    said = {badge[1].partition(":")[0].split()[0]: unquote(badge[2]) for badge in badges}
    assert said["Python"].endswith(f"/python-≥{OLDEST}-blue")
    assert said["Licence"].endswith(f"/licence-{CARD['license'].replace('-', '--')}-blue")
    least = re.search(r'min_version\(\s*"([\d.]+)"', page("workflow/Snakefile"))[1]
    assert f"snakemake>={least}" in PROJECT["optional-dependencies"]["pipeline"]
    assert said["Workflow"].endswith(f"/snakemake-≥{least}-blue")
    (state,) = re.findall(r"is \*\*(\w+)\*\*", page("docs/life_cycle.md"))
    assert said["Project"].endswith(f"/{state}.svg")


def test_the_life_cycle_names_what_is_stable():
    text = page("docs/life_cycle.md")
    (row,) = re.findall(r"^\| the commands (.*?), their options", text, re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", row) == list(COMMANDS)
    assert f"Python {OLDEST} or later" in text


# --- The Snakemake workflow catalog -----------------------------------------------------


def test_the_catalog_finds_its_keys():
    """Those that its documentation names under standardized usage, and no others."""
    (usage,) = yaml.safe_load(page(".snakemake-workflow-catalog.yml")).values()
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["mandatory-flags"]) == {"desc", "flags"}
    assert isinstance(usage["mandatory-flags"]["flags"], list)
    deployment = usage["software-stack-deployment"]
    assert set(deployment) == {"conda", "apptainer", "apptainer+conda", "report"}
    assert usage["report"] is deployment["report"] is True
    rules = "".join(path.read_text(encoding="utf-8") for path in _rules())
    assert deployment["conda"] is bool(re.search(r"^\s*conda:", rules, re.MULTILINE))
    contained = bool(re.search(r"^\s*container(ized)?:", rules, re.MULTILINE))
    assert deployment["apptainer"] is deployment["apptainer+conda"] is contained


def _rules():
    rules = sorted((ROOT / "workflow/rules").glob("*.smk"))
    assert rules
    return [ROOT / "workflow/Snakefile", *rules]
