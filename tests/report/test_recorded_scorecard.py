"""The scorecard of recorded runs."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers import first_page
from helpers.scorecards import FOLDER

from streameval import papers
from streameval.base.file_digests import file_digest
from streameval.evaluation.records import Record, read_record
from streameval.items import kinds
from streameval.report.overview import overview
from streameval.report.recorded_scorecard import record_descriptions, recorded_scorecard
from streameval.report.results import Results
from streameval.report.scorecard import recorded_page, scorecard

KIND = kinds()["rejections"]

RATE = {"test": "mcnemar", "reading": "held_out", "alternative": "same"}
PAPERS = papers.select_papers(["bifet2013", "bifet2015"])


def table(simulated: bool = False) -> pd.DataFrame:
    """The rates of a stream of a million instances, one of which is as published."""
    common = {"stream": "sea_50", "simulated": simulated, "streams": 1, "runs": 50, "gap": 0.0}
    ends = {"low": 0.33, "high": 0.37}
    rows = [
        {**common, **ends, **RATE, "instances": 1_000_000, "value": 0.35, "scheme": scheme}
        for scheme in ("cross_validation", "split_validation")
    ]
    return pd.DataFrame(rows)[list(KIND.columns)]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    folder = tmp_path / "bifet2015" / "long"
    (folder / "tables").mkdir(parents=True)
    table().to_csv(folder / "tables" / "table3.csv", index=False)
    table().to_csv(folder / "sea_50.rates.csv", index=False)
    of_stream = {
        "title": "SEA", "simulated": False, "spec": {"id": "sea_50"}, "instances": 1_000_000,
        "runs": 50, "core_hours": 1.25, "parts": "",
        "version": "1.2.3", "commit": None, "date": "2026-11-01", "machine": {},
        "files": {"sea_50.rates.csv": file_digest(folder / "sea_50.rates.csv")},
    }  # fmt: skip
    about = {
        "item": "bifet2015/errors", "kind": "type_errors", "settings": {}, "learners": {},
        "streams": {"sea_50": of_stream}, "left_out": {"poker": "no connection to its hosts"},
        "tables": {"table3.csv": file_digest(folder / "tables" / "table3.csv")},
    }  # fmt: skip
    (folder / "run.yaml").write_text(yaml.safe_dump(about))
    return read_record(folder)


def test_a_record_is_compared_as_a_run_would_be(record):
    card = recorded_scorecard(PAPERS, FOLDER, [record])
    assert set(card["record"]) == {"bifet2015/long"}
    sources = {
        "bifet2015/table3": table(),
        "bifet2015/errors/sea_50.rates": table(),
    }
    whole = scorecard(PAPERS, FOLDER, Results(sources))
    whole = whole[~whole["verdict"].str.startswith("not run")]
    by_arithmetic = whole["item"].str.startswith("sec")  # of no record
    assert by_arithmetic.any()
    whole = whole[~by_arithmetic].reset_index(drop=True)
    pd.testing.assert_frame_equal(card.drop(columns="record"), whole)
    assert list(card["key"])[:2] == ["sea_50/0/cv", "sea_50/0/split"]
    assert set(card["verdict"]) == {"within sampling error", "differs"}


def test_its_page_says_what_it_is(record):
    card = recorded_scorecard(PAPERS, FOLDER, [record])
    (said,) = record_descriptions([record])
    assert said.startswith("bifet2015/long: Table 3 from 1 stream; without poker; ")
    for fact in (
        "1,000,000 instances",
        "50 runs each",
        "2026-11-01",
        "version 1.2.3,",
        "1.3 core-h",
    ):
        assert fact in said
    page = recorded_page(card, PAPERS, [said])
    assert said in page
    assert "The recorded runs are not part of this run." in page
    top, sections = overview(
        pd.DataFrame(columns=["stream", "simulated", "learner", "measure", "value", "reason"]),
        None, differences=pd.DataFrame(), scale="quick", recorded=card, streams={}, learners={},
        left_out={},
    )  # fmt: skip
    text = first_page.html(top, sections)
    assert "<h2>What recorded runs found</h2>" in text
    assert "<strong>bifet2015/long</strong>, 2 numbers and claims. within sampling error: 1" in text


def test_without_records_there_is_no_row(record):
    assert recorded_scorecard(PAPERS, FOLDER, []).empty
    assert recorded_scorecard(papers.select_papers(["bifet2013"]), FOLDER, [record]).empty
