"""Worked examples: a confusion matrix, and two classifiers in each fold."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from helpers.study_inputs import table_of
from hypothesis import given
from hypothesis import strategies as st

from streameval.drawing.subject import Subject
from streameval.items.examples import FoldTest
from streameval.items.examples.show import layout_confusion_example, layout_paired_example
from streameval.significance.registry import TESTS
from streameval.significance.t_over_folds import FoldDifferences


def measures(confusion) -> dict[tuple[str, str], float]:
    table = table_of("confusion_example", confusion=confusion, classes=("plus", "minus"))
    return table.set_index(["measure", "class"])["value"].to_dict()


@given(st.lists(st.integers(1, 1000), min_size=4, max_size=4))
def test_the_numerators_of_kappa_and_mcc_are_the_determinant(counts):
    values = measures(np.reshape(counts, (2, 2)))
    scale = sum(counts) ** 2
    for name in ("numerator_of_kappa", "numerator_of_mcc"):
        assert values[name, "all"] / scale == pytest.approx(
            values["determinant", "all"] / scale, abs=1e-12
        )
    assert values["f1_prime", "all"] == pytest.approx(values["harmonic_mean", "all"])


def test_the_confusion_matrix_for_people():
    table = table_of("confusion_example", confusion=[[40, 30], [5, 25]], classes=("+", "-"))
    cells = cells_of(layout_confusion_example(table, Subject(settings=None)))
    values = dict(cells.to_numpy().tolist())
    assert values["Matthews correlation"] == "0.3728"
    assert values["Accuracy of class +"] == "0.5714"
    assert values["F1 of class -"] == "0.5882"
    assert values["Numerator of κ"] == values["Determinant of the confusion matrix"] == "850"


@pytest.fixture(scope="module")
def table1() -> pd.DataFrame:
    published = "resources/published/bifet2015/table1.csv"
    return table_of("paired_example", published=published, tests=("sign_test", "wilcoxon"))


def test_tied_differences_are_ties(tmp_path):
    # 0.3 - 0.2 and 0.2 - 0.1 are not equal in binary.
    path = tmp_path / "folds.csv"
    path.write_text("fold,classifier_a,classifier_b\n1,0.3,0.2\n2,0.2,0.1\n", encoding="utf-8")
    wilcoxon = table_of("paired_example", published=str(path), tests=("wilcoxon",))
    table = wilcoxon.set_index(["of", "quantity"])["value"]
    assert table["1", "rank"] == table["2", "rank"] == 1.5


def test_the_folds_for_people(table1):
    layout = layout_paired_example(table1, Subject(settings=None))
    assert cells_of(layout).iloc[4].tolist() == ["5", "72.23", "71.63", "0.60", "5"]
    sign, wilcoxon = layout.notes
    assert sign.startswith("Sign test over folds: statistic 6, p-value 0.1094, wins 8, losses 2,")
    assert "positive 52, negative 3, critical value 8, rejected by critical value yes" in wilcoxon


def test_all_tests_over_folds_can_be_asked_for():
    over_folds = {name for name, test in TESTS.items() if test.evidence is FoldDifferences}
    assert set(get_args(FoldTest)) == over_folds
