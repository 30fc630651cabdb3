"""The studies: the frames behind tables and figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from helpers.study_inputs import table_of
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.base.settings import ROOT
from streameval.drawing.subject import Subject
from streameval.evaluation import measurements as of_tables
from streameval.evaluation.measurements import (
    overall_measures,
    window_ends,
    windowed_measures,
)
from streameval.evaluation.run import run_learners
from streameval.items import kinds
from streameval.items.dependence.class_distribution import label_autocorrelation, prior_over_time
from streameval.items.dependence.dependence import dependence_by_order
from streameval.items.dependence.show import class_characteristics
from streameval.items.examples.show import literature
from streameval.items.performance.show import layout_kappa_significance
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.registry import load_learners
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea
from streameval.view.numbers import NO_VALUE

LEARNERS = {"no_change": NoChange(), "majority": Majority(), "naive_bayes": NaiveBayes()}
SIGNIFICANCE = kinds()["kappa_significance"].columns
LABELS = st.lists(st.integers(0, 3), min_size=2, max_size=60).map(np.array)


@pytest.fixture(scope="module")
def run():
    stream = Sea().stream(3_000)
    return stream, *run_learners(stream, prequential(len(stream)), LEARNERS)


def test_the_last_full_window_is_all_there_is(run):
    _, predictions, _ = run
    overall = overall_measures(predictions).set_index(["learner", "measure"])["value"]
    n = len(predictions.true)
    curves = windowed_measures(predictions, ["naive_bayes"], ["accuracy", "kappa_m"], n, 10)
    assert curves["instance"].unique().tolist() == [n]
    for measure, value in zip(curves["measure"], curves["value"], strict=True):
        assert value == overall["naive_bayes", measure]


def test_windows_of_many_classes_are_counted_a_few_at_a_time(run, monkeypatch):
    _, predictions, _ = run
    words = (predictions, ["naive_bayes", "majority"], ["kappa", "macro_f1"], 50, 30)
    at_once = windowed_measures(*words)
    monkeypatch.setattr(of_tables, "_MAX_COUNTS", 7 * predictions.n_classes)
    pd.testing.assert_frame_equal(windowed_measures(*words), at_once)


@given(n=st.integers(1, 5000), window=st.integers(1, 6000), points=st.integers(1, 700))
def test_positions_are_increasing_and_end_at_the_end(n, window, points):
    at = window_ends(n, window, points)
    assert 1 <= len(at) <= points
    assert (np.diff(at) > 0).all()
    assert at[0] >= min(window, n) or len(at) == 1
    assert at[-1] == n or points == 1


def test_the_kdd99_of_2013_is_the_head_of_the_file(real_stream):
    """Bifet et al. (2013), Table 2: the first 65,536 rows, and 0.99 truncated."""
    published = ROOT / "resources" / "published" / "bifet2013" / "table2.csv"
    cells = pd.read_csv(published).query("stream == 'kdd99'").set_index("measure")["value"]
    stream = real_stream("kdd99")

    def agrees(rows: int) -> pd.Series:
        y = stream.y[:rows]
        table = class_characteristics(y, float(np.mean(y[1:] == y[:-1])))
        ours = table.set_index("measure")["value"].reindex(cells.index)
        return (ours.round(2) == cells) | (np.floor(100 * ours) / 100 == cells)

    assert agrees(65_536).all()
    whole = agrees(len(stream))
    assert not whole[["P(c1)", "P(c2)", "P(c3)", "majority_accuracy"]].any()


@given(labels=LABELS)
def test_class_characteristics_by_hand(labels):
    table = class_characteristics(labels, 0.5).set_index("measure")["value"]
    counts = sorted((-np.sum(labels == c), c) for c in set(labels.tolist()))[:3]
    for place, (count, c) in enumerate(counts, start=1):
        assert table[f"P(c{place})"] == -count / len(labels)
        followed = [b for a, b in pairwise(labels) if a == c]
        if followed:
            assert table[f"P(c{place}|c{place})"] == pytest.approx(np.mean(np.array(followed) == c))
        else:
            assert np.isnan(table[f"P(c{place}|c{place})"])
    assert table["majority_accuracy"] == table["P(c1)"]
    assert table["no_change_accuracy"] == 0.5


@given(labels=LABELS, window=st.integers(1, 80))
def test_priors_are_shares_of_the_window(labels, window):
    prior = prior_over_time(labels, ("a", "b", "c", "d"), window, 1000)
    for instance, name, share in prior.itertuples(index=False):
        seen = labels[max(0, instance - window) : instance]
        assert share == pytest.approx(np.mean(seen == "abcd".index(name)))
    assert prior.groupby("instance")["proportion"].sum().to_numpy() == pytest.approx(1)


@given(labels=LABELS)
def test_autocorrelation_by_hand(labels):
    if len(set(labels.tolist())) < 2:
        with pytest.raises(DataError, match="two classes, found one"):
            label_autocorrelation(labels, 5)
        return
    indicators = [(labels == c) - np.mean(labels == c) for c in set(labels.tolist())]
    variance = sum(x @ x for x in indicators)
    for lag, value in label_autocorrelation(labels, 10).itertuples(index=False):
        products = sum(x[: len(x) - int(lag)] @ x[int(lag) :] for x in indicators)
        assert value == pytest.approx(products / variance, abs=1e-12)


def test_literature_without_no_change_says_what_is_missing():
    rows = {"algorithm": ["Tree"], "accuracy_percent": [80.0], "reference": "", "mine": 1}
    published = pd.DataFrame(rows | {"tested_on_subset": 0})
    for accuracy in (None, 0.5):
        with pytest.raises(DataError, match="row whose algorithm is No-Change"):
            literature(published, "mine", accuracy)


def test_literature_puts_our_own_run_in_its_place():
    folder = ROOT / "resources" / "published" / "zliobaite2015"
    published = pd.read_csv(folder / "elec2_literature.csv", dtype=str)
    ours = literature(published, "in_bifet2013_table1", 0.853306)
    assert len(ours) == 17
    assert ours["accuracy_percent"].is_monotonic_decreasing
    assert ours["above_no_change"].sum() == 6  # "Only 6 out of 16", Bifet et al. (2013), §1
    assert ours.loc[ours["measured"], "accuracy_percent"].tolist() == [85.3306]
    later = literature(published, "in_zliobaite2015_table5", 0.853306)
    assert len(later) == 19
    assert later["above_no_change"].sum() == 6  # "6 out of 18", Žliobaitė et al. (2015), §6.4
    without = literature(published, "in_bifet2013_table1", None)
    assert not without["measured"].any()
    assert literature(published, "in_bifet2013_table1", 0.5)["above_no_change"].sum() == 16


def test_a_proportion_by_order_needs_thirty_cases():
    labels = np.array([0, 0, 0, 1, 0, 1, 1, 0, 0])
    for repeats, expected in ((20, [20, np.nan]), (30, [30, 0])):  # twenty cases are too few
        frame = dependence_by_order(np.tile(labels, repeats), ["a", "b"], 2)
        row = frame.set_index(["class", "order"]).loc[("b", 2), ["cases", "proportion"]]
        assert np.array_equal(row.to_numpy(float), expected, equal_nan=True)


@given(st.lists(st.integers(0, 2), max_size=150), st.integers(0, 6))
def test_dependence_by_order_counts_instances(labels, orders):
    labels = np.array(labels, dtype=np.int32)
    frame = dependence_by_order(labels, ["a", "b", "c"], orders)
    assert len(frame) == 3 * (orders + 1)
    for row in frame.itertuples():
        code, order = "abc".index(row[1]), row.order
        after = [t for t in range(order, len(labels)) if (labels[t - order : t] == code).all()]
        assert row.cases == len(after)
        if len(after) >= 30:
            assert row.proportion == np.mean(labels[after] == code)
        else:
            assert np.isnan(row.proportion)
    deltas = frame.groupby("class", sort=False)["proportion"].diff()
    pd.testing.assert_series_equal(frame["delta"], deltas, check_names=False)


def test_classifiers_are_told_by_their_rows_and_parameters():
    row = load_learners(ROOT / "config" / "learners.yaml")["leveraging_bagging"]
    more = {"more": replace(row, parameters={"members": 3})}
    assert table_of("classifiers", more, learners=())["models"].tolist() == [3]


@pytest.mark.parametrize(
    ("p_value", "z", "above"), [(0.01, 3.0, "yes"), (0.2, 0.8, "no"), (np.nan, np.nan, NO_VALUE)]
)
def test_the_table_of_significance_says_which_kappas_are_above_chance(p_value, z, above):
    rows = [("s1", False, "naive_bayes"), ("s1", False, "majority"), ("s2", True, "naive_bayes")]
    table = pd.DataFrame(rows, columns=SIGNIFICANCE[:3])
    table = table.assign(kappa=0.1, kappa_standard_error=0.1, kappa_p_value=p_value, kappa_z=z)
    layout = layout_kappa_significance(table, Subject(settings=None, streams={"s1": "One"}))
    assert cells_of(layout)["Stream"].tolist() == ["One", "", "s2 (simulated)"]
    assert set(cells_of(layout)["above chance"]) == {above}
