"""The site of the documentation: its pages, links, references and pictures."""

from __future__ import annotations

import importlib
import math
import re
import sys
from contextlib import contextmanager
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import nbformat
import numpy as np
import pytest
from helpers.all_kinds import VALIDATION, all_kinds

import streameval
from streameval.base.settings import ROOT
from streameval.cli import COMMANDS
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.items import kinds, kinds_of_studies
from streameval.learners.registry import LEARNERS, load_learners
from streameval.measures.registry import MEASURES
from streameval.protocols.registry import PROTOCOLS
from streameval.protocols.tape import LEARN, PREDICT
from streameval.significance.registry import TESTS
from streameval.streams.registry import load_registry

NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


@contextmanager
def on_path():
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    try:
        yield
    finally:
        sys.path.remove(str(ROOT / "docs" / "site"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages as they are built, without the pictures of a run."""
    with on_path():
        make = importlib.import_module("make")
        return make.make_site(tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("nothing"))


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "site")
    return importlib.import_module


def broken(texts, files, anchors, links, is_address):
    """Yield the links of pages that lead nowhere."""
    known = {place: anchors(text) for place, text in texts.items()}
    for place, text in texts.items():
        for target in links(text):
            if is_address(target):
                parts = urlsplit(target)
                if parts.scheme not in ("http", "https", "mailto") or " " in target:
                    yield f"{place}: {target}"
                continue
            path, _, anchor = target.partition("#")
            where = str(resolved(place, path)) if path else place
            if where not in known and where not in files:
                yield f"{place}: {target}"
            elif anchor and where in known and anchor not in known[where]:
                yield f"{place}: {target}: no such heading"


def resolved(place: str, path: str) -> PurePosixPath:
    parts: list[str] = []
    for part in (PurePosixPath(place).parent / path).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return PurePosixPath(*parts)


@pytest.mark.parametrize("plain", [False, True])
def test_links_of_the_site_lead_somewhere(site, tool, plain):
    pages = tool("pages")
    texts = {place: site.readable(place) if plain else site.texts[place] for place in site.texts}
    # The anchors of functions and classes are the headings above them.
    assert not [*broken(texts, site.files, pages.anchors, pages.links, pages.is_address)]
    assert all(path.is_file() for path in site.files.values())


def test_links_of_the_repository_lead_somewhere(tool):
    pages = tool("pages")
    left_out = {".venv", "node_modules", "build"}
    paths = [path for path in ROOT.rglob("*.md") if not left_out & set(path.parts)]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    assert {"CONTRIBUTING.md", "config/kinds.md", "docs/findings.md"} <= {*texts}
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("*") if path.is_file()}
    for folder in ("benchmarks", "config", "docs", "examples", "resources/recorded", "validation"):
        files |= {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*")}
    assert not [*broken(texts, files, pages.anchors, pages.links, pages.is_address)]


def test_headings_have_the_anchors_of_hosts(tool):
    slug = tool("pages").slug
    assert slug("Bifet et al. (2013), Table 2") == "bifet-et-al-2013-table-2"
    assert slug("How `κ_t` is [counted](x.md)") == "how-κ_t-is-counted"


def test_menu_and_list_for_programs_have_every_page(site, tool):
    listed = [f"{name}.md" for names in tool("pages").MENU.values() for name in names]
    assert len(listed) == len({*listed})
    rest = {place for place in site.texts if not place.startswith("reference/api/")}
    assert {*listed, "index.md"} == rest
    assert {*tool("pages").links(tool("make").llms(site))} == {*site.texts} - {"index.md"}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("commands", COMMANDS),
        ("measures", MEASURES),
        ("measures", ALL_SCORE_MEASURES),
        ("learners", LEARNERS),
        ("learners", load_learners(ROOT / "config/learners.yaml")),
        ("streams", load_registry(check_options=False)),
        ("protocols", PROTOCOLS),
        ("detectors", DETECTORS),
        ("tests", TESTS),
        ("kinds", kinds()),
        ("validation_kinds", kinds_of_studies(VALIDATION)),
    ],
)
def test_references_name_all_that_there_is(site, page, names):
    text = site.texts[f"reference/{page}.md"]
    assert not [
        name for name in names if not re.search(rf"(^##+ |`){re.escape(name)}\b", text, re.M)
    ]


def test_every_public_name_is_documented(site, tool):
    pages = tool("api_pages").groups()
    assert sorted(name for names in pages.values() for name in names) == sorted(streameval.__all__)
    errors = {name for name in pages["errors"] if issubclass(getattr(streameval, name), Exception)}
    assert errors == {*pages["errors"]}
    for page, names in pages.items():
        for name in names:
            assert f"streameval.{name}\n" in site.texts[f"reference/api/{page}.md"]
            assert f"\n## {name}\n" in site.plain[f"reference/api/{page}.md"]


def test_docstrings_become_markdown(tool):
    said = tool("docstrings").as_markdown(streameval.generate)
    assert "**Parameters**" in said
    assert "```python\n>>> import streameval as se" in said


def test_the_gallery_says_what_it_lacks(site):
    text = site.texts["gallery.md"]
    assert all(f"\n## {name}\n" in text for name in all_kinds())
    assert text.count("The tiny run has no result of this kind") > 30


def test_the_gallery_shows_pictures_beside_their_blocks(tool, tmp_path):
    picture = tmp_path / "figures/bifet2013/fig1/markov_ozone.svg"
    picture.parent.mkdir(parents=True)
    picture.write_text("<svg/>")
    table = tmp_path / "results/tables/bifet2013/table2.md"
    table.parent.mkdir(parents=True)
    table.write_text("**Title**\n\n| a |\n|---|\n" + "| 1 |\n" * 9 + "\nNote\n")
    site = tool("pages").Site()
    tool("gallery").add(site, tmp_path)
    assert site.files["gallery/bifet2013-fig1.svg"] == picture
    text = site.texts["gallery.md"]
    assert "# items.bifet2013\nfig1:\n  kind: class_distribution\n" in text
    assert "3 more rows." in text
    assert "Note" not in text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(tool, tmp_path, path):
    nbformat.validate(nbformat.read(path, as_version=4))
    pictures = {}
    text = tool("notebooks").as_markdown(
        path, tmp_path, lambda name, it: pictures.setdefault(name, it) and name
    )
    assert "kappa_temporal" in text
    assert all(content.startswith(b"<?xml") for content in pictures.values())
    assert pictures


def test_notebooks_are_kept_without_output():
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs")
            assert cell.get("execution_count") is None


def test_lines_of_time_show_the_events_of_tapes(tool):
    timelines = tool("timelines")
    for protocol in timelines.DRAWN:
        picture = timelines.picture(protocol)
        events = np.concatenate([tape.op for tape in timelines.tapes(protocol)])
        learnt = picture.count('width="18"')
        # Two of each are in the legend.
        assert picture.count("<circle") - 2 == (events & PREDICT > 0).sum()
        assert learnt - 2 == (events & LEARN > 0).sum()


def test_events_stand_in_their_order(tool):
    picture = tool("timelines").picture("delayed:2")
    rows = re.findall(r'<circle cx="(\d+)" cy="(\d+)"', picture)[:8]
    for (x1, y1), (x2, y2) in pairwise(rows):
        assert int(x1) < int(x2)
        assert int(y1) < int(y2)


def test_claims_about_river_hold():
    page = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    metrics = importlib.import_module("river.metrics")
    assert f"River {importlib.import_module('river').__version__}," in page
    assert "CohenKappa" in dir(metrics)
    assert not {"KappaT", "KappaM"} & {*dir(metrics)}
    assert {"NoChangeClassifier", "PriorClassifier"} <= {
        *dir(importlib.import_module("river.dummy"))
    }


def rows(number):
    """Instances whose label is the sign of their input, in the form of River."""
    values = np.random.default_rng(1).normal(size=number)
    return [({"x": value}, bool(value > 0)) for value in values]


def test_river_scores_all_and_learns_from_labels_that_its_sampler_asks_for():
    active, evaluate, linear_model, metrics = (
        importlib.import_module(f"river.{name}")
        for name in ("active", "evaluate", "linear_model", "metrics")
    )
    sampler = active.EntropySampler(linear_model.LogisticRegression(), seed=1)
    accuracy = metrics.Accuracy()
    *_, last = evaluate.iter_progressive_val_score(rows(500), sampler, accuracy, step=500, delay=50)
    assert accuracy.cm.n_samples == 500
    assert 0 < last["Samples used"] < 500


def test_river_gives_labels_with_an_infinite_delay_at_the_end():
    evaluate, naive_bayes, metrics = (
        importlib.import_module(f"river.{name}") for name in ("evaluate", "naive_bayes", "metrics")
    )
    model, accuracy = naive_bayes.GaussianNB(), metrics.Accuracy()
    evaluate.progressive_val_score(rows(200), model, accuracy, delay=lambda x, y: math.inf)
    assert sum(model.class_counts.values()) == 200
    assert accuracy.get() == 0  # nothing was learnt before the end
