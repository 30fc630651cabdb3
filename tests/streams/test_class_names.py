"""Classes are recognised however a file or a program spells them."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streameval as se
from streameval.streams.class_names import ClassNames
from streameval.streams.readers.table import StreamWarning

TRUTHS = [("false", "true"), ("False", "True"), ("FALSE", "TRUE"), ("0", "1"), ("0.0", "1.0")]
FRAME = pd.DataFrame({"x": np.arange(60) % 7, "y": np.arange(60) % 3 == 0})


@given(st.sampled_from(TRUTHS), st.sampled_from(TRUTHS), st.booleans())
def test_truth_values_are_the_same_in_any_spelling(classes, spelt, is_reversed):
    step = -1 if is_reversed else 1
    names = ClassNames(classes[::step])
    assert [names.code(name) for name in spelt[::step]] == [0, 1]
    assert names.code("2") is names.code("yes") is None


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=8, unique=True))
def test_each_class_is_itself_however_others_are_spelt(classes):
    names = ClassNames(classes)
    assert [names.code(name) for name in classes] == [*range(len(classes))]
    assert names.indices(classes) == {code: code for code in range(len(classes))}


def test_other_spellings_of_one_class_alone():
    names = ClassNames(["7", "007", "1.50", "Up", "down", "DOWN", "caf\u00e9"])
    spelt = {
        "1.5": 2,
        "+1.50": 2,
        " up\u200b": 3,
        "UP": 3,
        "cafe\u0301": 6,
        "DOWN": 5,
        "true": None,
    }
    # Of two classes that are alike, neither is meant by a third spelling.
    spelt |= {"7.0": None, "Down": None}
    assert {name: names.code(name) for name in spelt} == spelt


@pytest.mark.parametrize(("stream_has", "file_has"), [*itertools.pairwise(TRUTHS)])
def test_truth_values_of_stream_and_predictions_match(tmp_path, stream_has, file_has):
    truth = FRAME.y.to_numpy().astype(int)
    frame = FRAME.assign(y=np.array(stream_has)[truth], by=np.array(file_has)[truth])
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.by.to_csv(tmp_path / "p.csv", index=False)
    stream = se.read(tmp_path / "s.csv", "y", drop=["by"])
    for learner in (str(tmp_path / "p.csv"), {"by": frame.by}):
        assert se.evaluate(stream, learner).measures("accuracy").iloc[0, 0] == 1
    with pytest.warns(StreamWarning, match="computed from inputs"):
        stream = se.read(tmp_path / "s.csv", "y")
    assert se.evaluate(stream, "column:by").measures("accuracy").iloc[0, 0] == 1


def test_scores_of_truth_values_match(tmp_path):
    truth = FRAME.y.to_numpy()
    scores = pd.DataFrame({"label": truth, "score_True": truth * 0.5 + 0.25})
    scores["score_False"] = 1 - scores["score_True"]
    scores.to_csv(tmp_path / "p.csv", index=False)
    result = se.evaluate(se.from_pandas(FRAME, "y"), str(tmp_path / "p.csv"), scores=True)
    assert result.scores("brier").iloc[0, 0] == pytest.approx(2 * 0.25**2)


class Unsure:
    """A model that predicts a class which no row has, once in a while."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return "unsure" if x[0] == 0 else "TRUE"


def test_a_class_that_is_never_true_counts_as_wrong(tmp_path):
    stream = se.from_pandas(FRAME, "y")
    given_labels = pd.Series(np.where(FRAME.x == 0, "unsure", "True"), name="label")
    given_labels.to_csv(tmp_path / "p.csv", index=False)
    right = ((FRAME.x != 0) & FRAME.y).mean()
    kappa = se.kappa(FRAME.y.map(str), given_labels)  # as scikit-learn's
    for learner in (given_labels, str(tmp_path / "p.csv"), Unsure):
        with pytest.warns(StreamWarning, match=r"predicted unsure, .*no class .*\(false, true\)"):
            result = se.evaluate(stream, learner)
        measures = result.measures("accuracy", "kappa").iloc[0]
        np.testing.assert_allclose(measures, [right, kappa])


@pytest.mark.parametrize(
    ("classes", "codes"),
    [
        (["1", "2", "3"], {1: 0, 2: 1, 3: 2}),
        (["-1", "+1.0"], {-1: 0, 1: 1}),
        (["1", "0"], {1: 0, 0: 1}),
        (["TRUE", "False"], {1: 0, 0: 1}),
        (["0", "1.0", " 2"], {}),  # the codes themselves
        (["false", "true"], {}),
        (["1", "2.5"], {}),
        (["1", "1.0", "2"], {}),
        (["1", "2", "x"], {}),
        (["1", "1e999"], {}),
        ([], {}),
    ],
)
def test_codes_of_classes_by_the_whole_numbers_that_are_their_names(classes, codes):
    assert ClassNames(classes).by_number() == codes
