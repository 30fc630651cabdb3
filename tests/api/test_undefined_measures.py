"""A measure that is undefined has its reason wherever it is read: in Python, JSON and texts."""

from __future__ import annotations

import numpy as np
import pytest

import streameval as se
from streameval.view.mixin import as_json, view_of

X = np.arange(60.0)[:, None] % 7
TWO = se.from_arrays(X, np.resize(["no", "yes"], 60))
THREE = se.from_arrays(X, np.resize(["a", "b", "c"], 60))
NUMBERS = se.from_arrays(X, np.arange(60.0) % 11, numeric_target=True)


class Constant:
    """A classifier that always predicts the class 0."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0

    def scores(self, x):
        return [1.0, 0.0, 0.0]


@pytest.fixture(scope="module")
def constant():
    return se.evaluate(TWO, {"constant": type("Two", (Constant,), {"scores": None})})


@pytest.fixture(scope="module")
def three():
    return se.evaluate(THREE, {"constant": Constant}, scores=True)


@pytest.mark.parametrize("call", [lambda r: r.measures("mcc"), lambda r: r.curve("mcc", 30, 2)])
def test_a_measure_that_is_requested_by_its_name_is_warned_of(constant, call):
    text = "^mcc of constant is undefined: all predictions are the same.$"
    with pytest.warns(se.UndefinedMeasureWarning, match=text) as seen:
        call(constant)
    assert [warning.filename for warning in seen] == [__file__]


@pytest.mark.parametrize("call", [lambda r: r.scores("auc"), lambda r: r.score_curve("auc", 20, 2)])
def test_the_area_of_three_classes_names_those_of_several(three, call):
    text = "^auc of constant is undefined: .* two classes only: auc_one_vs_one and auc_one_vs_rest"
    with pytest.warns(se.UndefinedMeasureWarning, match=text) as seen:
        call(three)
    assert [warning.filename for warning in seen] == [__file__]


def numbers_of(result):
    return as_json(view_of(result))


def test_where_measures_are_not_named_the_reason_stands_beside_them(constant, three):
    constant.measures()  # without a warning
    three.scores()
    assert three.score_reasons("auc").loc["constant", "auc"].startswith("it is defined for two cl")
    numbers = numbers_of(three)
    assert numbers["scores"]["constant"]["auc"] is None
    assert "auc_one_vs_one" in numbers["score_reasons"]["constant"]["auc"]
    single = se.evaluate(TWO.first(1), {"constant": Constant})
    undefined = numbers_of(single)["learners"]["constant"]
    missing = {name for name, value in undefined.items() if value is None and "kappa" in name}
    assert missing == {*undefined["reasons"]} != set()


def test_intervals_that_need_more_errors_say_how_many():
    few = se.evaluate(NUMBERS, "target_mean", intervals=0.99)
    why = (
        "there is no interval, as the first interval of coverage 0.99 needs 99 earlier errors, and "
    )
    with pytest.warns(se.UndefinedMeasureWarning, match=f"target_mean is undefined: {why}there a"):
        table = few.intervals()
    assert table["intervals"].tolist() == [0, 0]
    assert " ".join(" ".join(few.lines()).split()).count(why) == 1  # the same for both
    for learner in numbers_of(few)["learners"].values():
        assert learner["intervals"]["reason"].startswith(why)
    enough = se.evaluate(NUMBERS, "target_mean", intervals=0.9)
    assert enough.intervals()["intervals"].iloc[0] == 60 - 9
    assert "reason" not in numbers_of(enough)["learners"]["target_mean"]["intervals"]
