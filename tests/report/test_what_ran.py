"""What the first page says of what was run."""

from __future__ import annotations

import pytest
from helpers import first_page

from streameval.report.what_ran import (
    FrontSection,
    ItemRun,
    items_table,
    time_sections,
    what_ran_blocks,
)

LEARNERS = {"no_change": "No-Change", "knn": "k-*NN*", "fimt_dd": "FIMT-DD"}
ROWS = {"rows": 45312, "columns": 8}
STREAMS = {
    "elec2": {"title": "A *title*", "classes": 2, **ROWS},
    "made": {"title": "From a file of a generator", "classes": 3, "generated": True, **ROWS},
    "sea": {"title": "SEA", "classes": 2, "generator": "sea", **ROWS},
    "markov": {"title": "M", "classes": 2, "generator": "m", "stands_for": "elec2", **ROWS},
    "bike": {"title": "Bikes", "classes": 0, "bundled": {"file": "bike.parquet"}, **ROWS},
}
USUAL, AGAIN = "test-then-train (prequential)", "continuous re-evaluation every 10 labels"
RAN = [
    ItemRun("a/fig1", USUAL, ["no_change", "knn"], {"elec2": 2**62}, {}, ["original"]),
    ItemRun("a/fig2", USUAL, ["knn"], {"sea": 5000}, {}, ["original", "shuffled:1"]),
    ItemRun("a/fig3", "", [], {"sea": 70000, "markov": 45312}, {}, ["original"]),
    ItemRun("a/fig4", AGAIN, ["fimt_dd"], {"bike": 45312, "made": 9}, {"made": 50}, ["original"]),
]


def page(ran=RAN, user_streams=(), scale="quick"):
    said = what_ran_blocks(scale, ran, STREAMS, LEARNERS, user_streams)
    return html([*said, items_table(ran, STREAMS, LEARNERS)])


def html(blocks):
    return first_page.html(sections=[FrontSection("What was run", blocks)])


def test_learners_and_streams_are_counted_by_protocol():
    said = first_page.lines(page())
    assert f"{USUAL}: 2 learners over 2 streams (3 of 4 combinations). No-Change; k-*NN*." in said
    assert f"{AGAIN}: 1 learner over 2 streams. FIMT-DD." in said
    assert "No learner ran." in page([RAN[2]])


def test_streams_have_the_numbers_of_instances_that_were_used():
    streams, _ = first_page.tables(page())
    lengths = {row["stream"]: row["instances"] for row in streams}
    assert lengths == {
        "elec2": "45,312",  # its length, where an item takes all of it
        "made": "first 50 labels",
        "sea": "5,000 to 70,000",  # a generator goes on
        "markov": "45,312",
        "bike": "45,312",
    }
    assert {row["stream"]: row["target"] for row in streams} == {
        **dict.fromkeys(("elec2", "sea", "markov"), "2 classes"),
        "made": "3 classes",
        "bike": "a number",
    }


def test_inputs_that_are_known_later_are_counted_apart_and_columns_with_times_are_none():
    known = {"elec2": STREAMS["elec2"] | {"known_at": {"delay": "left", "gate": "left"}}}
    (streams,) = first_page.tables(html(what_ran_blocks("", RAN[:1], known, LEARNERS)))
    assert streams[0]["inputs"] == "5, 2 more later"
    assert first_page.tables(page())[0][0]["inputs"] == "8"


def test_a_file_that_a_generator_made_is_generated():
    streams, _ = first_page.tables(page(user_streams=("elec2",)))
    assert [row["kind"] for row in streams] == [
        *("your own", "generated", "generated", "simulated", "real, in the package")
    ]


def test_each_item_has_its_protocol_learners_and_streams():
    _, items = first_page.tables(page())
    assert items[1] == {
        "item": "a/fig2",
        "protocol": USUAL,
        "learners": "k-*NN*",
        "streams": "sea (also shuffled)",
        "instances": "5,000",
    }
    assert items[2]["protocol"] == items[2]["learners"] == "–"
    assert items[3]["instances"] == "45,312; first 50 labels"
    many = RAN[0]._replace(learners=["knn"] * 5)
    assert first_page.tables(page([many]))[1][0]["learners"] == "5 learners"


@pytest.mark.parametrize("scale", ["", "paper"])
def test_a_scale_is_named_where_one_belongs_to_the_run(scale):
    lines = [line for line in first_page.lines(page(scale=scale)) if "Scale" in line]
    assert lines == (["Scale: paper."] if scale else [])


def test_labels_that_have_not_arrived_are_counted():
    streams = {"elec2": {**STREAMS["elec2"], "unlabelled": 1200}}
    text = html(what_ran_blocks("", RAN[:1], streams, LEARNERS))
    assert "<strong>elec2</strong>: 1,200 of 45,312 labels have not arrived; these inst" in text


def test_the_longest_parts_of_a_run_come_first_and_small_ones_share_a_row():
    times = {"tables of a": [(1.5, 1.25)], "a/fig1": [(200, 390), (97.5, 100.5)]}
    times |= {f"learners on {name}": [(0.25, 0.25)] for name in ("a_b", "c", "d", "e")}
    (rows,) = first_page.tables(first_page.html(sections=time_sections(times)))
    assert [list(row.values()) for row in rows] == [
        ["a/fig1", "2", "297.5", "490.5"],
        ["5 parts under 1 % of the run", "5", "2.5", "2.3"],
        ["all", "7", "300.0", "492.8"],
    ]
    assert time_sections({}) == []
