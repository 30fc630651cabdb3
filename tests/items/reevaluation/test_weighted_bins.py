"""Weighted binned performance: against its definition, by hand, and in the table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from helpers.study_inputs import stream_input_for
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import reevaluation as naive
from scipy.stats import binom

from streameval.base.errors import ConfigError
from streameval.drawing.subject import Subject
from streameval.evaluation.bins import END_COLUMNS, column_intervals
from streameval.evaluation.error_simulation import dependent_errors
from streameval.evaluation.over_bins import bin_weights, over_bins, weights_error
from streameval.items import kinds
from streameval.items.inputs import ItemInput
from streameval.items.reevaluation import binned_measures, show
from streameval.items.reevaluation.binned_measures import OVER_BINS_MEASURES
from streameval.items.reevaluation.show import layout_binned_table as layout
from streameval.significance.stream_mean import stream_mean


def measure_bins(correct):
    """A frame of bins, of which only the accuracy and its bands mean something."""
    rows = [
        {"learner": name, "bin": b, **dict.fromkeys(OVER_BINS_MEASURES, 0.0), "accuracy": value}
        for name, right in correct.items()
        for b, value in enumerate(right.mean(axis=0))
    ]
    frame = pd.DataFrame(rows)
    frame[END_COLUMNS] = np.concatenate(
        [column_intervals(right, bounds=(0, 1)) for right in correct.values()]
    )
    return frame


def weighted(bins, correct, weights):
    """Weighted performance; test_over_bins.py tests the best bin."""
    values = over_bins(bins, correct, weights, OVER_BINS_MEASURES)
    return values[values["weights"] != "maximum"]


@settings(max_examples=40)
@given(data=st.data(), n=st.integers(1, 30), bins=st.integers(0, 6))
def test_equals_its_definition(data, n, bins):
    flags = st.lists(st.booleans(), min_size=bins + 2, max_size=bins + 2)
    right = np.array(data.draw(st.lists(flags, min_size=n, max_size=n)))
    numbers = st.lists(st.floats(0.01, 9), min_size=bins + 2, max_size=bins + 2)
    weights = data.draw(numbers | st.floats(0.01, 100))
    correct = {"one": right, "other": ~right}
    table = weighted(measure_bins(correct), correct, {"w": weights}).set_index(
        ["measure", "learner"]
    )
    by = bin_weights(weights, bins)
    for name, learner_correct in correct.items():
        row = table.loc["accuracy", name]
        assert row["value"] == pytest.approx(
            naive.weighted_performance(learner_correct.tolist(), by)
        )
        assert np.isnan(row["low"])  # so few labels are no evidence


def test_intervals_contain_the_weighted_accuracy_of_the_process():
    # Every other label counts alike in all bins. Of 60 streams, by more than sampling error.
    draws, n, n_covered, dependence = np.random.default_rng(4), 3000, 0, 0.9
    rates, weights = np.array([0.4, 0.3, 0.2, 0.1]), np.array([4, 3, 2, 1])
    truth = (0.75 + 1 - rates @ weights / weights.sum()) / 2
    for _ in range(60):
        parts = [dependent_errors(draws, np.full(n, rate), dependence, 1)[0] for rate in rates]
        right = ~np.stack(parts, axis=1)
        right[::2] = ~dependent_errors(draws, np.full(n, 0.25), dependence, 1)[0, ::2, None]
        table = weighted(measure_bins({"a": right}), {"a": right}, {"w": weights.tolist()})
        (row,) = table[table["measure"] == "accuracy"].to_dict("records")
        n_covered += row["low"] <= truth <= row["high"]
    assert n_covered >= binom.ppf(0.001, 60, 0.95)


def test_a_single_weight_is_the_accuracy_of_its_bin():
    right = np.random.default_rng(1).random((200, 5)) < 0.6
    for b in range(5):
        weights = [float(b == other) for other in range(5)]
        row = weighted(measure_bins({"a": right}), {"a": right}, {"w": weights}).iloc[0]
        assert row["value"] == pytest.approx(right[:, b].mean())
        expected = stream_mean(right[:, b])
        assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


def test_a_measure_undefined_where_there_is_no_weight_is_not_needed():
    right = np.ones((10, 3), dtype=bool)
    bins = measure_bins({"a": right})
    bins.loc[2, "kappa"] = np.nan
    table = weighted(bins, {"a": right}, {"first": (1, 1, 0), "all": (1, 1, 1)})
    kappas = table[table["measure"] == "kappa"]["value"]
    assert kappas.isna().tolist() == [False, True]


def test_one_number_stands_for_powers():
    # exp(ln λ · b/B), and no weight for the last prediction, as in IntermediateMeasures.
    assert bin_weights(0.25, 2) == [1.0, 0.5, 0.25, 0.0]
    assert bin_weights(1, 3) == [1.0, 1.0, 1.0, 1.0, 0.0]
    assert bin_weights(0.1, 0) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ((1.0, 2.0), "expected 4 weights, for the bins from 0 to 3, found 2"),
        ((1.0, -2.0, 1.0, 1.0), "expected weights of at least 0, found -2.0"),
        ((0.0,) * 4, "expected a weight above 0, found none"),
        ((1.0, float("nan"), 1.0, 1.0), "expected weights of at least 0, found nan"),
        (0.0, "expected a number above 0, found 0.0"),
        ((1e308,) * 4, "expected weights with a finite sum, found an infinite sum"),
        (0.5, ""),
        ((0.0, 0.0, 1.0, 0.0), ""),
    ],
)
def test_weights_are_checked_before_the_run(weights, text):
    assert weights_error(weights, 2) == text
    item = {"streams": [], "learners": [], "bins": 2, "stages": [], "weights": {"w": weights}}
    settings = kinds()["binned_measures"].settings_from(item)
    assert [*settings.setting_faults({})] == ([f"weights, w: {text}"] if text else [])


def test_the_best_bin_has_its_own_name():
    assert "stands for the best bin" in weights_error(1.0, 2, "maximum")


@pytest.fixture
def tabled(monkeypatch):
    item = {"learners": ["naive_bayes", "no_change"], "bins": 4, "stages": []}
    item |= {"delay": {"markov_ozone": 30}, "weights": {"even": 1, "first": [1, 0, 0, 0, 0, 0]}}
    frames = binned_measures.study(stream_input_for("binned_measures", "markov_ozone", item))
    monkeypatch.setattr(
        ItemInput, "frames_of_streams", lambda _, name: {"markov_ozone": frames[name]}
    )

    def table(**settings):
        kind = kinds()["binned_table"]
        item_input = ItemInput(
            settings=kind.settings_from({"of": ["a"], **settings}),
            columns=kind.columns,
            files={name: name for name in [settings.get("published")] if name},
        )
        return show.study_binned_table({}, item_input)

    return table


def test_the_table_has_it_below_the_bins(tabled):
    table = tabled(bins=[2], weights=["first", "even"])
    learner_rows = table[table["learner"] == "naive_bayes"]
    assert learner_rows["which"].tolist() == ["0", "2", "B+1", "weighted: first", "weighted: even"]
    assert learner_rows["bin"].isna().tolist() == [False] * 3 + [True] * 2
    first, _, _, again, _ = learner_rows["accuracy_percent"]
    assert first == pytest.approx(again)
    assert np.isnan(learner_rows["low"].iloc[4])  # one of the bins has no interval
    other = table[table["learner"] == "no_change"].iloc[4]
    assert other["low"] < other["accuracy_percent"] < other["high"]
    cells = cells_of(layout(table, Subject(settings=None)))
    assert cells["Bin"].tolist() == ["0", "2", "B + 1", "Ψ, first", "Ψ, even"]
    plain = tabled(bins=[2])
    assert plain.equals(table[table["bin"].notna()].astype({"bin": plain["bin"].dtype}))


def test_the_table_has_the_best_bin(tabled):
    table = tabled(bins=[1, 2, 3, 4], weights=["maximum"]).set_index("which")
    for learner in ("naive_bayes", "no_change"):
        learner_rows = table[table["learner"] == learner]
        best = learner_rows.loc["maximum"]
        assert best["accuracy_percent"] == pytest.approx(
            learner_rows.drop("maximum")["accuracy_percent"].max()
        )
        if learner_rows["low"].drop("maximum").isna().any():
            assert np.isnan(best["low"])
        else:
            assert best["low"] < best["accuracy_percent"] < best["high"]
    assert table["low"].loc["maximum"].notna().any()
    cells = cells_of(layout(table.reset_index(), Subject(settings=None)))
    assert cells["Bin"].tolist()[-1] == "best bin"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bins": [], "weights": ["late"]}, r"markov.*weights 'late'"),
        ({"bins": [4, 5]}, "expected bins from 1 to 4 .* found 5"),
    ],
)
def test_bins_and_weights_that_no_item_has_are_named(tabled, settings, message):
    with pytest.raises(ConfigError, match=message):
        tabled(**settings)


def test_published_values_stand_below_their_bin(tabled, tmp_path):
    settings = {"bins": [2], "weights": ["first"]}
    keys = ["which", "learner"]
    plain = tabled(**settings)
    ours = plain.set_index(keys)["accuracy_percent"]
    exact, weighted = ours["2", "naive_bayes"], ours["weighted: first", "no_change"]
    path = tmp_path / "table2.csv"
    rows = [
        "stream,learner,measure,bin,value,source",
        f"markov_ozone,naive_bayes,accuracy,2,{exact:.2f}%,A",
        f"markov_ozone,no_change,accuracy,2,{ours['2', 'no_change'] + 1:.2f}%,A",
        f"markov_ozone,no_change,accuracy,weighted: first,{weighted / 100:.4f},B",
        "markov_ozone,no_change,accuracy,3,1%,a bin that is not shown",
        "markov_ozone,no_change,accuracy,,1%,the whole stream",
        "elec2,no_change,accuracy,2,1%,another stream",
    ]
    path.write_text("\n".join([*rows, ""]), encoding="utf-8")
    table = tabled(**settings, published=str(path))
    assert plain.equals(table[[*plain.columns]])
    judged = table[table["published"] != ""].set_index(keys)
    assert judged[["agreement", "source"]].to_numpy().tolist() == [
        ["reproduced", "A"],
        ["differs", "A"],
        ["reproduced", "B"],
    ]
    assert judged["difference"].iloc[1] == pytest.approx(-1, abs=0.01)
    frame = table.assign(simulated=True)[[*plain.columns]]
    assert set(show.with_published_accuracies(frame, path)["agreement"]) == {"", "not run"}


def test_the_verdict_of_a_bin_is_that_of_its_accuracy(tmp_path):
    rows = [("0", "a", 2 / 3), ("0", "b", 0.5), ("B+1", "a", 0.75), ("weighted: w", "a", 0.3)]
    table = pd.DataFrame(
        [("sea", False, 12, 3, which, name, 100 * value) for which, name, value in rows]
        + [("sea", False, 12, 3, which, "b", 40.0) for which in ("B+1", "weighted: w")],
        columns=[
            "stream",
            "simulated",
            "labels",
            "attributes",
            "which",
            "learner",
            "accuracy_percent",
        ],
    ).assign(low=np.nan, high=np.nan)
    path = tmp_path / "table2.csv"
    lines = ["sea,a,accuracy,0,66.67%,A", "sea,b,accuracy,0,0.6,A", "sea,a,accuracy,B+1,0.8,A"]
    lines += ["sea,a,accuracy,weighted: w,30.00%,B", "sea,b,accuracy,,40.0%,without a bin"]
    path.write_text("\n".join(["stream,learner,measure,bin,value,source", *lines, ""]))
    table_layout = layout(show.with_published_accuracies(table, path), Subject(settings=None))
    assert cells_of(table_layout)[["Bin", "a", "b"]].to_numpy().tolist() == [
        ["0", "66.67 *", "50.00"],
        ["0, published", "66.67 =", "60 ≠"],
        ["0, difference", "0.00", "−10.00"],
        ["B + 1", "75.00 *", "40.00"],
        ["B + 1, published", "80 =", ""],
        ["B + 1, difference", "−5.00", ""],
        ["Ψ, w", "30.00", "40.00 *"],
        ["Ψ, w, published", "30.00 =", ""],
        ["Ψ, w, difference", "0.00", ""],
    ]
    assert any("reproduced: ours has the published digits" in note for note in table_layout.notes)
