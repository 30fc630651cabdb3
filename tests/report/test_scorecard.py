"""The scorecard: verdicts follow from the stated rules, and only from real streams."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pandas as pd
import pytest
from helpers.scorecards import (
    FOLDER,
    PEAKS,
    card_of,
    gaps,
    judge_cell,
    measures,
    papers_table1,
    peaks,
    row_of,
    table2,
)

from streameval import papers
from streameval.base.errors import DataError
from streameval.items import kinds
from streameval.report.claims import judge
from streameval.report.published import find_nothing
from streameval.report.results import SURVEY_COLUMNS, Results
from streameval.report.scorecard import (
    COLUMNS,
    VERDICTS,
)

TABLE3 = kinds()["stream_characteristics"].columns

# ---- all of it


@pytest.fixture(scope="module")
def empty_card() -> pd.DataFrame:
    return card_of({})


#: Rows by hand from the papers: numbers, and claims.
ROWS = {
    "bifet2013": {
        "table1": 17 + 1,  # classifiers
        "table2": 2 * 9 + 2 * 4 + 7,  # 2 + 2 + 3 + 2 classes twice, two accuracies of 4 streams
        "sec2": 2,
        "sec3": 2,
    },
    "zliobaite2015": {
        "table3": 4 * 5 + 2,  # streams with 5 numbers
        "table5": 19 + 1,  # classifiers
        "propositions": 5,
    },
    "bifet2015": {
        "table1": 10 * 4 + 2,  # folds with 4 numbers
        "table1_tests": 5,  # in the text of Section 4
        "table2": 8 * 9 + 11,
        "table3": 13 * 9 + 1,  # streams
        "table4": 13 * 9 + 3,
        "table5": 11 + 6,
        "theorems": 7,
    },
    "grzenda2019": {
        "table1": 6 * 3 * 7 + 6 * 2 + 5,  # streams, bins, learners; sizes
        "table2": 3 * 5 + 2,
    },
}


def test_every_published_number_has_a_row(empty_card: pd.DataFrame) -> None:
    counts = empty_card.groupby(["paper", "item"]).size()
    for paper, items in ROWS.items():
        assert {item: counts[paper, item] for item in items} == items
    # Claims on every figure with results: Figures 1 and 2 show how bins are made.
    figures = {item for paper, item in counts.index if paper == "grzenda2019"}
    assert figures == {*(f"fig{number}" for number in range(3, 15)), "table1", "table2"}
    assert not empty_card.duplicated(COLUMNS[:3]).any()


def full_run() -> dict[str, pd.DataFrame | Path | str]:
    shares = {"P(c1)": 0.5755, "majority_accuracy": math.nan}
    table3 = pd.DataFrame([("ozone", False, 2536, 72, 2, 0.9712, 0.9487)], columns=list(TABLE3))
    elec2 = {"naive_bayes__no_change": -0.12, "hoeffding_tree__no_change": -0.06}
    elec2 |= {"moving_majority__no_change": -0.27}
    return {
        "bifet2013/table1": papers_table1(),
        "bifet2013/table2": table2(**shares),
        PEAKS: peaks(),
        "zliobaite2015/table3": table3,
        "measures": measures("elec2", hoeffding_tree__kappa=0.57),
        "differences": gaps("elec2", **elec2),
    }


def test_no_cell_is_blank_and_numbers_lack_only_where_not_run() -> None:
    card = card_of(full_run())
    texts = ["paper", "item", "key", "published", "verdict", "rule", "reason", "by_construction"]
    assert not card[texts].isna().to_numpy().any()
    assert (card[texts].map(len) > 0).to_numpy().all()
    assert set(card["verdict"]) <= set(VERDICTS)
    not_run = card["verdict"].str.startswith("not run")
    assert (card["ours"].isna() == not_run).all()
    assert (card["difference"].isna() == not_run).all()


def test_a_csv_file_and_a_frame_are_judged_alike(tmp_path: Path) -> None:
    frames = full_run()
    paths: dict[str, pd.DataFrame | Path | str] = {}
    for number, (name, frame) in enumerate(frames.items()):
        path = tmp_path / f"{number}.csv"
        assert isinstance(frame, pd.DataFrame)
        frame.to_csv(path, index=False)
        paths[name] = path
    pd.testing.assert_frame_equal(card_of(frames), card_of(paths, folder=str(FOLDER)))


# ---- numbers


@pytest.mark.parametrize(
    ("key", "value", "verdict", "words"),
    [
        # The share of the larger class of elecNormNew.arff: 26,075 of 45,312.
        ("elec2/P(c1)", 26075 / 45312, "reproduced", "rounds to 0.58"),
        ("elec2/P(c1)", 0.575, "reproduced", "rounds to 0.58"),  # half is rounded up
        ("elec2/P(c1)", 0.585, "reproduced if truncated", "equal if truncated instead of rounded"),
        # 2,405 of the 2,535 labels of onehr.data that have one before equal it.
        ("ozone/no_change_accuracy", 2405 / 2535, "reproduced if truncated", "equal if truncated"),
        ("kdd99/no_change_accuracy", 1.0, "differs", "ours is 0.0100 higher"),
        ("kdd99/P(c1)", 280790 / 494021, "differs", "ours is 0.0316 lower"),
    ],
)
def test_verdicts_on_numbers(key: str, value: float, verdict: str, words: str) -> None:
    row = judge_cell(key, value)
    assert row["verdict"] == verdict
    assert words in row["reason"]
    assert ("if truncated" in row["reason"]) == (verdict == "reproduced if truncated")
    assert row["ours"] == value
    assert row["difference"] == pytest.approx(value - float(row["published"]), abs=1e-15)


def test_a_row_may_describe_a_part_of_the_stream_that_it_names() -> None:
    whole, head = {"P(c1)": 280790 / 494021}, {"P(c1)": 39298 / 65536}
    frame = pd.concat([table2("kdd99", **whole), table2("kdd99_head", **head)])
    row = row_of(
        card_of({"bifet2013/table2": frame}, paper="bifet2013"), "bifet2013/table2", "kdd99/P(c1)"
    )
    assert (row["verdict"], row["ours"]) == ("reproduced", 39298 / 65536)
    assert row["by_construction"] == "yes"  # the part was chosen by this number
    assert (
        "kdd99_head: ours, 0.5996, rounds to 0.60. kdd99, the whole file: differs," in row["reason"]
    )
    assert "not a certainty" in row["reason"]


def test_what_agrees_by_construction_is_marked(empty_card: pd.DataFrame) -> None:
    rows = [
        ("elec2_mlj", False, 45312, 5, 2, 0.5755, 0.8533),
        ("kdd99", False, 1, 41, 23, 0.5, 0.5),
    ]
    numbers = {"P(c1)": 0.5755, "majority_accuracy": 0.5755, "no_change_accuracy": 0.8533}
    card = card_of(
        {
            "zliobaite2015/table3": pd.DataFrame(rows, columns=list(TABLE3)),
            "bifet2013/table2": table2(**numbers),
        },
    )
    marked = card[card["by_construction"] == "yes"]
    assert marked["key"].tolist() == ["elec2/majority_accuracy", "elec2_mlj/attributes"]
    assert marked["reason"].str.contains("By construction: ").all()
    assert set(card["by_construction"]) == {"yes", "no"}
    assert not (card["by_construction"] == "yes")[card["verdict"] == "not run"].any()
    assert set(empty_card["by_construction"]) == {"no"}


def test_counts_are_compared_exactly() -> None:
    rows = [("kdd99", False, 494021, 41, 23, 0.568377, 0.998921)]
    card = card_of(
        {"zliobaite2015/table3": pd.DataFrame(rows, columns=list(TABLE3))}, paper="zliobaite2015"
    )
    instances = row_of(card, "zliobaite2015/table3", "kdd99/instances")
    assert (instances["verdict"], instances["difference"]) == ("differs", 1)
    assert "ours is 1 higher" in instances["reason"]
    assert "MOA's copy has one fewer" in instances["reason"]  # the remark
    classes = row_of(card, "zliobaite2015/table3", "kdd99/classes")
    assert (classes["verdict"], classes["rule"]) == ("reproduced", "counts are equal")


def test_simulated_streams_never_count() -> None:
    frame = table2("elec2", simulated=True, **{"P(c1)": 0.58})
    row = row_of(
        card_of({"bifet2013/table2": frame}, paper="bifet2013"), "bifet2013/table2", "elec2/P(c1)"
    )
    assert row["verdict"] == "not run"


def test_an_undefined_number_is_not_run() -> None:
    row = judge_cell("elec2/P(c1)", math.nan)
    assert row["verdict"] == "not run"
    assert "undefined" in row["reason"]


def test_missing_streams_say_why() -> None:
    card = card_of({}, {"covtype": "its hosts do not answer"})
    for item, key in (
        ("zliobaite2015/table3", "covtype/P(T)"),
        ("bifet2013/fig3", "kappa_temporal_negative"),
    ):
        row = row_of(card, item, key)
        assert row["verdict"] == "not run"
        assert row["reason"].startswith("stream covtype ")
        assert row["reason"].endswith(": its hosts do not answer")


def test_quoted_numbers_are_not_run_but_our_own_is() -> None:
    card = card_of({"bifet2013/table1": papers_table1()}, paper="bifet2013")
    quoted = row_of(card, "bifet2013/table1", "DDM")
    assert (quoted["verdict"], quoted["published"]) == ("not run", "89.6")
    assert quoted["reason"].startswith("quoted from the literature")
    ours = row_of(card, "bifet2013/table1", "Persistent (No-Change)")
    assert (ours["verdict"], ours["published"]) == ("reproduced", "85.3")


def test_a_published_no_change_is_not_taken_for_ours() -> None:
    card = card_of({"bifet2013/table1": papers_table1(no_change=None)}, paper="bifet2013")
    for key in ("Persistent (No-Change)", "few_beat_no_change"):
        assert row_of(card, "bifet2013/table1", key)["verdict"] == "not run"


def test_what_no_study_measures_is_not_run() -> None:
    number, claim = find_nothing(Results({}), "one/table1", "a"), judge(None, Results({}))
    assert claim.verdict == "not run"
    assert "not part of this version" in number.reason
    assert "not part of this version" in claim.reason


# ---- what is wrong with the input


def test_unknown_results_are_an_error() -> None:
    with pytest.raises(DataError, match=r"'table2'.*bifet2013/table2"):
        card_of({"table2": table2()})


def test_results_without_a_column_are_an_error() -> None:
    frame = papers_table1().drop(columns="measured")
    with pytest.raises(DataError, match=r"bifet2013/table1: .*column 'measured'"):
        card_of({"bifet2013/table1": frame})
    assert "measured" in SURVEY_COLUMNS


def test_results_that_say_it_twice_are_an_error() -> None:
    twice = pd.concat([table2(**{"P(c1)": 0.5})] * 2)
    with pytest.raises(DataError, match=r"one row for elec2 P\(c1\), found 2"):
        card_of({"bifet2013/table2": twice})


@pytest.mark.parametrize(
    ("file", "edit", "message"),
    [
        ("bifet2013/remarks.csv", lambda text: text + "table2,elec3/P(c1),There is no such.\n",
         r"found table2/elec3/P\(c1\), which no row"),
        ("zliobaite2015/claims.csv", lambda text: text.replace("gain_by_lag", "gain"),
         r"claims\.csv: .*'gain_by_lag'"),
        ("bifet2013/claims.csv", None, r"bifet2013.claims\.csv: no such file"),
        ("bifet2013/table2.csv", None, r"bifet2013.table2\.csv: no such file"),
    ],
)  # fmt: skip
def test_published_files_that_do_not_fit_are_an_error(tmp_path: Path, file, edit, message) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "published")
    path = folder / file
    text = path.read_text(encoding="utf-8")
    path.unlink()
    if edit:
        path.write_text(edit(text), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        card_of({}, folder=folder)


def test_every_published_file_is_read() -> None:
    read = {
        FOLDER / (table.file or f"{paper.id}/{table.item}.csv")
        for paper in papers.all_papers().values()
        for table in paper.tables
    }
    others = {path for path in FOLDER.rglob("*.csv") if path.name in ("claims.csv", "remarks.csv")}
    assert set(FOLDER.rglob("*.csv")) == read | others
    assert {path.parent.name for path in others} == set(papers.all_papers())
