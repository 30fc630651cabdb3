"""Measures and bins of both tasks agree with counts event by event."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.rides import BOTH, OF_CLASSES, PENDING, N, called, rides, rides_of, written
from naive import learners as naive_classifiers
from naive import measures as naive
from naive import reevaluation as literal
from naive import regression as naive_regressors
from sklearn import metrics

import streameval as se
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.learners.registry import LEARNERS
from streameval.significance.stream_mean import stream_mean

EPOCH = pd.Timestamp("1970-01-01")
FUNCTIONS = {
    "mean_absolute_error": metrics.mean_absolute_error,
    "root_mean_squared_error": metrics.root_mean_squared_error,
    "r_squared": metrics.r2_score,
}
of_both = pytest.mark.parametrize("asked", BOTH, ids=called)


@pytest.fixture(scope="module")
def frame():
    return rides()


def table_of(frame, asked):
    """The target, and inputs that are no times."""
    return frame[["warm", "weather", asked.target]]


def stream_of(frame, asked):
    return se.from_pandas(table_of(frame, asked), asked.target, **asked.reader_options)


class Model:
    """The twin of a learner; a table without declared classes has them as their labels come."""

    def __init__(self, name, stream, learnt):
        self.order = None
        if stream.schema.classes is None:
            self.twin = naive_regressors.twin(LEARNERS[name](), stream)
            return
        self.twin = naive_classifiers.twin(LEARNERS[name](), stream)
        self.order = [*dict.fromkeys(learnt)] if stream.schema.sorted_by_name else [0, 1]
        self.knows_any = False

    def predict(self, x):
        code = self.twin.predict(x)
        return self.order[code] if self.order and self.knows_any else code

    def learn(self, x, y):
        self.twin.learn(x, self.order.index(y) if self.order else y, 1.0)
        self.knows_any = True


def skill_of(true, values, reference):
    """One less the ratio of the mean errors, where both are known."""
    known = ~np.isnan(reference) & ~np.isnan(values)
    error, baseline = (
        np.abs(prediction - true)[known].mean() for prediction in (values, reference)
    )
    return 1 - error / baseline


@of_both
@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_measures_are_those_of_the_predictions_of_twins(tmp_path, frame, asked, ending):
    path = written(table_of(frame, asked), tmp_path / f"rides.{ending}")
    read = se.read(path, None if ending == "arff" else asked.target, **asked.reader_options)
    result = se.evaluate(read, asked.learners)
    assert result.learners == [*asked.learners, *asked.baselines]
    stream, predictions = stream_of(frame, asked), {}
    if ending == "arff":
        stream = replace(
            stream, schema=replace(stream.schema, sorted_by_name=False)
        )  # they are declared
    for name in result.learners:
        model, predictions[name] = Model(name, stream, stream.y.tolist()), []
        for x, y in zip(stream.X.tolist(), stream.y.tolist(), strict=True):
            predictions[name].append(model.predict(x))
            model.learn(x, y)
    predictions = {name: np.array(values) for name, values in predictions.items()}
    for name, predicted in predictions.items():
        row = result.measures().loc[name]
        if asked is OF_CLASSES:
            columns = [
                labels.tolist()
                for labels in (predicted, *(predictions[base] for base in asked.baselines))
            ]
            expected = naive.measures(stream.y.tolist(), columns[0], 2, *columns[1:])
            names = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
            expected = {measure: expected[measure] for measure in names}
            assert row[[*names]].to_dict() == pytest.approx(expected, rel=1e-9)
            continue
        known = ~np.isnan(predicted)
        known[0] = False  # no target has been learnt
        for key, function in FUNCTIONS.items():
            assert row[key] == pytest.approx(function(stream.y[known], predicted[known]), rel=1e-9)
        for base in asked.baselines:
            skill = skill_of(stream.y[1:], predicted[1:], predictions[base][1:])
            assert row[f"skill_over_{base}"] == pytest.approx(skill, abs=1e-12)


def in_turn(asked, name, stream, time, due, every, bins, rule, ties="instance"):
    """Labels or targets in the order of their arrival, and what counts in each bin and is made."""
    prediction_events, untrained, scored = literal.polls_in_turn(time, due, every, ties, False)
    history, known = defaultdict(list), set()
    none = 0 if rule == "published" else -1  # a missing class is the first one to the program
    x, y = stream.X.tolist(), stream.y.tolist()
    model = Model(name, stream, [y[row] for row in scored])
    for number, (row, moment, which) in enumerate(prediction_events):
        value = model.predict(x[row])
        if asked is OF_CLASSES:
            votes = none < 0 or number >= untrained or name == "no_change"
            value = max(value, none), votes
        history[row].append((moment, value))
        if which == literal.LAST:
            model.learn(x[row], y[row])
        if which == literal.FIRST and number >= untrained:
            known.add(row)
    vote = literal.mean
    if asked is OF_CLASSES:

        def vote(lasting, length):
            return literal.longest(lasting, none), True

    # By the paper no row is scored that comes before the first label is known.
    rows = [row for row in scored if rule == "published" or row in known]
    counted = [getattr(literal, f"{rule}_bins")(history[row], bins, vote) for row in rows]
    values = [
        [v[0] if asked is OF_CLASSES else v for v, _ in bins_of_row] for bins_of_row in counted
    ]
    return (
        stream.y[rows],
        np.array(values),
        np.array([[time for _, time in bins_of_row] for bins_of_row in counted]),
    )


def check_bins(asked, result, stream, *about, bins, rule, ties="instance"):
    """Compare the bins of all learners with measures of the counted predictions."""
    frame = result.bins(bins, rule, moa=True)
    counted = {
        name: in_turn(asked, name, stream, *about, bins, rule, ties) for name in result.learners
    }
    columns = [counted[base][1].T for base in asked.baselines]
    for name, (true, values, labels) in counted.items():
        rows = frame[frame["learner"] == name].to_dict("records")
        assert [row["bin"] for row in rows] == [*range(bins + 2)] == [*range(values.shape[1])]
        for row, predicted, calculated, *others in zip(
            rows, values.T, labels.T, *columns, strict=True
        ):
            check_bin(asked, row, true, predicted, others)
            assert (row["predictions"], row["calculated"]) == (len(true), calculated.sum())


def check_bin(asked, row, true, predicted, others):
    """Compare a bin with measures of what counts in it, and of what counts of the baselines."""
    if asked is OF_CLASSES:
        lists = [labels.tolist() for labels in (true, predicted, *others)]
        expected = naive.measures(lists[0], lists[1], 2, *lists[2:])
        expected = {
            f"{measure}_delayed": expected[measure] for measure in ("kappa_temporal", "kappa_m")
        }
        names = ("accuracy", "kappa", "kappa_temporal_moa", "kappa_m_moa")
        of_moa = naive.moa_evaluate(lists[0], lists[1], 2, "basic", None, missing=-1)
        expected |= dict(zip(names, of_moa, strict=True))
        values, missing = predicted == true, predicted < 0
    else:
        known = ~np.isnan(predicted)
        expected = {key: of(true[known], predicted[known]) for key, of in FUNCTIONS.items()}
        for base, other in zip(asked.baselines, others, strict=True):
            expected[f"skill_over_{base}"] = skill_of(true, predicted, other)
        values, missing = np.abs(predicted - true)[known], ~known
    for key, value in expected.items():
        assert row[key] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), key
    assert row["missing"] == missing.sum()
    mean = stream_mean(values.astype(float))
    most = 1.0 if asked.task is CLASSIFICATION_TASK else np.inf
    ends = np.clip((mean.low, mean.high), 0.0, most)
    assert (row["low"], row["high"]) == pytest.approx(tuple(ends), rel=1e-9, nan_ok=True)


@of_both
@pytest.mark.parametrize("rule", ["published", "paper"])
def test_the_bins_of_a_delay(frame, asked, rule):
    stream, clock = stream_of(frame, asked), [*range(N)]
    result = se.evaluate(stream, asked.learners[0], delay=30, every=3)
    assert result.delays == {
        "every": 3,
        "labels": N,
        "pending": 0,
        "delay": 30,
        "before_first_label": 31,
    }
    due = [moment + 30 for moment in clock]
    check_bins(asked, result, stream, clock, due, 3, bins=7, rule=rule)


@of_both
@pytest.mark.parametrize("ties", ["instance", "label"])
def test_the_bins_of_times(tmp_path, asked, ties):
    """Of rows in no order, the last ones without a label, some at one time."""
    mixed = rides_of(asked).sample(frac=1, random_state=2).reset_index(drop=True)
    path = written(mixed, tmp_path / "rides.parquet")
    read = se.read(path, asked.target, time="hour", label_time="known", **asked.reader_options)
    result = se.evaluate(read, asked.learners[0], label_first=ties == "label")
    delays = [result.delays[key] for key in ("every", "labels", "pending")]
    assert delays == [10, N - PENDING, PENDING]
    whole = mixed.sort_values("hour", kind="stable").dropna(subset="known")
    stream = stream_of(whole, asked)
    times = [((whole[name] - EPOCH) // pd.Timedelta("1s")).tolist() for name in ("hour", "known")]
    for rule in ("published", "paper"):
        check_bins(asked, result, stream, *times, 10, bins=4, rule=rule, ties=ties)
