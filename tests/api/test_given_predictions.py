"""Predictions of another system are learners: in a file, in memory, in a column of the stream."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import streameval as se
from streameval.base.errors import ConfigError, DataError

N = 300
RNG = np.random.default_rng(5)
Y = np.array(["no", "yes"])[np.cumsum(RNG.random(N) < 0.2) % 2]
MADE = np.where(RNG.random(N) < 0.8, Y, np.where(Y == "no", "yes", "no"))
DAYS = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(N), "D")
FRAME = pd.DataFrame({"x": RNG.normal(size=N), "k": RNG.choice(["a", "b"], N), "y": Y})
#: Labels come after 1 to 30 days, those of the last ten rows not at all.
SETTLED = (DAYS + pd.to_timedelta(RNG.integers(1, 31, N), "D")).to_series().reset_index(drop=True)
SETTLED[N - 10 :] = pd.NaT
TIMES = FRAME.assign(made=DAYS, settled=SETTLED)
ACCURACY = float((MADE == Y).mean())


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"id": range(N), "mine": MADE}).to_csv("made.csv", index=False)
    FRAME.assign(mine=MADE).to_csv("data.csv", index=False)
    TIMES.assign(mine=MADE).to_csv("times.csv", index=False)


def accuracy(result, name):
    return result.measures("accuracy")["accuracy"][name]


def expected(result, name, labels=N):
    """Check that each prediction is that of its row; return the accuracy over rows with labels.

    No row is scored that comes before the first label.
    """
    rows = result.predictions["row"].to_numpy()
    assert result.predictions[name].tolist() == MADE[rows].tolist()
    rows = np.unique(rows[rows < labels])
    return pytest.approx((MADE == Y)[rows].mean())


@pytest.mark.parametrize(
    "values",
    [
        MADE.astype(object),
        pd.Series(MADE, index=range(1000, 1000 + N)),
        pd.Series(MADE, dtype="category"),
        pa.chunked_array([MADE[:100], MADE[100:]]),
        pd.DataFrame({"label": MADE, "other": 1}),
        pa.table({"any name": MADE}),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_predictions_in_memory_are_a_learner(values):
    result = se.evaluate(se.from_pandas(FRAME, "y"), {"production": values, "tree": "naive_bayes"})
    assert accuracy(result, "production") == expected(result, "production")


def test_truth_values_and_numbers_are_names_of_classes():
    for true, labels in [(Y == "yes", MADE == "yes"), ((Y == "yes") * 1, (MADE == "yes") * 1.0)]:
        stream = se.from_pandas(FRAME.assign(y=true), "y")
        result = se.evaluate(stream, {"production": pd.Series(labels)})
        assert accuracy(result, "production") == pytest.approx(ACCURACY)


@pytest.mark.parametrize("ending", ["gz", "zip"])
def test_a_compressed_file_has_the_predictions_of_the_plain_one(files, ending):
    table = pd.DataFrame({"label": MADE, "other": MADE[::-1]})
    table.to_csv(f"packed.csv.{ending}", index=False)
    result = se.evaluate(se.from_pandas(FRAME, "y"), f"packed.csv.{ending}:label")
    assert accuracy(result, f"packed.csv.{ending}:label") == pytest.approx(ACCURACY)


def test_one_line_a_row_is_kept_until_the_label_arrives(files):
    stream = se.read("times.csv", "y", drop=["mine"], time="made", label_time="settled")
    result = se.evaluate(stream, ["made.csv:mine", "naive_bayes"])
    name = "made.csv:mine"
    assert result.delays["labels"] == N - 10
    right = expected(result, name, labels=N - 10)
    assert accuracy(result, name) == right
    bins = result.bins().query("learner == @name")["accuracy"]  # at each time before the label
    assert len(bins) > 5
    assert bins.tolist() == [right] * len(bins)


def test_predictions_do_not_wait_for_labels():
    stream, late = se.from_pandas(FRAME, "y"), 101
    for how in ({"delay": 100}, {"protocol": "delayed:100"}):
        result = se.evaluate(stream, {"production": MADE}, **how)
        assert result.before_first_label == late
        n_labels = [result.measured_labels(name) for name in result.learners]
        assert n_labels == [N, N - late, N - late]
        assert accuracy(result, "production") == pytest.approx(ACCURACY)
        assert result.estimate("production").mean == pytest.approx(ACCURACY)
        assert result.by_class(["production"])["instances"].sum() == N
        assert result.confusion("production").to_numpy().sum() == N
        # Whatever compares with a baseline is over the instances that both have.
        right, other = (MADE == Y)[late:].mean(), accuracy(result, "majority")
        kappa = result.measures("kappa_m")["kappa_m"]["production"]
        assert kappa == pytest.approx((right - other) / (1 - other))
        gap = result.differences("majority").loc["production"]
        assert (gap["difference"], gap["instances"]) == (pytest.approx(right - other), N - late)
        # Baselines predict nothing before.
        first = result.predictions.drop_duplicates("row").set_index("row")
        assert first["production"].tolist() == MADE.tolist()
        assert first["majority"].isna().sum() == late
        lines = " ".join(" ".join(result.lines()).split())
        assert f"production needs no labels, and is measured on all {N}" in lines
        assert f"measured on the {N - late} after the first label" in lines
    with_bayes = se.evaluate(stream, {"production": MADE, "bayes": "naive_bayes"}, delay=100)
    assert {with_bayes.measured_labels(name) for name in with_bayes.learners} == {N - late}
    assert accuracy(with_bayes, "production") == pytest.approx(right)
    text = " ".join(" ".join(with_bayes.lines()).split())
    assert f"without other learners, it is measured on all {N} labels" in text
    bins = se.evaluate(stream, {"production": MADE}, delay=100).bins(1).set_index("learner")
    assert bins.loc["production", "predictions"].tolist() == [N] * 3
    assert bins.loc["production", "accuracy"].tolist() == pytest.approx([ACCURACY] * 3)
    assert bins.loc["majority", "predictions"].tolist() == [N - late] * 3


def test_comparisons_take_predictions_made_before_delayed_labels(files):
    times = se.read("times.csv", "y", drop=["mine"], time="made", label_time="settled")
    compared = se.compare(times, ["made.csv:mine", pd.Series(MADE)], runs=1)
    assert "values are equal" in " ".join(compared.lines())


def test_a_column_of_the_stream_is_a_learner_and_no_input(files):
    stream = se.read("data.csv", "y")
    result = se.evaluate(stream, {"mine": "column:mine", "bayes": "naive_bayes"})
    assert accuracy(result, "mine") == expected(result, "mine")
    assert [attribute.name for attribute in result.stream.schema.attributes] == ["x", "k"]
    alone = se.evaluate(se.from_pandas(FRAME, "y"), {"bayes": "naive_bayes"})
    assert result.predictions["bayes"].tolist() == alone.predictions["bayes"].tolist()
    assert se.compare(stream, ["column:mine", "naive_bayes"], runs=1).verdict == "beats"
    with pytest.raises(ConfigError, match=r"no column 'mien'.* mean 'mine'"):
        se.evaluate(stream, "column:mien")
    with pytest.raises(ConfigError, match=r"found stored predictions, 'column:mine'"):
        se.budget(stream, "column:mine", [0.5])


def test_a_column_of_numbers_is_a_regressor():
    x = RNG.normal(size=N)
    frame = pd.DataFrame({"x": x**2, "mine": x + 1 + RNG.choice([-0.5, 0.5], N), "y": x})
    stream = se.from_pandas(frame, "y", numeric_target=True)
    for learner in ("column:mine", frame["mine"]):
        measures = se.evaluate(stream, {"mine": learner}).measures("mean_absolute_error")
        assert measures["mean_absolute_error"]["mine"] == pytest.approx(
            np.abs(frame["mine"] - x).mean()
        )


def test_a_page_does_not_shuffle_predictions(files):
    result = se.evaluate(se.from_pandas(FRAME, "y"), ["made.csv:mine", "naive_bayes"])
    se.write_report(result, "page.html")
    section = (
        Path("page.html")
        .read_text("utf-8")
        .partition("The effect of the order")[2]
        .partition("<h2")[0]
    )
    assert "naive_bayes" in section
    assert "made.csv" not in section


def test_faults_say_what_to_do(files):
    stream = se.from_pandas(FRAME, "y")
    with pytest.raises(DataError, match=r"found id, mine\. .*made\.csv:COLUMN"):
        se.evaluate(stream, "made.csv")
    with pytest.raises(DataError, match=r"expected 300 lines, .* found 299\."):
        se.evaluate(stream, {"production": MADE[1:]})
    with pytest.raises(DataError, match=r"label 'maybe' is none"):
        se.evaluate(stream, {"production": np.full(len(MADE), "maybe")})
    with pytest.raises(ConfigError, match=r"a prediction for each row, .*ndarray"):
        se.evaluate(stream, {"production": np.zeros((3, 2))})
