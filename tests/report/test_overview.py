"""The first page of a run."""

from __future__ import annotations

import pandas as pd
from helpers import first_page

from streameval import papers
from streameval.evaluation.differences import GainOverBaseline
from streameval.report.left_out import LeftOutStream
from streameval.report.overview import StreamFindings, overview
from streameval.report.what_ran import ItemRun

TITLES = {"no_change": "No-Change", "majority": "Majority", "hoeffding_tree": "Hoeffding tree"}
VALUES = {
    "no_change": (0.85, 0.70, 0.0, 0.65),
    "majority": (0.58, 0.0, -1.9, 0.0),
    "hoeffding_tree": (0.79, 0.57, -0.42, 0.51),
}
PAPERS = papers.all_papers().values()
NAMES = ("accuracy", "kappa", "kappa_temporal", "kappa_m")
COLUMNS = ["stream", "simulated", "learner", "measure", "value", "reason"]
LEFT_OUT = LeftOutStream("covtype", "Covertype", "host: no answer *in* time_", "curl a", "")
SPEC = {"title": "A *title*", "rows": 45312, "columns": 8, "classes": 2}


def measures(stream: str, tree: tuple[float, ...] = VALUES["hoeffding_tree"]) -> pd.DataFrame:
    rows = [
        (stream, stream != "elec2", learner, name, value, "")
        for learner, values in (VALUES | {"hoeffding_tree": tree}).items()
        for name, value in zip(NAMES, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def gap(difference: float = -0.06, low: float = -0.1, high: float = -0.02) -> pd.DataFrame:
    streams = ["elec2", "markov_elec2"]
    row = {"learner": "hoeffding_tree", "other": "no_change", "difference": difference}
    return pd.DataFrame([{"stream": name, **row, "low": low, "high": high} for name in streams])


def page(*frames: pd.DataFrame, **changes: object) -> str:
    return "\n".join(first_page.lines(html(*frames, **changes)))


def html(frame: pd.DataFrame, *scorecard: pd.DataFrame, **changes: object) -> str:
    settings = {
        "differences": gap(),
        "scale": "quick",
        "streams": {
            "elec2": SPEC,
            "sea": SPEC | {"generator": "sea"},
            "markov_elec2": SPEC | {"generator": "markov", "stands_for": "elec2"},
        },
        "learners": TITLES,
        "left_out": [LEFT_OUT],
    }
    (against,) = scorecard or [card()]
    return first_page.html(*overview(frame, against, papers=PAPERS, **(settings | changes)))


def card(*more: tuple[str, str, str, str, str]) -> pd.DataFrame:
    rows = [
        ("bifet2013", "table2", "elec2/P(c1)", "reproduced", "no"),
        ("bifet2013", "table2", "kdd99/P(c1|c1)", "reproduced if truncated", "no"),
        ("zliobaite2015", "table3", "elec2_mlj/instances", "reproduced", "no"),
        ("bifet2013", "table2", "elec2/majority_accuracy", "reproduced", "yes"),
        ("bifet2015", "table5", "kappa", "reproduced", "yes"),
        ("bifet2013", "fig9-11", "stable_in_lag", "not run: lower scale", "no"),
    ]
    columns = ["paper", "item", "key", "verdict", "by_construction"]
    return pd.DataFrame([*rows, *more], columns=columns)


def test_the_page_says_what_happened():
    text = page(measures("elec2"))
    assert "tree loses to No-Change by 6.00 points [2.00, 10.00]. It predicts 79.0 % of" in text
    assert "Here it is −0.42" in text
    assert "reproduced: 2\nreproduced if truncated: 1\nnot run: lower scale: 1\n" in text
    assert "agree by construction and say nothing about this run: 2" in text
    assert "are statistics of labels and counts" in text
    assert "No result of a trained learner is among them" in text
    assert "A simulated stream has the class proportions" in text
    _, left_out, streams = first_page.tables(html(measures("elec2")))
    assert [row["kind"] for row in streams] == ["real", "generated", "simulated"]
    assert [row["why"] for row in left_out] == ["host: no answer *in* time_"]


def test_what_was_reproduced_comes_first():
    text = html(measures("elec2"))
    places = [
        text.index(words)
        for words in ("could be compared here", "<th", "loses to No-Change", "The studies")
    ]
    assert places == sorted(places)
    assert text.index("What was left out") < text.index("What was run")


def test_numbers_of_the_finding_lead_to_their_tables():
    item = ItemRun("overview/measures", "", ["hoeffding_tree"], {"elec2": 9}, {}, ["original"])
    tables = {"overview/measures": "tables/overview/measures.html"}
    text = html(measures("elec2"), item_runs=[item], tables=tables)
    for number in ("79.0 %", "85.0 %", "58.0 %", "0.57", "0.51", "−0.42"):
        assert f'<a href="tables/overview/measures.html">{number}</a>' in text
    assert '<a href="differences.csv">loses to No-Change by 6.00 points [2.00, 10.00]</a>' in text
    # Of a stream that the table lacks, the file with all measures has them.
    for row in (item._replace(streams={"sea": 9}), item._replace(learners=["majority"])):
        text = html(measures("elec2"), item_runs=[row], tables=tables)
        assert text.count('<a href="measures.csv">') == 6


def test_it_does_not_deny_results_of_learners():
    # Numbers of Table 1 of Grzenda et al. that a later version may compare.
    row = ("grzenda2019", "table1", "hyperplane/attributes", "reproduced", "no")
    text = page(measures("elec2"), card(row))
    assert "No result of a trained learner is among them" in text
    row = ("grzenda2019", "table1", "hyperplane/0/naive_bayes", "reproduced", "no")
    text = page(measures("elec2"), card(row))
    assert "No result of a trained learner" not in text
    assert "numbers that agree include results of trained learners" in text
    row = ("bifet2015", "table3", "sea_50/0/cv", "within sampling error", "no")
    text = page(measures("elec2"), card(row))
    assert "numbers that agree include results of trained learners" in text
    assert "\nwithin sampling error: 1\n" in text
    assert "neither confirm nor contradict" not in text


def test_a_lower_scale_is_no_agreement():
    verdict = "within sampling error, at a lower scale"
    row = ("bifet2015", "table3", "sea_50/0/cv", verdict, "no")
    text = page(measures("elec2"), card(row))
    assert "No result of a trained learner is among them" in text
    assert f"\n{verdict}: 1\n" in text
    assert "They neither confirm nor contradict it" in text


def test_a_run_without_papers_is_not_compared_with_any():
    text = page(measures("elec2"), card().iloc[:0])
    assert "How it compares with the papers" not in text
    assert "What was left out" in text


def test_it_does_not_say_that_a_better_tree_loses():
    better = measures("elec2", (0.9, 0.8, 0.3, 0.7))
    text = page(better, differences=gap(0.05, 0.01, 0.09))
    assert "tree beats No-Change by 5.00 points [1.00, 9.00]. It predicts 90.0 %" in text
    text = page(better, differences=gap(0.05, float("nan"), float("nan")))
    assert "(+5.00 points; no interval, as the effective sample size is too small" in text


def test_the_finding_is_about_one_stream_or_its_simulated_stand_in():
    assert "\nOn the simulated stream markov_elec2" in page(measures("markov_elec2"))
    assert "worse than no model" not in page(measures("markov_ozone"))


def test_texts_of_anyone_are_no_markup():
    anyone = "a <i>b</i> & c"
    baseline_findings = [
        StreamFindings("elec2", anyone, [GainOverBaseline("knn", "no_change", False, 0, 0, 0, 0.8)])
    ]
    text = html(
        measures("elec2"),
        streams={"elec2": SPEC | {"title": anyone, "unlabelled": 3}, anyone: SPEC},
        learners={"knn": anyone} | dict.fromkeys(TITLES, anyone),
        item_runs=[ItemRun(anyone, anyone, ["knn"], {"elec2": 9, anyone: 9}, {}, ["original"])],
        left_out=[LeftOutStream(*[anyone] * 5)],
        recorded=pd.DataFrame({"record": [anyone], "verdict": ["differs"]}),
        record_sentences=[anyone],
        baseline_findings=baseline_findings,
    )
    assert "<i>" not in text
    top, *sections = text.split("<h2>")
    without = [section for section in sections if "a &lt;i&gt;b&lt;/i&gt; &amp; c" not in section]
    heads = [section.partition("</h2>")[0] for section in without]
    assert heads == ["The studies", "How it compares with the papers", "How it was obtained"]
    assert text.count("a &lt;i&gt;b&lt;/i&gt; &amp; c</code>") == 1
    assert top.count("a &lt;i&gt;b&lt;/i&gt; &amp; c") == 4
