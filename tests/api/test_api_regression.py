"""Regressors from Python."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from river import linear_model
from sklearn import metrics
from sklearn.linear_model import SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import streameval as se
from streameval.learners.registry import LearnerSpec
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import delayed
from streameval.significance.stream_mean import stream_mean


@pytest.fixture(scope="module")
def stream():
    return se.generate("planes", rows=600)


def test_measures_are_of_the_predictions(stream):
    tree = se.learner("fimt_dd", grace_period=50)
    result = se.evaluate(stream, {"tree": tree}, "delayed:5", seed=3)
    expected = FimtDD(grace_period=50).play(stream, delayed(600, 5), 3).value
    assert result.learners == ["tree", "previous_target", "target_mean"]
    expected = expected[6:]  # of five targets later the first one is known to none of the others
    assert result.predictions["tree"].tolist() == expected.tolist()
    assert result.predictions["true"].tolist() == stream.y[6:].tolist()
    found = result.measures("mean_absolute_error").loc["tree", "mean_absolute_error"]
    assert found == float(mean_absolute_error(stream.y[6:], expected))
    assert result.measures().columns.tolist() == [
        *("mean_absolute_error", "root_mean_squared_error", "r_squared"),
        *("skill_over_previous_target", "skill_over_target_mean"),
    ]
    assert (result.costs["seconds"] >= 0).all()
    assert "tree, previous_target, target_mean on 'planes', delayed-5, 594 predictions" in repr(
        result
    )
    assert "<table" in result._repr_html_()


def test_a_re_evaluation_predicts_an_instance_several_times(stream):
    time = np.arange(len(stream))
    late = se.Stream(stream.X, stream.y, stream.schema, "late", time=time, label_time=time + 30)
    result = se.evaluate(late, "target_mean", "reevaluation:10")
    assert result.learners == ["target_mean", "previous_target"]
    assert len(result.predictions) > 2 * len(stream)
    assert result.delays == {
        "every": 10,
        "labels": 600,
        "pending": 0,
        "delay": 30,
        "before_first_label": 31,
    }


def test_a_protocol_without_the_delays_of_a_stream_is_refused_unless_asked_for(stream):
    time = np.arange(len(stream))
    late = se.Stream(stream.X, stream.y, stream.schema, "late", time=time, label_time=time + 30)
    with pytest.raises(se.StreamevalError, match="--ignore-label-times"):
        se.evaluate(late, "target_mean", "prequential")
    found = se.evaluate(late, "target_mean", "prequential", ignore_label_times=True)
    assert found.delays is None
    assert se.evaluate(late, "target_mean").delays is not None


def test_bins_begin_with_the_delay_and_end_without_it(stream):
    result = se.evaluate(stream, "amrules", delay=40, every=7)
    found = result.bins(3).set_index(["learner", "bin"])
    assert result.protocol == "reevaluation-7"
    for b, protocol, first in ((0, "delayed:40", None), (4, "prequential", 41)):
        other = se.evaluate(stream, "amrules", protocol, pretrain=first)
        expected = other.measures()
        for name in other.learners:
            for measure in expected:
                assert found.loc[(name, b), measure] == pytest.approx(expected.loc[name, measure])
        true, predicted = other.predictions["true"], other.predictions["amrules"]
        own = found.loc[("amrules", b)]
        assert own["mean_absolute_error"] == pytest.approx(
            metrics.mean_absolute_error(true, predicted)
        )
        assert own["r_squared"] == pytest.approx(metrics.r2_score(true, predicted))
        errors = stream_mean(abs(true - predicted).dropna())
        assert (own["low"], own["high"]) == pytest.approx(errors[1:3], nan_ok=True)
    assert (found["predictions"] == 559).all()
    assert result.bins(3, learners="target_mean")["learner"].tolist() == ["target_mean"] * 5
    head = " ".join(repr(result).splitlines()[1].split())
    assert head == "mean absolute error in bin 0 1 2 3 4 5 6 7 8 9"
    assert "<table" in result._repr_html_()


def test_bins_are_drawn(stream):
    result = se.evaluate(stream, "amrules", delay=40)
    drawn = result.plot_bins(["mean_absolute_error", "r_squared"], bins=4)
    labels = [axes.get_ylabel() for axes in drawn]
    assert labels[:2] == [
        "Mean absolute error MAE\nin units of y",
        "Coefficient of determination R²",
    ]
    with pytest.raises(se.StreamevalError, match=r"measure .*'accuracy'"):
        result.plot_bins("accuracy")
    without = se.evaluate(stream, "amrules")
    assert without.delays is None
    with pytest.raises(se.StreamevalError, match=r"[Bb]ins: .*delayed"):
        without.bins()


def test_the_same_regressor_twice_has_two_names(stream):
    result = se.evaluate(stream, ["target_mean", "target_mean"])
    assert result.learners == ["target_mean", "target_mean 2", "previous_target"]
    assert result.measures().loc["target_mean"].equals(result.measures().loc["target_mean 2"])


def test_numbers_of_tables_in_memory(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 2))
    y = (10 * X[:, 0] + rng.normal(size=80)).round(3)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    frame.to_csv(tmp_path / "f.csv", index=False)
    so_far = np.append(0, np.cumsum(y[:-1]) / np.arange(1, 80))
    for stream in (
        se.from_arrays(X, y, target="y", names=["a", "b"], numeric_target=True),
        se.from_pandas(frame, "y", numeric_target=True),
        se.from_pandas(frame.astype({"y": "Float64"}), "y", numeric_target=True),
        se.read(tmp_path / "f.csv", "y", numeric_target=True),
    ):
        assert stream.schema.classes is None
        np.testing.assert_array_equal(stream.X, X)
        np.testing.assert_array_equal(stream.y, y)
        found = se.evaluate(stream, "target_mean").to_dict()["target_mean"]
        expected = [metrics.mean_absolute_error, metrics.root_mean_squared_error, metrics.r2_score]
        assert [*found.values()][:3] == pytest.approx([one(y, so_far) for one in expected])
        with pytest.raises(se.StreamevalError, match="'majority' predicts classes: expected"):
            se.evaluate(stream, "majority")


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
def test_what_is_no_numeric_target_is_refused(y, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.from_arrays(np.eye(3), y, numeric_target=True)


def test_diverging_predictions_are_no_warning(stream):
    huge = se.from_arrays(stream.X[:9], 1e149 * stream.y[:9], numeric_target=True)
    found = se.evaluate(huge, "target_mean").to_dict()["target_mean"]
    assert found["root_mean_squared_error"] > 1e148
    wrong = se.from_arrays(stream.X[:9], 1e200 * stream.y[:9], numeric_target=True)
    with pytest.raises(se.StreamevalError, match=r"finite numbers .* up to 1e\+150, found"):
        se.evaluate(wrong, "target_mean")


def test_progress_reaches_the_end(stream, capsys):
    se.evaluate(stream, "amrules", progress=True)
    assert "1.80k" in capsys.readouterr().err  # a regressor and two baselines


@pytest.mark.parametrize(
    ("learners", "protocol", "message"),
    [
        ("fimt", "prequential", "learner 'fimt'.*'fimt_dd'"),
        ("knn", "prequential", r"Learner 'knn' predicts classes: .* There are .*fimt_dd"),
        (se.augmented("naive_bayes"), "prequential", "found the classifier 'naive_bayes_augm"),
        (7, "prequential", "learner, found 7 of type int"),
        ([], "prequential", "learner.* found none"),
        ({"target_mean": "amrules"}, "prequential", "a name of its own .*, found 'target_mean'"),
        ({"true": "amrules"}, "prequential", "called true"),
    ],
)
def test_what_cannot_be_run_is_an_error(stream, learners, protocol, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.evaluate(stream, learners, protocol)


def test_wrong_names_and_streams_are_errors(stream):
    result = se.evaluate(stream, "amrules")
    with pytest.raises(se.StreamevalError, match="no measure 'r2'"):
        result.measures("r2")
    with pytest.raises(se.StreamevalError, match=r"amrules.* is a regressor.*numeric target"):
        se.evaluate(se.generate("sea", rows=9), "amrules")
    with pytest.raises(se.StreamevalError, match="is a regressor"):
        se.augmented("amrules")
    with pytest.raises(se.StreamevalError, match="seasonal: expected a numeric target, found"):
        se.evaluate(se.generate("sea", rows=9), "majority", seasonal=24)
    with pytest.raises(se.StreamevalError, match="seasonal: expected a number of instances"):
        se.evaluate(stream, "amrules", seasonal="24")


def test_a_numeric_target_is_evaluated_by_regressors(stream):
    result = se.evaluate(stream, ["amrules", "seasonal:5"], seasonal=[5, 7])
    names = ["amrules", "seasonal:5", "previous_target", "target_mean", "seasonal:7"]
    assert result.learners == names
    y = stream.y
    assert result.predictions["seasonal:7"].tolist()[7:] == y[:-7].tolist()
    assert [result.missing(name) for name in names] == [0, 5, 1, 0, 7]
    error = {name: np.abs(result.predictions[name] - y).to_numpy() for name in names}
    found = result.measures()
    for name in names:
        assert found.loc[name, "mean_absolute_error"] == pytest.approx(np.nanmean(error[name]))
        for other in ("previous_target", "target_mean", "seasonal:5", "seasonal:7"):
            known = ~np.isnan(error[name]) & ~np.isnan(error[other])
            skill = 1 - error[name][known].mean() / error[other][known].mean()
            assert found.loc[name, f"skill_over_{other}"] == pytest.approx(skill, abs=1e-12)
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


def test_a_comparison_has_seasonal_baselines_too(stream):
    """Of regressors that do not draw it is that of the evaluation, by the same interval."""
    given = ["target_mean", "seasonal:5"]
    found = se.compare(stream, given, seasonal=[5, 7])
    assert found.with_baselines == ["target_mean", "seasonal:5", "previous_target", "seasonal:7"]
    for base in ("seasonal:5", "seasonal:7"):
        expected = se.evaluate(stream, given, seasonal=7).differences(base).loc["target_mean"]
        over = found.over("target_mean", base)
        assert over.mean == pytest.approx(expected["difference"], rel=1e-12)
        assert over.low == pytest.approx(expected["low"], rel=1e-12, nan_ok=True)
    assert "over target 7 before" in str(found)
    assert found.to_dict()["learners"]["target_mean"]["over_seasonal:7"] == over.mean
    with pytest.raises(se.StreamevalError, match="seasonal: expected a numeric target, found"):
        se.compare(se.generate("sea", rows=9), ["majority", "no_change"], seasonal=24)
    with pytest.raises(se.StreamevalError, match="less than the 500 instances"):
        se.compare(stream.first(500), given, seasonal=500)
    with pytest.raises(se.StreamevalError, match="an instance that previous_target predicts"):
        se.compare(stream.first(1), given)


def test_skills_by_bin_have_their_intervals():
    stream = se.generate("planes", rows=4000)
    result = se.evaluate(stream, ["amrules", "fimt_dd"], delay=40)
    found = result.bins(3, learners=["amrules", "target_mean"]).set_index(["learner", "bin"])
    arrival = result.skills().set_index(["learner", "baseline"])
    for baseline in ("previous_target", "target_mean"):
        name = f"skill_over_{baseline}"
        expected = arrival.loc["amrules", baseline]
        row = found.loc["amrules", 0]
        assert row[name] == pytest.approx(expected["skill"])
        assert row[f"{name}_low"] == pytest.approx(expected["low"])
        assert row[f"{name}_high"] == pytest.approx(expected["high"])
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    itself = found.loc["target_mean"].filter(regex="target_mean_(low|high)")
    assert itself.shape == (5, 2)
    assert itself.isna().all(axis=None)


def test_curves_are_measures_of_windows(stream):
    result = se.evaluate(stream, "amrules")
    for name in ("mean_absolute_error", "r_squared", "skill_over_previous_target"):
        found = result.curve(name, window=100, points=6)
        assert found.index.tolist() == [100, 200, 300, 400, 500, 600]
        part = result.predictions.iloc[300:400]
        true = part["true"]
        expected = {
            "mean_absolute_error": metrics.mean_absolute_error(true, part["amrules"]),
            "r_squared": metrics.r2_score(true, part["amrules"]),
            "skill_over_previous_target": 1
            - metrics.mean_absolute_error(true, part["amrules"])
            / metrics.mean_absolute_error(true, stream.y[299:399]),
        }
        assert found.loc[400, "amrules"] == pytest.approx(expected[name])
    assert len(result.plot(window=100)) == 2
    with pytest.raises(se.StreamevalError, match="There is no measure 'accuracy'"):
        result.curve("accuracy")


class Slope:
    """The last target, and what it has learnt."""

    def __init__(self, start=0.0):
        self.last = start

    def learn(self, x, y, w):
        self.last = y

    def predict(self, x):
        return self.last


def last_of(stream, start):
    return np.append(start, stream.y[:-1]).tolist()


def test_regressors_of_others_are_taken(stream, tmp_path):
    river = linear_model.LinearRegression()
    scaled = make_pipeline(StandardScaler(), SGDRegressor())
    result = se.evaluate(stream, {"a": Slope, "b": Slope(3.0), "river": river, "sgd": scaled})
    assert result.predictions["a"].tolist() == last_of(stream, 0.0)
    assert result.predictions["b"].tolist() == last_of(stream, 3.0)
    names = [attribute.name for attribute in stream.schema.attributes]
    twin, expected = linear_model.LinearRegression(), []
    for x, y in zip(stream.X.tolist(), stream.y.tolist(), strict=True):
        one = dict(zip(names, x, strict=True))
        expected.append(twin.predict_one(one))
        twin.learn_one(one, y)
    assert result.predictions["river"].tolist() == expected
    assert result.missing("sgd") == 1  # before the first target
    scaler, last, expected = StandardScaler(), SGDRegressor(random_state=1), []
    for x, y in zip(stream.X[:, None], stream.y, strict=True):
        if expected:
            expected.append(last.predict(scaler.transform(x))[0])
        else:
            expected.append(np.nan)
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
    found = result.predictions["theirs"].to_numpy()
    np.testing.assert_allclose(found[row], value, rtol=1e-15)
    assert result.missing("theirs") == 3
    (tmp_path / "planes.csv").write_text("value\n" + "1\n" * 599 + "inf\n")
    with pytest.raises(se.StreamevalError, match="prediction 600: expected a finite number"):
        se.evaluate(stream, theirs)
    (tmp_path / "planes.csv").write_text("label,other\n1,2\n")
    with pytest.raises(se.StreamevalError, match=r"expected a column 'value' .* found label"):
        se.evaluate(stream, theirs)


@pytest.mark.parametrize("value", ["much", np.inf, np.nan, [1.0]])
def test_what_is_no_number_is_refused(stream, value):
    with pytest.raises(se.StreamevalError, match=r"row 0: .*finite.* None"):
        se.evaluate(stream, Slope(value))


def test_instances_without_any_prediction_have_no_skill(stream):
    result = se.evaluate(stream, {"silent": Slope(None), "never": Never})
    assert result.missing("never") == 600
    assert np.isnan(result.measures().loc["never"]).all()
    assert "no instance" in result.differences().loc["never", "reason"]
    assert result.missing("silent") == 1


class Never:
    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return None
