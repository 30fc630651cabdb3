"""What pages of a run lead to beside its own files."""

from __future__ import annotations

import importlib

import pytest

from streameval import papers
from streameval.base.settings import ROOT
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.page_content import studies_of
from streameval.pipeline.plan import make_plan

#: The folder of the pages, where their links start.
RESULTS = ROOT / "results"


@pytest.fixture(scope="module")
def studies():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        plan = make_plan(merge_files([ROOT / "config" / "test.yaml"]), decide=False)
        return {study["study"]: study for study in studies_of(plan, [])}


@pytest.fixture
def anchors(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "site")
    return importlib.import_module("pages").anchors


def test_published_files_are_those_of_the_paper(studies):
    for paper in papers.all_papers():
        files = {(RESULTS / file["at"]).resolve() for file in studies[paper]["published"]}
        assert files == {*(ROOT / "resources" / "published" / paper).glob("*.csv")}
    assert studies["overview"]["published"] == []


def test_findings_lead_to_the_sections_of_the_paper(studies, anchors):
    page = ROOT / "docs" / "findings.md"
    there, reached = anchors(page.read_text(encoding="utf-8")), set()
    for paper in papers.all_papers().values():
        assert studies[paper.id]["findings"], paper.id
        for finding in studies[paper.id]["findings"]:
            path, _, anchor = finding["at"].partition("#")
            assert (RESULTS / path).resolve() == page
            assert anchor in there
            assert not finding["name"].startswith(paper.title)
            reached.add(anchor)
    heads = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "## "]
    of_papers = [line for line in heads if "et al. (" in line]
    assert len(reached) == len(of_papers) > 10


def test_other_studies_lead_to_the_section_of_their_title(studies):
    for name in ("beyond", "detectors", "intervals", "labels", "scores"):
        (section,) = studies[name]["findings"]
        assert section["name"] == studies[name]["title"]
        assert "/validation/findings.md#" in section["at"]
    assert studies["overview"]["findings"] == []
