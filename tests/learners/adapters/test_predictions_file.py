"""Predictions from a file: read in the right order, or refused with a reason."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Attribute, Schema, Stream

NAMES = ("007", "true", "it's, so")


def stream(n=5, names=NAMES):
    schema = Schema((Attribute("a"),), classes=names)
    return Stream(np.zeros((n, 1)), np.arange(n) % len(names), schema, "mine")


def run(path, text=None, *, tape=None, names=NAMES, scores=False, **parameters):
    if text is not None:
        path.write_text(text, encoding="utf-8")
    played = stream(names=names)
    learner = PredictionsFile(str(path), **parameters)
    return learner.run(played, tape or prequential(5), scores=scores)


@pytest.fixture
def csv(tmp_path):
    return tmp_path / "answers.csv"


def test_labels_in_the_order_of_the_tape(csv):
    steps = []
    csv.write_text('label\n007\ntrue\n"it\'s, so"\n""\n007\n', encoding="utf-8")
    predictions = PredictionsFile(str(csv)).run(stream(), prequential(5), progress=steps.append)
    assert predictions.label.tolist() == [0, 1, 2, -1, 0]
    assert predictions.label.dtype == np.int16
    assert predictions.row.tolist() == [0, 1, 2, 3, 4]
    assert predictions.n_classes == 3
    assert math.isnan(predictions.seconds)
    assert predictions.model_bytes == 0
    assert predictions.scores is None
    assert steps == [5]


@given(st.lists(st.sampled_from(["", "007", "true"]), min_size=5, max_size=5), st.booleans())
def test_an_empty_line_of_one_column_is_no_prediction(tmp_path_factory, labels, ends):
    path = tmp_path_factory.mktemp("a") / "a.csv"
    text = "\n".join(["label", *labels]) + "\n" * (ends or not labels[-1])
    codes = {"": -1, "007": 0, "true": 1}
    assert run(path, text).label.tolist() == [codes[label] for label in labels]
    ten = Tape(np.repeat(np.arange(5), 2), np.tile([PREDICT, LEARN], 5), np.ones(10))
    assert run(path, tape=ten).label.tolist() == [codes[label] for label in labels]


def test_labels_by_row_in_any_order(csv):
    text = "row,label,comment\n4,007,x\n0,true,\n2,true,y\n1,007,\n3,,\n"
    assert run(csv, text).label.tolist() == [1, 0, 1, -1, 0]
    some = Tape(np.array([3, 1]), np.array([PREDICT, PREDICT]), np.ones(2))
    assert run(csv, "row,label\n1,true\n3,007\n", tape=some).label.tolist() == [0, 1]


def test_rows_that_are_predicted_more_than_once(csv):
    twice = Tape(np.array([1, 0, 1]), np.array([PREDICT, LEARN, PREDICT]), np.ones(3))
    predictions = run(csv, "row,label\n1,true\n1,007\n", tape=twice)
    assert predictions.label.tolist() == [1, 0]
    assert run(csv, "label\ntrue\n007\n", tape=twice).label.tolist() == [1, 0]
    assert run(csv, "row,label\n1,true\n0,007\n", tape=twice).label.tolist() == [1, 1]
    with pytest.raises(DataError, match=r"more than once the row 1\..*\b2 predictions"):
        run(csv, "row,label\n1,true\n0,007\n1,007\n", tape=twice)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2, 0, None, 1, 2]),
        pa.array([2.0, 0.0, None, 1.0, 2.0]),
        pa.array(["2", "0", None, "1", "2.0"]),
        pa.array(["2", "0", "-1", "1", "2"]).dictionary_encode(),
        pa.array([2, 0, -1, 1, 2], pa.int8()),
    ],
)
def test_class_codes_of_any_type(tmp_path, column):
    path = tmp_path / "answers.parquet"
    pq.write_table(pa.table({"label": column}), path)
    assert run(path, labels="codes").label.tolist() == [2, 0, -1, 1, 2]


def test_names_that_are_numbers_are_not_codes(csv, tmp_path):
    text = "label\n1\n2\n3\n\n1\n"
    assert run(csv, text.replace("\n\n", '\n""\n'), names=("1", "2", "3")).label.tolist() == [
        *(0, 1, 2, -1, 0)
    ]
    path = tmp_path / "answers.parquet"
    # A pandas column of whole numbers with a gap.
    pd.DataFrame({"label": [1, 2, 3, None, 1]}).to_parquet(path)
    for names in (("1", "2", "3"), ("1.0", "2.0", "3.0")):
        assert run(path, names=names).label.tolist() == [0, 1, 2, -1, 0]


def test_a_path_for_each_stream(tmp_path):
    learner = PredictionsFile(str(tmp_path / "{stream}.csv"))
    (tmp_path / "mine.csv").write_text("label\n" + "007\n" * 5)
    assert learner.run(stream(), prequential(5)).label.tolist() == [0] * 5
    assert learner.path("elec2") == tmp_path / "elec2.csv"


def test_scores(csv):
    text = (
        'row,label,score_true,score_007,"score_it\'s, so"\n'
        "1,007,1,3,0\n0,true,0.5,0.25,0.25\n2,,0,0,0\n3,007,0,0,0\n4,true,,,\n"
    )
    predictions = run(csv, text, scores=True)
    assert predictions.scores.dtype == np.float32
    expected = [[0.25, 0.5, 0.25], [0.75, 0.25, 0], [1 / 3] * 3, [1, 0, 0], [0, 1, 0]]
    np.testing.assert_array_equal(predictions.scores, np.array(expected, np.float32))
    coded = "label,score_0,score_1,score_2\n" + "1,0,1,0\n" * 5
    assert run(csv, coded, labels="codes", scores=True).scores.tolist() == [[0, 1, 0]] * 5


@settings(max_examples=40)
@given(case=strategies.cases(rows=(1, 20)), shuffled=st.randoms(use_true_random=False))
def test_what_was_predicted_is_read_again(tmp_path_factory, case, shuffled):
    played, tape = case
    rows, k = tape.predict_rows, played.n_classes
    rng = np.random.default_rng(shuffled.randrange(1000))
    label, scores = rng.integers(-1, k, len(rows)), rng.dirichlet(np.ones(k), len(rows))
    names = np.array([*played.schema.classes, None])
    table = pd.DataFrame({"row": rows, "label": names[label]})
    for c, name in enumerate(played.schema.classes):
        table[f"score_{name}"] = scores[:, c]
    if len(set(rows.tolist())) == len(rows):
        table = table.sample(frac=1, random_state=shuffled.randrange(1000))
    folder = tmp_path_factory.mktemp("answers")
    table.to_csv(folder / "a.csv", index=False)
    table.to_parquet(folder / "a.parquet")
    for file in ("a.csv", "a.parquet"):
        predictions = PredictionsFile(str(folder / file)).run(played, tape, scores=True)
        assert predictions.label.tolist() == label.tolist()
        np.testing.assert_allclose(predictions.scores, scores, rtol=1e-6)


GOOD = "row,label\n0,007\n1,true\n2,true\n3,007\n4,007\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "label\n007\n007\n",
            r"expected 5 lines, one for each row of stream 'mine', found 2\. .* column 'row'",
        ),
        ("row,a,b\n0,007,1\n", "expected a column 'label' of predictions, found row, a, b"),
        ("label,label\n007,007\n", "'label' .*2 times"),
        (
            GOOD.replace("2,true\n", ""),
            "each of the 5 predicted rows once; the file lacks the row 2",
        ),
        (GOOD + "4,true\n", "the file has more than once the row 4"),
        (GOOD + "5,true\n", "the file has, though the stream does not, the row 5"),
        (GOOD.replace("2,", "3,", 1), "lacks the row 2, and has more than once the row 3"),
        (
            "row,label\n" + "".join(f"{i},007\n" for i in range(9, 16)),
            r"lacks the rows 0, 1, 2, 3, 4, and has, .* the rows 9, 10, 11, 12, 13 and 2 more",
        ),
        ("row,label\n" + "".join(f"{i},007\n" for i in range(1, 6)), "Rows are counted from 0"),
        (GOOD.replace("2,", ",", 1), "whole number .*'row'"),
        (
            re.sub(",.*", ",maybe", GOOD).replace(",maybe", ",label", 1),
            r"prediction 1: the label 'maybe' is none of the class names 007, .*`labels: codes` if",
        ),
        ("", "expected predictions in CSV or Parquet format"),
    ],
)
def test_wrong_files_are_named(csv, text, message):
    with pytest.raises(DataError, match=message) as caught:
        run(csv, text)
    assert str(csv) in str(caught.value)


def test_wrong_codes_files_and_scores_are_named(csv, tmp_path):
    with pytest.raises(DataError, match=r"'3' .*codes 0, 1, 2\. "):
        run(csv, "label\n0\n1\n2\n3\n0\n", labels="codes")
    with pytest.raises(DataError, match=r"none\.csv: .*predictions, found none"):
        run(tmp_path / "none.csv")
    (tmp_path / "a.parquet").write_text(GOOD)
    with pytest.raises(DataError, match=r"a\.parquet: .*CSV or Parquet"):
        run(tmp_path / "a.parquet")
    with pytest.raises(ConfigError, match=r"no column score_true, score_it's, so\."):
        run(csv, "label,score_007\n" + "007,1\n" * 5, scores=True)
    words = "label,score_0,score_1,score_2\n" + "0,1,0,much\n" * 5
    with pytest.raises(DataError, match=r"numbers .*'score_2': .*much"):
        run(csv, words, labels="codes", scores=True)
    pq.write_table(pa.table({"label": [["007"]] * 5}), tmp_path / "lists.parquet")
    with pytest.raises(DataError, match=r"class names .*'label'"):
        run(tmp_path / "lists.parquet")
