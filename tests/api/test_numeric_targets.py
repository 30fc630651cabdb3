"""Numeric targets: tables in memory, seasonal baselines, skills, and regressors of others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.foreign_models import Last, Never
from hypothesis import given, settings
from hypothesis import strategies as st
from river import linear_model
from sklearn.linear_model import SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import streameval as se
from streameval.evaluation.seasons import seasonal_name
from streameval.learners.registry import LearnerSpec
from streameval.learners.regression.baselines import Seasonal
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.protocols.prequential import delayed
from streameval.protocols.reevaluation import Reevaluation
from streameval.significance.stream_mean import stream_mean
from streameval.streams.readers.table import StreamWarning


@pytest.fixture(scope="module")
def stream():
    return se.generate("planes", rows=600)


def test_predictions_are_those_of_the_learner_with_the_seed(stream):
    tree = se.learner("fimt_dd", grace_period=50)
    result = se.evaluate(stream, {"tree": tree}, "delayed:5", seed=3)
    expected = FimtDD(grace_period=50).run(stream, delayed(600, 5), 3).value
    # Of five targets later the first one is known to none of the others.
    assert result.predictions["tree"].tolist() == expected[6:].tolist()
    assert result.predictions["true"].tolist() == stream.y[6:].tolist()
    other = se.evaluate(stream, {"tree": tree}, "delayed:5", seed=4).predictions["tree"]
    assert other.tolist() != expected[6:].tolist()


def test_numbers_of_tables_in_memory(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 2))
    y = (10 * X[:, 0] + rng.normal(size=80)).round(3)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    frame.to_csv(tmp_path / "f.csv", index=False)
    for stream in (
        se.from_arrays(X, y, target="y", names=["a", "b"], numeric_target=True),
        se.from_pandas(frame, "y", numeric_target=True),
        se.from_pandas(frame.astype({"y": "Float64"}), "y", numeric_target=True),
        se.read(tmp_path / "f.csv", "y", numeric_target=True),
    ):
        assert stream.schema.classes is None
        np.testing.assert_array_equal(stream.X, X)
        np.testing.assert_array_equal(stream.y, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["u", "v", "w"], r"numbers .*'target', found texts like \['u', 'v'"),
        ([None, None, None], r"expected labels \('target'\), found none"),
        ([1.5, np.inf, 2], "iloc 1: column 'target': expected a finite number"),
        ([True, False, True], "numbers .*'target', found the type bool"),
        (pd.to_datetime(["2020", "2021", "2022"]), "expected numbers .* found the type timestamp"),
    ],
)
def test_invalid_numeric_targets_are_refused(y, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.from_arrays(np.eye(3), y, numeric_target=True)


def test_diverging_predictions_are_no_warning(stream):
    huge = se.from_arrays(stream.X[:9], 1e149 * stream.y[:9], numeric_target=True)
    measures = se.evaluate(huge, "target_mean").to_dict()["target_mean"]
    assert measures["root_mean_squared_error"] > 1e148
    wrong = se.from_arrays(stream.X[:9], 1e200 * stream.y[:9], numeric_target=True)
    with pytest.raises(se.StreamevalError, match=r"finite numbers .* up to 1e\+150, found"):
        se.evaluate(wrong, "target_mean")


def test_a_numeric_target_is_evaluated_by_regressors(stream):
    result = se.evaluate(stream, ["amrules", "seasonal:5"], seasonal=[5, 7])
    names = ["amrules", "seasonal:5", "previous_target", "target_mean", "seasonal:7"]
    assert result.learners == names
    y = stream.y
    assert result.predictions["row"].tolist() == [*range(1, 600)]
    assert result.predictions["seasonal:7"].tolist()[6:] == y[:-7].tolist()
    assert [result.n_missing(name) for name in names] == [0, 4, 0, 0, 6]
    assert {result.measured_labels(name) for name in names} == {593}
    # All are measured on the instances that all predict.
    error = {name: np.abs(result.predictions[name] - y[1:]).to_numpy()[6:] for name in names}
    measures = result.measures()
    for name in names:
        assert measures.loc[name, "mean_absolute_error"] == pytest.approx(np.nanmean(error[name]))
        for other in ("previous_target", "target_mean", "seasonal:5", "seasonal:7"):
            known = ~np.isnan(error[name]) & ~np.isnan(error[other])
            skill = 1 - error[name][known].mean() / error[other][known].mean()
            assert measures.loc[name, f"skill_over_{other}"] == pytest.approx(skill, abs=1e-12)
    for other in ("previous_target", "seasonal:7"):
        compared = result.differences(other)
        assert other not in compared.index
        for name, row in compared.iterrows():
            gap = error[other] - error[name]
            expected = stream_mean(gap[~np.isnan(gap)])
            assert row["difference"] == pytest.approx(expected.mean)
            assert row["low"] == pytest.approx(expected.low, nan_ok=True)
            assert bool(row["reason"]) == np.isnan(row["low"])
    itself = result.skills().set_index(["learner", "baseline"]).loc[("seasonal:5", "seasonal:5")]
    assert itself["skill"] == 0.0


def test_a_season_before_that_is_not_known_yet_is_named_by_the_one_that_is(stream):
    """A target that arrives with an instance comes after it, or before it with `label_first`."""
    y = pd.Series(stream.y)
    dates = pd.date_range("2026-01-01", periods=600, freq="h")
    frame = pd.DataFrame({"at": dates, "x": stream.X[:, 0], "y": stream.y})
    hours = se.from_pandas(frame, "y", numeric_target=True, time="at")
    for delayed_stream, delay in ((stream, 24), (hours, "24 hours")):
        with pytest.warns(StreamWarning, match="baseline seasonal:48 repeats the target 48 inst"):
            late = se.evaluate(delayed_stream, "target_mean", delay=delay, seasonal=24)
        known = se.evaluate(
            delayed_stream, "target_mean", delay=delay, seasonal=24, label_first=True
        )
        for result, lag in ((late, 48), (known, 24)):
            name = f"seasonal:{lag}"
            assert result.baselines == ["previous_target", "target_mean", name]
            error = result.measures("mean_absolute_error").loc[name, "mean_absolute_error"]
            assert error == pytest.approx((y - y.shift(lag)).abs().mean())
            assert f"the target {lag} instances before" in " ".join(result.sentences())
    with pytest.warns(StreamWarning, match="seasonal:48"):
        compared = se.compare(stream, ["target_mean", Last], delay=24, seasonal=(24, 48))
    assert compared.learners_and_baselines[-1] == "seasonal:48"
    assert "over target 48 before" in str(compared)
    with pytest.raises(se.StreamevalError, match=r"seasonal:24: expected a lag .* --seasonal 24"):
        se.evaluate(stream, "seasonal:24", delay=24)


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=12, max_size=24),
    st.integers(1, 7),
    st.booleans(),
    st.booleans(),
)
def test_the_name_of_a_season_has_the_lags_that_are_used(delays, period, is_equal, label_first):
    n, clock = len(delays), np.arange(len(delays))
    waits = np.full(n, delays[0]) if is_equal else np.array(delays)
    rows = replace(
        se.generate("planes", rows=n),
        y=clock.astype(float),
        time=clock,
        label_time=clock + waits,
    )
    protocol = Reevaluation(ties="label" if label_first else "instance")
    name = seasonal_name(rows, protocol, period, label_first=label_first)
    _, lag, *latest = name.split(":")
    tape, prediction_events = protocol.tape_and_events(rows)
    used = Seasonal(int(lag)).run(rows, tape).value
    first = prediction_events.kind == 0
    lags = (prediction_events.row[first] - used[first])[~np.isnan(used[first])]
    assert (lags % period == 0).all()
    assert not is_equal if latest else {*lags} <= {int(lag)}


def test_a_comparison_has_seasonal_baselines_too(stream):
    """Of regressors that do not draw it is that of the evaluation, by the same interval."""
    learners = ["target_mean", "seasonal:5"]
    comparison = se.compare(stream, learners, seasonal=[5, 7])
    assert comparison.learners_and_baselines == [
        "target_mean",
        "seasonal:5",
        "previous_target",
        "seasonal:7",
    ]
    for base in ("seasonal:5", "seasonal:7"):
        expected = se.evaluate(stream, learners, seasonal=7).differences(base).loc["target_mean"]
        over = comparison.difference("target_mean", base)
        assert over.mean == pytest.approx(expected["difference"], rel=1e-12)
        assert over.low == pytest.approx(expected["low"], rel=1e-12, nan_ok=True)
    assert "over target 7 before" in str(comparison)
    assert comparison.to_dict()["learners"]["target_mean"]["over_seasonal:7"] == over.mean
    for function in (se.compare, se.evaluate):
        with pytest.raises(se.StreamevalError, match="seasonal: expected a numeric target, found"):
            function(se.generate("sea", rows=9), ["majority", "no_change"], seasonal=24)
    with pytest.raises(se.StreamevalError, match="seasonal: expected a number of instances"):
        se.evaluate(stream, "amrules", seasonal="24")
    with pytest.raises(se.StreamevalError, match="less than the 500 instances"):
        se.compare(stream.first(500), learners, seasonal=500)
    with pytest.raises(se.StreamevalError, match="nothing to score"):
        se.compare(stream.first(1), learners)


def test_skills_by_bin_have_their_intervals():
    result = se.evaluate(se.generate("planes", rows=4000), "amrules", delay=40)
    bins = result.bins(3, learners=["amrules", "target_mean"]).set_index(["learner", "bin"])
    arrival = result.skills().set_index(["learner", "baseline"])
    for baseline in ("previous_target", "target_mean"):
        name = f"skill_over_{baseline}"
        expected = arrival.loc["amrules", baseline]
        row = bins.loc["amrules", 0]
        assert row[name] == pytest.approx(expected["skill"])
        assert row[f"{name}_low"] == pytest.approx(expected["low"])
        assert row[f"{name}_high"] == pytest.approx(expected["high"])
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    itself = bins.loc["target_mean"].filter(regex="target_mean_(low|high)")
    assert itself.shape == (5, 2)
    assert itself.isna().all(axis=None)


def test_regressors_of_others_are_taken(stream):
    river = linear_model.LinearRegression()
    scaled = make_pipeline(StandardScaler(), SGDRegressor())
    result = se.evaluate(stream, {"a": Last, "b": Last(3.0), "river": river, "sgd": scaled})
    for name, start in (("a", np.nan), ("b", 3.0)):
        expected = np.append(start, stream.y[:-1])
        np.testing.assert_array_equal(result.predictions[name], expected[1:])
    names = [attribute.name for attribute in stream.schema.attributes]
    twin, expected = linear_model.LinearRegression(), []
    for x, y in zip(stream.X.tolist(), stream.y.tolist(), strict=True):
        instance = dict(zip(names, x, strict=True))
        expected.append(twin.predict_one(instance))
        twin.learn_one(instance, y)
    assert result.predictions["river"].tolist() == expected[1:]
    scaler, last, expected = StandardScaler(), SGDRegressor(random_state=1), []
    for x, y in zip(stream.X[:, None], stream.y, strict=True):
        if last.__dict__.get("t_"):  # but for the instance before the first target
            expected.append(last.predict(scaler.transform(x))[0])
        last.partial_fit(scaler.partial_fit(x).transform(x), [y])
    np.testing.assert_allclose(result.predictions["sgd"], expected, rtol=1e-9)


def test_predictions_come_from_a_file(stream, tmp_path):
    row = np.random.default_rng(2).permutation(600)
    value = pd.Series(np.arange(600) / 7).where(np.arange(600) > 2)
    pd.DataFrame({"row": row, "value": value}).to_csv(tmp_path / "planes.csv", index=False)
    theirs = LearnerSpec(
        "theirs", "predictions_file", "T", {"file": str(tmp_path / "{stream}.csv")}
    )
    result = se.evaluate(stream, theirs)
    predictions = result.predictions["theirs"].to_numpy()
    np.testing.assert_allclose(predictions[row], value, rtol=1e-15)
    assert result.n_missing("theirs") == 3
    (tmp_path / "planes.csv").write_text("value\n" + "1\n" * 599 + "inf\n")
    with pytest.raises(se.StreamevalError, match="prediction 600: expected a finite number"):
        se.evaluate(stream, theirs)
    (tmp_path / "planes.csv").write_text("label,other\n1,2\n")
    with pytest.raises(se.StreamevalError, match=r"expected a column 'value' .* found label"):
        se.evaluate(stream, theirs)


@pytest.mark.parametrize("value", ["much", np.nan])
def test_predictions_that_are_no_numbers_are_refused(stream, value):
    with pytest.raises(se.StreamevalError, match=r"row 0: .*finite.* None"):
        se.evaluate(stream, Last(value))


def test_instances_without_any_prediction_have_no_skill(stream):
    result = se.evaluate(stream, {"silent": Last(None), "never": Never})
    assert result.n_missing("never") == 599
    assert np.isnan(result.measures().loc["never"]).all()
    assert "no instance" in result.differences().loc["never", "reason"]
    assert result.n_missing("silent") == 0
