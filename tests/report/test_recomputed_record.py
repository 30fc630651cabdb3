"""Which recorded tests follow from the recorded counts: their rates come out again."""

from __future__ import annotations

import pandas as pd
import pytest

from streameval.base.settings import ROOT
from streameval.evaluation.decisions import DECISIONS
from streameval.evaluation.records import read_record
from streameval.report.recorded_scorecard import recomputable_sentences
from streameval.significance.registry import TESTS

KEYS = ["scheme", "reading", "alternative"]
#: The level of the study of type errors.
LEVEL = 0.05
FOLDERS = sorted(path.parent for path in (ROOT / "resources" / "recorded").glob("*/*/run.yaml"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_tests_of_pooled_counts_come_out_again(folder):
    record = read_record(folder)
    names = [name for name, test in DECISIONS.items() if test.takes_pooled_counts]
    assert names == ["mcnemar"]
    compared = 0
    for stream in record.streams:
        counts = record.counts(stream)
        p_values = TESTS["mcnemar"](
            counts["only_first"].to_numpy(), counts["only_second"].to_numpy()
        ).p_value
        again = counts.assign(again=p_values <= LEVEL).groupby(KEYS)["again"].sum()
        rates = pd.read_csv(folder / f"{stream}.rates.csv")
        full = rates[(rates["instances"] == rates["instances"].max()) & rates["test"].isin(names)]
        recorded = full.set_index(KEYS)["rejected"].reindex(again.index)
        assert (recorded == again).all(), stream
        compared += len(again)
    assert compared >= 4 * 3 * 2 * 3  # streams, schemes, readings, alternatives


def test_the_page_and_the_readme_say_which():
    text = (ROOT / "resources" / "recorded" / "README.md").read_text(encoding="utf-8")
    assert "McNemar's test of all folds pooled follows" in " ".join(text.split())
    sentences = [*recomputable_sentences(read_record(folder) for folder in FOLDERS)]
    assert len(sentences) == len(FOLDERS)
    for said in sentences:
        can, cannot = said.split(", again, but not ")
        for test in DECISIONS.values():
            assert test.title not in (cannot if test.takes_pooled_counts else can)
        assert "Wilcoxon signed-rank" in cannot
