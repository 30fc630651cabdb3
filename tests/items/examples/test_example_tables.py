"""Worked examples: a confusion matrix, and two classifiers in each fold."""

from __future__ import annotations

import math
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


def test_the_confusion_matrix_by_hand():
    values = measures([[40, 30], [5, 25]])
    # From the counts TP 40, FN 30, FP 5, TN 25 of Bifet et al. (2015), Table 5.
    expected = {
        ("accuracy", "all"): 0.65,
        ("chance_accuracy", "all"): 0.7 * 0.45 + 0.3 * 0.55,
        ("kappa", "all"): 0.17 / 0.52,
        ("kappa_m", "all"): -1 / 6,
        ("mcc", "all"): (40 * 25 - 30 * 5) / math.sqrt(70 * 45 * 30 * 55),
        ("arithmetic_mean", "all"): (40 / 70 + 25 / 30) / 2,
        ("geometric_mean", "all"): math.sqrt(40 / 70 * 25 / 30),
        ("harmonic_mean", "all"): 2 / (7 / 4 + 6 / 5),
        ("f1_prime", "all"): 1 / (1 + (30 / 40 + 5 / 25) / 2),
        ("determinant", "all"): 40 * 25 - 30 * 5,
        ("majority_accuracy", "all"): 0.7,
        ("numerator_of_kappa", "all"): 850,
        ("numerator_of_mcc", "all"): 850,
        ("recall", "plus"): 40 / 70,
        ("recall", "minus"): 25 / 30,
        ("f1", "plus"): 80 / 115,
        ("f1", "minus"): 50 / 85,
    }
    assert values == pytest.approx(expected, rel=1e-12)


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


def test_the_folds_by_hand(table1):
    values = table1.set_index(["of", "quantity"])["value"]
    assert values["1", "difference"] == 0.07  # and not 77.98 - 77.91 in binary
    assert values["9", "rank"] == 10
    # Two folds are negative, with ranks 1 and 2: P(at most 2 of 10 coins), twice, is 112/1024;
    # 5 sets of ranks sum to at most 3.
    assert values["sign_test", "p_value"] == pytest.approx(112 / 1024)
    assert values["wilcoxon", "p_value"] == pytest.approx(10 / 1024)
    assert values["wilcoxon", "positive"] == 52


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
