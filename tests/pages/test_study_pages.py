"""The pages of a run: what they show of its studies, and how large they may be."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from markupsafe import Markup

from streameval.items.columns import plain_table
from streameval.pages import study as pages
from streameval.pages.study import RunPages
from streameval.report.methods import Registries
from streameval.report.what_ran import FrontSection, ItemRun
from streameval.view.files import write_table

SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="238.1pt" height="119.5pt" viewBox="0 0 238.1 119.5">
 <metadata><rdf/></metadata>
 <defs><path id="m1" d="M 0 0"/><clipPath id="p1"><rect/></clipPath></defs>
 <g clip-path="url(#p1)"><use href="#m1"/></g>{more}
</svg>
"""
NUMBER = {
    "paper": "bifet2013",
    "item": "fig1",
    "key": "elec2/P(c1)",
    "published": "0.58",
    "ours": 0.5755,
    "difference": -0.0045,
    "verdict": "reproduced",
    "rule": "the digits",
    "reason": "ours, 0.5755, rounds to 0.58",
    "by_construction": "no",
}
CLAIM = NUMBER | {
    "key": "tree_loses",
    "published": "The tree is <b>worse</b> than κ_t",
    "ours": 1.0,
    "difference": 0.0,
    "verdict": "claim holds",
    "reason": "−0.06 [−0.10, −0.02]",
}
STREAMS = {"elec2": {"title": "Electricity", "rows": 45312, "columns": 8, "classes": 2}}
RUN: dict[str, Any] = {
    "command": "streameval run 'a <study>.yaml'",
    "origin": {
        "jobs": 3,
        "begun": ["2026-01-02T03:04:05+00:00", "2026-01-04T03:04:05+00:00"],
        "commit": {"abc": 2, "def-dirty": 1},
        "study_commit": {"": 3},
        "processor": {"A processor": 3},
        "versions": {"streameval": {"0.1.0": 3}, "numpy": {"2.1": 2, "2.2": 1}},
    },
    "streams": {"elec2": {"rows": 45312, "digest": "0f" * 32}},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a run, with a picture and a table of two lengths."""
    monkeypatch.chdir(tmp_path)
    for name in ("elec2", "sea", "stagger"):
        file = tmp_path / "figures/bifet2013/fig1" / f"{name}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SVG.format(more=""), encoding="utf-8")
    for name, rows in (("table1", 3), ("long", pages.MAX_UNFOLDED_ROWS + 1)):
        frame = pd.DataFrame({"stream": ["elec2"] * rows, "accuracy": [0.5] * rows})
        stem = tmp_path / "results/tables/bifet2013" / name
        stem.parent.mkdir(parents=True, exist_ok=True)
        write_table(frame, stem, caption=name, label=name, table=plain_table(frame, {}))
    return tmp_path / "results"


def item(name: str, **more: Any) -> dict[str, Any]:
    plain = {"id": f"bifet2013/{name}", "name": name, "title": f"Item {name}", "kind": "k"}
    empty = {"pictures": [], "table": "", "caption": "", "tables": [], "data": [], "logs": []}
    code = [{"name": "a/b.py", "at": "../src/a/b.py"}, {"name": "c.py", "at": ""}]
    about = {"subject": "κ_t over <time>", "code": code, "settings": "fig1: {a: 1}\n"}
    methods = {"caption": f"What {name} shows. More", "settings": {"seed": 4}}
    return {**plain, **empty, **about, "left_out": [], "methods": methods, **more}


def pictures(*names: str) -> list[dict[str, str]]:
    at = "figures/bifet2013/fig1"
    return [{"name": name, "file": f"{at}/{name}", "caption": f"Of {name}"} for name in names]


def report(
    folder: Path, items: list[dict[str, Any]], *rows: dict[str, Any], **more: Any
) -> RunPages:
    study = {
        "study": "bifet2013",
        "title": "A <paper>",
        "citation": "B",
        "drawn_in": {"fig6": "fig5"},
        "published": [{"name": "table2.csv", "at": "../resources/published/b/table2.csv"}],
        "findings": [{"name": "Table 2", "at": "../docs/findings.md#b-table-2"}],
        "items": items,
        "logs": [],
    }
    card = pd.DataFrame(rows) if rows else None
    took, run = more.get("took", {}), RUN | more.get("run", {})
    tree = {"title": "Tree", "citation": "", "seed": 7, "is_random": True}
    registered = Registries(STREAMS, {"tree": tree})
    return RunPages(
        [study], card, took, folder, run, registered, more.get("item_runs", ()), more.get("not_run")
    )


def page_of(report_of_run: RunPages) -> str:
    return report_of_run.study_page(report_of_run.studies[0])


def test_items_stand_in_their_order_with_what_was_published(folder):
    text = page_of(
        report(
            folder,
            [item("fig1", pictures=pictures("elec2")), item("fig2")],
            NUMBER,
            CLAIM,
            NUMBER | {"item": "fig1-2", "verdict": "differs"},
            NUMBER | {"item": "sec3", "by_construction": "yes"},
        )
    )
    places = [text.index(f'<section id="{name}"') for name in ("fig1", "fig2", "fig1-2", "sec3")]
    assert places == sorted(places)
    first = text[places[0] : places[1]]
    for said in ("0.58", "0.5755", "ours, 0.5755, rounds to 0.58", '"badge good">claim holds'):
        assert said in first
    assert 'aria-label="2 agree; 1 differ; 1 agree by construction"' in text


def test_figures_of_a_paper_that_are_no_items_stand_by_their_number(folder):
    items = [item(name) for name in ("fig5", "fig7", "table1", "table1_rules", "fig14")]
    claims = [CLAIM | {"item": name} for name in ("fig6", "table1", "fig10-12", "table2")]
    text = page_of(report(folder, items, *claims))
    # Figures 10 to 12 come behind Figure 7, the last one before them.
    wanted = "fig5 fig6 fig7 fig10-12 table1 table1_rules table2 fig14 obtained"
    assert re.findall(r'<section id="([^"]+)"', text) == wanted.split()


def test_a_figure_says_which_picture_it_is_a_part_of(folder):
    text = page_of(
        report(folder, [item("fig5")], CLAIM | {"item": "fig6"}, CLAIM | {"item": "fig7"})
    )
    places = [text.index(f'<section id="{name}"') for name in ("fig6", "fig7")]
    said = 'Drawn as a part of <a href="#fig5">Figure 5</a>.'
    assert said in text[places[0] : places[1]]
    assert text.count("Drawn as a part of") == 1


def test_a_table_has_its_notes(folder):
    frame = pd.DataFrame({"stream": ["elec2"], "accuracy": ["0.5*"]})
    layout = replace(plain_table(frame, {}), notes=("* of κ_t & a <subset>",))
    stem = folder / "tables/bifet2013/table1"
    write_table(frame, stem, caption="table1", label="table1", table=layout)
    text = page_of(report(folder, [item("table1", table=f"{stem}.html")]))
    assert "0.5*" in text
    assert text.count("<p>* of κ<sub>t</sub> &amp; a &lt;subset&gt;</p>") == 1


def test_texts_are_no_markup(folder):
    figures = pictures("elec2")
    figures[0]["caption"] = "<script>alert(1)</script>"
    text = page_of(report(folder, [item("fig1", pictures=figures)], CLAIM))
    assert "<script" not in text
    assert "A &lt;paper&gt;" in text
    assert "<b>worse</b>" not in text
    assert "κ<sub>t</sub> over &lt;time&gt;" in text


def test_names_in_drawings_are_those_of_one_drawing_only(folder):
    text = page_of(report(folder, [item("fig1", pictures=pictures("elec2", "sea"))]))
    assert "<metadata" not in text
    for number in (1, 2):
        for part in (f'id="p{number}-p1"', f"url(#p{number}-p1)", f'href="#p{number}-m1"'):
            assert text.count(part) == 1


def test_large_pictures_and_those_of_a_full_page_are_linked(folder, monkeypatch):
    large = folder.parent / "figures/bifet2013/fig1/elec2.svg"
    more = '<g id="m"/>' + "<g/>" * (pages.MAX_PICTURE_BYTES // 4)
    large.write_text(SVG.format(more=more), encoding="utf-8")
    figure = item("fig1", pictures=pictures("elec2", "sea"))
    text = page_of(report(folder, [figure]))
    assert '<img src="../figures/bifet2013/fig1/elec2.svg" alt="Of elec2"' in text
    assert text.count("<svg") == 1
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", 100)
    assert "<svg" not in page_of(report(folder, [figure]))


def test_further_streams_are_folded(folder):
    names = ("elec2", "sea", "stagger")
    text = page_of(report(folder, [item("fig1", pictures=pictures(*names))]))
    assert "<summary>1 more: stagger</summary>" in text


@pytest.mark.parametrize(("name", "folded"), [("table1", False), ("long", True)])
def test_tables_are_shown_without_what_sorts_them(folder, name, folded):
    at = f"results/tables/bifet2013/{name}.html"
    text = page_of(report(folder, [item("table1", table=at)]))
    assert "<button" not in text
    assert "data-pick" not in text
    assert text.count("<td") >= 3
    assert ("<summary>The table</summary>" in text) == folded


def test_what_was_not_run_says_why(folder):
    text = page_of(report(folder, [item("fig1", left_out=["covtype"])]))
    assert "Not run: covtype not available." in text


def test_data_code_and_cost_are_linked(folder):
    data = folder / "data/bifet2013/fig1/elec2.curves.csv"
    data.parent.mkdir(parents=True)
    data.write_text("a\n1\n", encoding="utf-8")
    figure = item("fig1", data=["results/data/bifet2013/fig1/elec2.curves.csv", "results/gone.csv"])
    report_of_run = report(folder, [figure], took={"bifet2013/fig1": (2, 3.14)})
    text = page_of(report_of_run)
    assert '<a href="data/bifet2013/fig1/elec2.curves.csv">elec2.curves.csv</a>' in text
    assert "gone.csv" not in text
    assert '<a href="../src/a/b.py">a/b.py</a>, c.py</dd>' in text
    assert "2 jobs, 3.1 s" in text
    assert "fig1: {a: 1}" in text


def test_the_first_page_leads_to_the_others(folder):
    (folder / "scorecard.html").write_text("", encoding="utf-8")
    report_of_run = report(
        folder, [item("fig1"), item("fig2")], NUMBER, took={"bifet2013": (1, 2.0)}
    )
    headline = Markup("<strong>{}</strong> by 6 {}.").format("A tree loses", "<points>")
    text = report_of_run.index_page(
        [headline, "<All>"], [FrontSection("What was run", [["<a>", "b"]])]
    )
    assert "<strong>A tree loses</strong> by 6 &lt;points&gt;." in text
    assert "<p>&lt;All&gt;</p>" in text
    assert re.findall("<li><p>(.*?)</p></li>", text) == ["&lt;a&gt;", "b"]
    assert text.index("A tree loses") < text.index("The studies") < text.index("What was run")
    assert '<a href="bifet2013.html">A &lt;paper&gt;</a>' in text
    assert "2 tables and figures; 1 job, 2.0 s" in text
    assert '<a href="scorecard.html">' in text
    assert "recorded.html" not in text


def test_the_first_page_names_studies_that_were_not_run_and_what_runs_them(folder):
    asked = {"titles": ["Labels that cost", "<b>"], "command": "make reproduce STUDIES=all"}
    text = report(folder, [item("fig1")], not_run=asked).index_page(["Found."], [])
    said = (
        "Not run: Labels that cost, &lt;b&gt;. To run these, too: <code>make reproduce STUDIES=all"
    )
    assert said in text
    assert "Not run" not in report(folder, [item("fig1")]).index_page(["Found."], [])


def test_the_first_page_says_why_numbers_were_not_run_and_what_to_do(folder):
    reasons = [
        *["stream covtype was not available: no connection to its hosts"] * 3,
        "stream airlines was not available: no connection to its hosts",
        *["quoted from the literature"] * 2,
        *["this run has no bifet2013/fig1 for the stream elec2"] * 7,
        "bifet2013/fig1, elec2: needs instances 1000000 too. config/paper.yaml has all of it",
    ]
    absent = {"verdict": "not run", "ours": float("nan"), "difference": float("nan")}
    rows = [NUMBER | absent | {"reason": text_of_reason} for text_of_reason in reasons]
    text = report(folder, [item("fig1")], NUMBER, *rows).index_page(["Found."], [])
    said = re.findall("<li>([0-9].*?)</li>", text)
    assert [text_of_reason.split(":")[0] for text_of_reason in said] == ["7", "4", "2", "1"]
    assert "(elec2); " in said[0]
    advice = '; <a href="#what-was-left-out-and-why">the commands that download them</a>'
    assert said[1].endswith("no connection to its hosts (covtype, airlines)" + advice)
    assert said[2] == "2: quoted from the literature"
    assert said[3].endswith("; run with --configfile config/paper.yaml")
    assert "and what to do" not in report(folder, [item("fig1")], NUMBER).index_page(["Found."], [])
    text = report(folder, [item("fig1")], NUMBER | absent | {"reason": "a <i>b</i> & c"})
    assert "1: a &lt;i&gt;b&lt;/i&gt; &amp; c" in text.index_page([], [])


def test_a_card_says_how_many_agree_of_those_that_were_compared(folder):
    rows = [NUMBER, CLAIM, NUMBER | {"verdict": "differs"}, NUMBER | {"verdict": "not run"}]
    card = report(folder, [item("fig1")], *rows, NUMBER | {"by_construction": "yes"})
    sentence = (
        'Of what could be compared here, <a href="scorecard.html#bifet2013-agree">2</a> of '
        '<a href="scorecard.html#bifet2013-compared">3</a> agree.'
    )
    assert sentence in card.index_page(["Found."], [])
    assert sentence in page_of(card)
    assert "could be compared" not in report(folder, [item("fig1")]).index_page([], [])


def test_tables_have_addresses_by_their_items(folder):
    at = "results/tables/bifet2013/table1.html"
    assert report(folder, [item("table1", table=at), item("fig1")]).addresses() == {
        "pages": ["bifet2013"],
        "tables": {"bifet2013/table1": "tables/bifet2013/table1.html"},
    }


def test_nothing_comes_from_elsewhere(folder):
    report_of_run = report(folder, [item("fig1", pictures=pictures("elec2"))], NUMBER, CLAIM)
    for text in (page_of(report_of_run), report_of_run.index_page(["Found."], [])):
        without = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "http" not in without
        assert "<script" not in without
        assert "url(" not in without.replace("url(#", "")


def obtained(text: str) -> str:
    return text[text.index('<section id="obtained"') :]


def test_pages_say_how_results_were_obtained(folder):
    report_of_run = report(folder, [item("fig1")])
    for text in (page_of(report_of_run), report_of_run.index_page([], [])):
        part = obtained(text)
        for said in (
            "2026-01-02 to 2026-01-04",
            "abc (2 jobs); def-dirty (1 job)",
            "A processor",
            "numpy 2.1 or 2.2",
            "streameval run &#39;a &lt;study&gt;.yaml&#39;",
            '<a href="run.json">',
            '<a href="digests.json">',
        ):
            assert said in part, said
        assert "commit of the study" not in part


def test_a_study_leads_to_published_files_and_findings(folder):
    text = page_of(report(folder, [item("fig1")]))
    assert '<a href="../resources/published/b/table2.csv">table2.csv</a>' in text
    assert '<a href="../docs/findings.md#b-table-2">Table 2</a>' in text


def test_streams_have_their_digests_where_an_item_read_them(folder):
    item_run = ItemRun("bifet2013/fig1", "a protocol", ["tree"], {"elec2": 10**9}, {}, [])
    with_stream = report(folder, [item("fig1")], item_runs=[item_run])
    without = report(folder, [item("fig1")])
    assert "0f" * 32 in obtained(page_of(with_stream))
    assert "0f" * 32 not in obtained(page_of(without))
    assert "0f" * 32 in obtained(without.index_page([], []))


def test_methods_of_a_study_name_what_ran(folder):
    item_run = ItemRun("bifet2013/fig1", "a protocol", ["tree"], {"elec2": 10**9}, {}, [])
    part = obtained(page_of(report(folder, [item("fig1"), item("fig2")], item_runs=[item_run])))
    for said in (
        "elec2, Electricity (45,312 instances, 8 inputs, 2 classes)",
        "We evaluated Tree on elec2 (Item fig1); protocol: a protocol.",
        "seed 7 of Tree; seed 4 (Item fig1 and Item fig2)",
        "Item fig2: What fig2 shows.",
        "@inproceedings{bifet2013,",
    ):
        assert said in part, said
    assert "More" not in part
