"""Which predictions are scored: one rule for all protocols and both tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from protocols.test_registry import settings_of

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.protocols.registry import PROTOCOLS, parse

NAMES = ["ash", "birch", "cedar"]


#: Any protocol of the registry, with some of its parameters, numbers up to 8.
PROTOCOL = settings_of(PROTOCOLS, 8).map(parse)


@st.composite
def tables(draw):
    """Inputs, a class and a number to predict, some of them missing, and times of labels."""
    n = draw(st.integers(15, 50))
    draws = np.random.default_rng(draw(st.integers(0, 2**32)))
    y = draws.integers(0, 3, n)
    y[:3] = draws.permutation(3)
    return pd.DataFrame(
        {
            "row": np.arange(n, dtype=float),
            "x": y + draws.normal(size=n),
            "when": np.arange(n),
            "known": np.arange(n) + draws.geometric(0.2, n),
            "is_missing": draws.random(n) < draw(st.sampled_from([0.0, 0.3])),
            "y": y,
        }
    )


def read(table, protocol, names=NAMES, *, numeric=False):
    y = table["y"] * 1.5 + 100 if numeric else np.array(names, dtype=object)[table["y"]]
    frame = table.assign(y=pd.Series(y).mask(table["is_missing"]))
    times = {"time": "when", "label_time": "known"} if protocol.needs_times else {}
    drop = ["is_missing"] if times else ["is_missing", "when", "known"]
    return se.from_pandas(frame, "y", drop=drop, numeric_target=numeric, **times)


class Witness:
    """Predict always the same; note for each model and row how many labels it had learnt."""

    seen: list[tuple[int, int, int]] = []  # noqa: RUF012
    models = 0

    def __init__(self):
        self.model, self.learnt = -1, 0

    def _number(self):
        if self.model < 0:
            self.model = Witness.models
            Witness.models += 1
        return self.model

    def learn(self, x, y, w):
        self._number()
        self.learnt += 1

    def predict(self, x):
        Witness.seen.append((self._number(), int(x[0]), self.learnt))
        return 1

    def scores(self, x):
        return [0.2, 0.5, 0.3]


def rows_by_model(pairs):
    """Rows of each model that has some, in the order of the models."""
    rows = {}
    for model, row in sorted(pairs):
        rows.setdefault(model, []).append(row)
    return [*rows.values()]


def evaluated(stream, learners, protocol):
    try:
        return se.evaluate(stream, learners, protocol, progress=False)
    except ConfigError:  # numbers have no scores by which labels are asked for; a learner has none
        reject()
    except DataError as error:
        refused = "nothing to score", "only offers labels", "draws labels by their class"
        if any(reason in str(error) for reason in refused):
            reject()
        raise


@settings(max_examples=50, deadline=None)
@given(PROTOCOL, tables(), st.booleans())
def test_a_prediction_is_scored_once_its_model_has_learnt_a_label(protocol, table, numeric):
    Witness.seen, Witness.models = [], 0
    result = evaluated(read(table, protocol, numeric=numeric), Witness, protocol)
    name, of_moa = protocol.name, not numeric
    of_moa &= name == "prequential" or getattr(protocol, "allotment", "") == "in_turn"
    of_moa |= not numeric and name == "delayed" and protocol.delay == 0
    learnt = {}  # at the first prediction of each row by each model
    for model, row, labels in Witness.seen:
        learnt.setdefault((model, row), labels)
    labelled = ~table["is_missing"].to_numpy()
    expected = [
        (model, row)
        for (model, row), labels in learnt.items()
        if labelled[row] and (labels or of_moa)
    ]
    of_fold = result.table.fold
    folds = np.zeros(len(result.table), int) if of_fold is None else of_fold
    scored = [*zip(folds.tolist(), result.table.row.tolist(), strict=True)]
    if getattr(protocol, "queries_by_scores", False):
        # Baselines have random labels, perhaps later ones.
        assert {*scored} <= {*expected}
    else:
        assert rows_by_model(scored) == rows_by_model(expected)
    # All learners and baselines are measured on these, the numbers included.
    measure = result.task.measure
    for learner in result.learners:
        assert result.measured_labels(learner) == len(scored)
        values = result.task.values(result.table.true, result.table.predicted[learner])
        assert len(values) == len(scored)
        assert result.measures(measure).loc[learner, measure] == pytest.approx(values.mean())


@settings(max_examples=20, deadline=None)
@given(PROTOCOL, tables(), st.permutations(NAMES))
def test_names_of_classes_change_no_accuracy(protocol, table, names):
    if protocol.scores_untrained:  # as MOA's, whose first predictions are of the first class
        reject()
    wanted = ["accuracy", "kappa", "kappa_temporal", "kappa_m"]
    actual = []
    for called in (NAMES, names):
        result = evaluated(read(table, protocol, called), ["naive_bayes", "knn"], protocol)
        actual.append(result.measures(*wanted))
    pd.testing.assert_frame_equal(*actual, check_exact=False, rtol=1e-12)
