"""Labels that have not arrived are no labels: in no protocol, measure, study, file or command."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.predictions import read_predictions, read_scored, write_predictions
from streameval.evaluation.run import run_learners
from streameval.learners.registry import built_in_learners
from streameval.learners.tasks import CLASSIFICATION
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import Delayed, prequential
from streameval.protocols.registry import PROTOCOLS
from streameval.streams.columnar import read_stream, stream_size, write_stream
from streameval.streams.generators.markov import Markov
from streameval.streams.stream import NEVER, NO_LABEL, Stream
from streameval.streams.variants import variant

#: A way to write each protocol.
WRITTEN = {
    "prequential": "prequential",
    "delayed": "delayed:7",
    "reevaluation": "reevaluation:5",
    "cross_validation": "cross_validation:3:all",
    "split_validation": "split_validation:3:held_out",
    "bootstrap_validation": "bootstrap_validation:3:learnt",
    "partial": "partial:0.5",
}
#: What may stand in a file where no label has arrived.
FILLS = ("?", "open", "no")
CLASSES = ("no", "yes")
RNG = np.random.default_rng(3)


def loans(n: int = 2000, fill: str = "", seed: int = 1) -> pd.DataFrame:
    """Loans in the proportions of 20,000 with 4,667 open and 1,127 of the settled "no".

    They settle after some months, so that the open ones, those that settle last, are the newest.
    """
    draws = np.random.default_rng(seed)
    granted = np.sort(draws.uniform(0, 1000, n))
    due = granted + draws.gamma(4, 45, n)
    is_open = np.zeros(n, bool)
    is_open[np.argsort(due)[n - round(n * 4667 / 20_000) :]] = True
    score = draws.normal(size=n)
    settled = np.flatnonzero(~is_open)
    risk = (score + 0.8 * draws.normal(size=n))[settled]
    paid = np.full(n, "yes", dtype=object)
    paid[settled[np.argsort(risk)[: round(n * 1127 / 20_000)]]] = "no"
    paid[is_open] = fill
    begin = pd.Timestamp("2020-01-01")
    times = {
        name: pd.Series(begin + pd.to_timedelta(np.floor(days * 86_400), unit="s")).astype(str)
        for name, days in (("granted", granted), ("settled", due))
    }
    times["settled"][is_open] = ""
    return pd.DataFrame({"score": score.round(4), **times, "paid": paid})


def read(frame: pd.DataFrame, path) -> Stream:
    frame.to_csv(path, index=False)
    return se.read(path, "paid", time="granted", label_time="settled")


@pytest.fixture(scope="module")
def stream(tmp_path_factory) -> Stream:
    return read(loans(), tmp_path_factory.mktemp("loans") / "loans.csv")


def ignoring(protocol: str) -> dict[str, bool]:
    """The option by which a protocol takes labels for known at once, if it does."""
    parsed = PROTOCOLS[protocol.partition(":")[0]]
    waits = parsed.needs_times or parsed is Delayed
    return {} if waits else {"ignore_label_times": True}


def test_each_protocol_is_tried():
    assert {*WRITTEN} == {*PROTOCOLS}


def test_the_loans_are_as_told(stream):
    # 467 of 2,000 are open, 113 of the settled are "no": 4,667 and 1,127 of 20,000, rounded.
    assert np.unique(stream.y, return_counts=True)[1].tolist() == [467, 113, 1420]
    assert stream.schema.classes == CLASSES
    assert stream.n_unlabelled == 467
    assert stream.head(2000)["paid"].isna().sum() == 467
    result = se.evaluate(stream, "naive_bayes", "prequential", ignore_label_times=True)
    assert result.predictions["true"].value_counts(dropna=False).to_dict() == {
        "yes": 1420,
        np.nan: 467,
        "no": 113,
    }
    assert "467 labels have not arrived" in repr(result)
    # Majority is right about each settled loan that is "yes", but for the first few.
    accuracy = result.measures("accuracy").loc["majority", "accuracy"]
    assert accuracy == pytest.approx(1420 / 1533, abs=0.003)


@pytest.mark.parametrize("fill", FILLS)
def test_values_in_place_of_missing_labels_make_no_difference(stream, tmp_path, fill):
    other = read(loans(fill=fill), tmp_path / "loans.csv")
    assert other.digest == stream.digest
    frame = loans(fill=fill)
    frame["settled"] = pd.to_datetime(frame["settled"])
    frame.to_parquet(tmp_path / "loans.parquet")
    typed = {"time": "granted", "label_time": "settled"}
    frame["granted"] = pd.to_datetime(frame["granted"])
    from_frame = se.from_pandas(frame, "paid", **typed)
    assert from_frame.schema.classes == CLASSES
    assert (from_frame.y == stream.y).all()


class Spy:
    """Predict nothing; keep what is learnt. The first input is the number of the row."""

    learnt: list[tuple[int, int]] = []  # noqa: RUF012

    def learn(self, x, y, w):
        Spy.learnt.append((int(x[0]), int(y)))

    def predict(self, x):
        return 0


def with_open(y: list[int], missing: list[bool], others: list[int]) -> tuple[Stream, Stream]:
    """A stream with open labels, twice, with different codes where they are missing."""
    n = len(y)
    base = Markov(priors=[0.6, 0.4], persistence=0.8, attributes=2, seed=1).stream(n)
    X = np.column_stack((np.arange(n, dtype=float), base.X))
    schema = replace(
        base.schema,
        attributes=(replace(base.schema.attributes[0], name="row"), *base.schema.attributes),
    )
    due = np.where(missing, NEVER, np.arange(n) + 3)
    both = (np.array(y, np.int32), np.where(missing, others, y).astype(np.int32))
    first, second = (
        Stream(X, labels, schema, time=np.arange(n), label_time=due, name="open") for labels in both
    )
    return first, second


cases = st.integers(8, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 1), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda m: not all(m)),
        st.lists(st.integers(0, 1), min_size=n, max_size=n),
    )
)


@pytest.mark.parametrize("protocol", WRITTEN.values())
@settings(max_examples=15, deadline=None)
@given(case=cases)
def test_instances_without_labels_are_predicted_but_not_learnt_or_scored(protocol, case):
    first, second = with_open(*case)
    assert first.digest == second.digest
    Spy.learnt = []
    learners = [Spy, se.augmented("naive_bayes")]
    try:
        result = se.evaluate(first, learners, protocol, **ignoring(protocol))
    except DataError as error:
        if "nothing to score" in str(error):
            reject()
        raise
    missing = np.array(case[1])
    assert not {row for row, _ in Spy.learnt} & {*np.flatnonzero(missing)}
    assert all(y == case[0][row] for row, y in Spy.learnt)
    predictions = result.predictions
    open_ = missing[predictions["row"]]
    assert predictions["true"].isna().to_numpy().tolist() == open_.tolist()
    if protocol == "prequential":
        assert predictions["row"].tolist() == [*range(len(first))]
    if result.delays is not None:  # of several predictions of an instance the first one counts
        predictions = predictions[~predictions["row"].duplicated()]
        assert predictions["row"].tolist() == [*range(result.before_first_label, len(first))]
        open_ = missing[predictions["row"]]
    # By hand: the proportion of correct predictions of those with a label.
    for name in result.learners:
        correct = (predictions[name].astype(str) == predictions["true"].astype(str))[~open_]
        expected = correct.mean() if len(correct) else np.nan
        accuracy = result.measures("accuracy").loc[name, "accuracy"]
        assert accuracy == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("name", built_in_learners(CLASSIFICATION))
def test_other_predictions_are_those_of_a_stream_without_such_rows(name):
    draws = np.random.default_rng(5)
    y, missing = draws.integers(0, 2, 600), draws.random(600) < 0.3
    stream, _ = with_open(y.tolist(), missing.tolist(), [0] * 600)
    alone = replace(stream.with_labels(), time=None, label_time=None)
    learner = "no_change" if name == "predictions_file" else name
    result = se.evaluate(stream, learner, "prequential", ignore_label_times=True)
    expected = se.evaluate(alone, learner, "prequential")
    kept = result.predictions[~missing].reset_index(drop=True)
    columns = result.learners
    pd.testing.assert_frame_equal(kept[columns], expected.predictions[columns])
    pd.testing.assert_frame_equal(result.measures(*MEASURES), expected.measures(*MEASURES))
    pd.testing.assert_frame_equal(result.differences(), expected.differences())
    curve, alone_curve = (
        evaluation.curve("kappa_temporal", window=50) for evaluation in (result, expected)
    )
    places = np.flatnonzero(~missing)[alone_curve.index - 1] + 1
    alone_curve = alone_curve.set_axis(pd.Index(places, name="instance"))
    pd.testing.assert_frame_equal(curve, alone_curve)


def test_a_tape_that_learns_them_is_refused():
    stream, _ = with_open([0, 1] * 5, [False, True] * 5, [0] * 10)
    with pytest.raises(DataError, match=r"learns row 1 .* label is missing"):
        run_learners(stream, prequential(len(stream)), {})


@pytest.mark.parametrize(
    ("kind", "protocol"),
    [
        *(("csv", None), ("arff", None), ("frame", None)),
        *(("csv", "delayed:7"), ("arff", "partial:0.5"), ("frame", "cross_validation:3:all")),
    ],
)
def test_labels_that_are_missing_without_times_are_predicted_only(tmp_path, kind, protocol):
    frame = loans(900).drop(columns=["granted", "settled"])
    frame["paid"] = frame["paid"].where(np.arange(900) % 3 == 0, "")
    known = frame["paid"].isin(CLASSES).to_numpy()
    path = tmp_path / f"loans.{kind}"
    if kind == "frame":
        stream = se.from_pandas(frame, "paid", missing=[""])
    else:
        lines = "".join(f"{score},{paid or '?'}\n" for score, paid in frame.itertuples(index=False))
        head = "@relation r\n@attribute score numeric\n@attribute paid {no,yes}\n@data\n"
        path.write_text((head if kind == "arff" else "score,paid\n") + lines, encoding="utf-8")
        stream = se.read(path, "paid")
    assert stream.n_unlabelled == 900 - known.sum() > 600
    assert stream.schema.classes == CLASSES
    result = se.evaluate(stream, "naive_bayes", protocol)
    assert f"{stream.n_unlabelled} labels are missing" in repr(result)
    runs = 3 if protocol == "cross_validation:3:all" else 1
    unscored = result.before_first_label
    assert unscored < 50
    assert len(result.predictions) == 900 * runs - unscored  # all others are predicted
    missing = result.predictions["true"].isna().sum()
    assert 0 <= np.count_nonzero(~known) * runs - missing <= unscored
    if protocol is None:  # and no prediction depends on them
        alone = se.evaluate(stream.with_labels(), "naive_bayes")
        pd.testing.assert_frame_equal(result.measures(), alone.measures())
        kept = result.predictions["naive_bayes"][known].tolist()
        assert kept == alone.predictions["naive_bayes"].tolist()


def test_numeric_targets_may_be_missing_too():
    frame = pd.DataFrame({"a": np.arange(60.0), "y": RNG.normal(size=60)})
    frame.loc[::4, "y"] = np.nan
    result = se.evaluate(se.from_pandas(frame, "y", numeric_target=True), "amrules")
    assert "15 labels are missing" in repr(result)
    alone = se.from_pandas(frame.dropna(), "y", numeric_target=True)
    expected = se.evaluate(alone, "amrules").measures()
    pd.testing.assert_frame_equal(result.measures(), expected)


def test_a_target_without_any_label_is_refused():
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": [None, None]}, dtype=object)
    with pytest.raises(DataError, match=r"expected labels \('y'\), found none"):
        se.from_pandas(frame, "y")


def test_missing_labels_are_null_in_files(tmp_path):
    import pyarrow.parquet as pq

    stream, _ = with_open([0, 1] * 20, [False, False, False, True] * 10, [0] * 40)
    write_stream(stream, tmp_path / "s.parquet")
    assert pq.read_table(tmp_path / "s.parquet")[stream.schema.target].null_count == 10
    assert read_stream(tmp_path / "s.parquet").digest == stream.digest
    assert stream_size(tmp_path / "s.parquet")["unlabelled"] == 10
    table, _ = run_learners(stream, PROTOCOLS["prequential"](), {})
    write_predictions(table, tmp_path / "p.parquet")
    assert pq.read_table(tmp_path / "p.parquet")["true"].null_count == 10
    back = read_predictions(tmp_path / "p.parquet")
    assert back.true.tolist() == stream.y.tolist()
    assert len(read_scored(tmp_path / "p.parquet")) == 30


@pytest.mark.parametrize("text", ["shuffled:1", "temporal:1"])
def test_variants_keep_them_missing(text):
    stream, _ = with_open([0, 1] * 20, [False, False, False, True] * 10, [0] * 40)
    changed = variant(stream, text)
    at = changed.X[:, 0].astype(int)
    assert (changed.y == stream.y[at]).all()
    assert (changed.y == NO_LABEL).sum() == 10
    assert np.isfinite(se.evaluate(changed, "naive_bayes").measures("accuracy").to_numpy()).all()


def test_compare_counts_them_also_where_label_times_are_ignored(stream):
    both = ["naive_bayes", "majority"]
    asked = {"ignore_label_times": True}
    for more in ({}, asked, {**asked, "protocol": "cross_validation:2"}):
        comparison = se.compare(stream, both, **more)
        text = " ".join(" ".join(comparison.lines()).split())
        assert "467 labels have not arrived, neither scored nor learnt" in text
        assert comparison.to_dict()["labels_not_arrived"] == comparison.n_unlabelled == 467


def test_compare_says_what_to_do_with_folds(stream):
    with pytest.raises(ConfigError, match=r"protocol.* on arrival") as no:
        se.compare(stream, ["naive_bayes", "majority"], "cross_validation")
    assert "reevaluation" not in str(no.value)  # which `compare` does not take


def test_measures_are_of_predictions_on_arrival(stream):
    result = se.evaluate(stream, "naive_bayes")
    on_arrival = result.bins(2).query("bin == 0").set_index("learner").loc[result.learners]
    measures = result.measures("accuracy", "kappa_temporal", "kappa_m")
    columns = ["accuracy", "kappa_temporal_delayed", "kappa_m_delayed"]
    np.testing.assert_allclose(measures.to_numpy(), on_arrival[columns].to_numpy(), atol=1e-12)
    difference = result.differences("majority").loc["naive_bayes", "difference"]
    gap = measures.loc["naive_bayes", "accuracy"] - measures.loc["majority", "accuracy"]
    assert difference == pytest.approx(gap)
    assert result.curve("accuracy", window=1533, points=1).iloc[0].tolist() == pytest.approx(
        measures["accuracy"].tolist()
    )
    # Each instance is predicted, also where its label has not arrived.
    rows = result.predictions["row"]
    assert rows[~rows.duplicated()].tolist() == [*range(result.before_first_label, 2000)]
    assert "467 labels have not arrived" in repr(result)


def test_measures_of_regressors_are_of_predictions_on_arrival():
    X, y = np.arange(400.0)[:, None], np.arange(400.0) * 7 % 11
    stream = se.from_arrays(X, y, numeric_target=True)
    due = np.where(np.arange(400) % 5 == 0, NEVER, np.arange(400) + 40)
    stream = replace(stream, time=np.arange(400), label_time=due)
    result = se.evaluate(stream, "amrules")
    on_arrival = result.bins(2).query("bin == 0").set_index("learner").loc[result.learners]
    for name in result.measures():
        assert result.measures(name)[name].tolist() == pytest.approx(on_arrival[name].tolist())
    assert result.n_missing("previous_target") == on_arrival.loc["previous_target", "missing"]
    skills = result.skills().set_index(["learner", "baseline"])["skill"]
    assert skills["amrules", "target_mean"] == on_arrival.loc["amrules", "skill_over_target_mean"]
    assert result.before_first_label == 42
    assert result.predictions["row"].nunique() == 400 - 42


@pytest.mark.parametrize("numeric", [False, True])
def test_missing_labels_that_have_times_are_as_those_under_a_delay(numeric):
    draws = np.random.default_rng(1)
    y = pd.Series(draws.normal(size=300) if numeric else draws.choice(["a", "b"], 300))
    frame = pd.DataFrame({"x": draws.normal(size=300), "y": y.mask(np.arange(300) % 10 == 0)})
    timed = frame.assign(t=np.arange(300), due=np.arange(300) + 20)
    learner = "amrules" if numeric else "naive_bayes"
    late = se.from_pandas(timed, "y", time="t", label_time="due", numeric_target=numeric)
    evaluation = se.evaluate(late, learner)
    delayed = se.evaluate(se.from_pandas(frame, "y", numeric_target=numeric), learner, delay=20)
    pd.testing.assert_frame_equal(evaluation.measures(), delayed.measures())
    assert evaluation.delays == delayed.delays
    assert (evaluation.delays["labels"], evaluation.delays["pending"]) == (270, 0)
    for result in (evaluation, delayed):
        assert "30 labels are missing" in repr(result)
        assert result.predictions["row"].nunique() == 300 - result.before_first_label
        numbers = result._numbers(DisplayOptions())
        assert numbers["labels_missing"] == 30
        assert "labels_not_arrived" not in numbers


def test_labels_may_be_missing_or_not_have_arrived():
    frame = pd.DataFrame({"x": range(9), "y": [*"abababa", None, "b"], "t": range(9)})
    frame["due"] = [*range(1, 9), None]
    stream = se.from_pandas(frame, "y", time="t", label_time="due")
    assert stream.unlabelled_text == "2 labels are missing or have not arrived"
    assert stream.labelled.tolist() == [True] * 7 + [False] * 2
