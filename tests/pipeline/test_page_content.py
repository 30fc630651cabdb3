"""What pages of a run lead to beside its own files."""

import importlib
import sys

import pytest

from streameval import papers
from streameval.base.settings import ROOT
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.page_content import studies_of
from streameval.pipeline.plan import make_plan


@pytest.fixture
def studies(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = make_plan(merge_files([]), decide=False)
    folder = ROOT / plan.summary
    return {study["study"]: (study, folder) for study in studies_of(plan, [])}


@pytest.fixture
def anchors(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "site"), *sys.path])
    return importlib.import_module("pages").anchors


def test_published_files_are_those_of_the_paper(studies):
    for paper in papers.all_papers().values():
        study, folder = studies[paper.id]
        files = {(folder / file["at"]).resolve() for file in study["published"]}
        assert files == {*(ROOT / "resources" / "published" / paper.id).glob("*.csv")}
    study, _ = studies["overview"]
    assert study["published"] == []


def test_findings_lead_to_the_sections_of_the_paper(studies, anchors):
    page = ROOT / "docs" / "findings.md"
    there, reached = anchors(page.read_text(encoding="utf-8")), set()
    for paper in papers.all_papers().values():
        study, folder = studies[paper.id]
        assert study["findings"], paper.id
        for finding in study["findings"]:
            path, _, anchor = finding["at"].partition("#")
            assert (folder / path).resolve() == page
            assert anchor in there
            assert not finding["name"].startswith(paper.title)
            reached.add(anchor)
    heads = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "## "]
    of_papers = [line for line in heads if "et al. (" in line]
    assert len(reached) == len(of_papers) > 10


def test_other_studies_lead_to_the_section_of_their_title(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = make_plan(merge_files([ROOT / "config" / "test.yaml"]), decide=False)
    studies = {study["study"]: study for study in studies_of(plan, [])}
    for name in ("beyond", "detectors", "intervals", "labels", "scores"):
        (section,) = studies[name]["findings"]
        assert section["name"] == studies[name]["title"]
        assert "/validation/findings.md#" in section["at"]
    assert studies["overview"]["findings"] == []
