"""Arguments of any type: whatever is given, only errors of the package come out."""

from __future__ import annotations

import inspect
import math
import warnings
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import ConfigError, StreamevalError

STREAM = se.generate("sea", rows=200)
NUMBERS = se.generate("planes", rows=200)
RESULT = se.evaluate(STREAM, "no_change")
LATE = se.evaluate(STREAM, "no_change", delay=5)
REGRESSION = se.evaluate(NUMBERS, "target_mean", delay=5)
COMPARISON = se.compare(STREAM, ["no_change", "majority"])

NAMES = ("accuracy", "no_change", "published", "kappa", "mean_absolute_error", "a", "", "5", "\x00")
#: Values of many types, and lists of them.
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**63, 2**64, -(2**64), 10**30]),
    st.sampled_from([math.nan, math.inf, -math.inf, 1.5, 0.0]),
    st.sampled_from(NAMES),
    st.sampled_from([b"x", object(), int, print, np.array(1), np.array(["a"]), STREAM, RESULT]),
    st.sampled_from([np.arange(3), np.zeros(0), np.zeros((2, 2, 2)), np.array(["a", None])]),
    st.sampled_from(
        [pd.NA, pd.NaT, pd.Series(["a"]), pd.DataFrame({"a": [1, 2]}), {"a"}, Path("a")]
    ),
    st.sampled_from([Decimal("NaN"), Decimal(5), 1 + 2j, slice(2), slice("a"), range(3), ...]),
    st.builds(iter, st.just(["accuracy"])),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.sampled_from(NAMES), SCALARS, max_size=2),
)
METHODS = [
    pytest.param(value, method, id=f"{type(value).__name__}-{number}.{name}")
    for number, value in enumerate([RESULT, LATE, REGRESSION, COMPARISON, STREAM])
    for name, method in inspect.getmembers(value, inspect.ismethod)
    if not name.startswith("_")
]
#: Functions that take a class or an object of any kind are called by what they read first.
FUNCTIONS = [
    pytest.param(function, id=name)
    for name in se.__all__
    if inspect.isfunction(function := getattr(se, name))
]


def _called(function, data):
    """Call a function with arguments of any type, for some of its parameters."""
    positional, named = [], {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += data.draw(st.lists(VALUES, max_size=2))
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(data.draw(VALUES))
        elif parameter.kind is not parameter.VAR_KEYWORD and (
            parameter.default is parameter.empty or data.draw(st.booleans())
        ):
            named[parameter.name] = data.draw(VALUES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*positional, **named)
        except StreamevalError as error:
            assert str(error)  # noqa: PT017, others pass
            return None


@pytest.mark.parametrize(("value", "method"), METHODS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_methods_take_anything(value, method, data):
    _called(method, data)


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_functions_take_anything(function, data):
    _called(function, data)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: LATE.bins("5"), "bins: expected a whole number of at least 0, found '5'"),
        (lambda: LATE.plot_bins(5), "Expected the name of a measure of bins, found int 5"),
        (lambda: RESULT.measures("kappa", "kappa"), "each measure once, found 'kappa' 2 times"),
        (lambda: se.evaluate(STREAM, "no_change", seed=2**64), "seed: expected a whole number"),
        (lambda: se.kappa([0, 1], [0, 1], labels=np.array(1)), "labels: expected a list, found"),
        (lambda: LATE.bins(moa="yes"), "at moa: expected true or false, found 'yes'"),
        (lambda: se.evaluate(STREAM, "no_change", delay=5, label_first=5), "at label_first: expec"),
        (lambda: STREAM.take(pd.NA), "rows: expected an array or a slice of row numbers below 200"),
        (lambda: se.from_pandas(STREAM.head(), "class", time=np.arange(5)), "at time: expected a "),
        (
            lambda: se.write_report(RESULT, None),
            "report: expected the path of a file, found NoneType None",
        ),
    ],
)
def test_mistakes_are_named(call, said):
    with pytest.raises(ConfigError) as error:
        call()
    assert said in str(error.value)


def test_a_list_stands_for_several_names():
    assert list(RESULT.measures(["accuracy", "kappa"])) == ["accuracy", "kappa"]
    assert RESULT.measures(["accuracy"]).equals(RESULT.measures("accuracy"))
    assert len(LATE.bins(np.int64(2))) == len(LATE.bins(2))


WHOLE, REAL = np.int64, np.float64
PAIR = ["naive_bayes", "majority"]


def predictions(**options):
    return se.evaluate(STREAM, "naive_bayes", **options).predictions.to_numpy().tolist()


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 3},
        {"pretrain": 10},
        {"delay": 5, "every": 3},
        {"protocol": {"name": "delayed", "delay": 4}},
    ],
)
def test_numbers_of_numpy_are_options_of_an_evaluation(options):
    numpy_options = {
        name: {**value, "delay": WHOLE(value["delay"])} if name == "protocol" else WHOLE(value)
        for name, value in options.items()
    }
    assert predictions(**numpy_options) == predictions(**options)


def test_numbers_and_arrays_of_numpy_are_arguments():
    seasonal = se.evaluate(NUMBERS, "amrules", seasonal=np.array([7, 8]), intervals=REAL(0.9))
    assert {"seasonal:7", "seasonal:8"} <= {*seasonal.learners}
    compared = se.compare(
        STREAM, PAIR, runs=WHOLE(2), cores=WHOLE(1), seed=WHOLE(2), delay=WHOLE(4), bins=WHOLE(2)
    )
    usual = se.compare(STREAM, PAIR, runs=2, seed=2, delay=4, bins=2)
    assert compared.lines() == usual.lines()
    spent = se.budget(
        STREAM, "naive_bayes", np.array([0.1, 0.5]), strategies=np.array(["every"]), runs=WHOLE(1)
    )
    assert spent.table().to_dict() == (
        se.budget(STREAM, "naive_bayes", [0.1, 0.5], strategies="every", runs=1).table().to_dict()
    )
    names = [se.learner("hoeffding_tree", grace_period=n).name for n in (WHOLE(50), 50)]
    assert names[0] == names[1]
    assert se.tune(STREAM, "knn", {"k": np.array([3, 5])}, WHOLE(100)).best is not None


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: se.budget(STREAM, "knn", [0.5], strategies=0.5), "strategies: .*found float 0.5"),
        (lambda: se.detect(STREAM, "knn", np.array(3)), r"detectors: .*found ndarray array\(3\)"),
        (lambda: se.tune(STREAM, "knn", {"k": np.array(3)}, 150), r"grid, k: .*array\(3\)"),
        (lambda: se.from_arrays(memoryview(b"ab"), [0, 1]), "X of shape.*memoryview"),
        (
            lambda: se.from_arrays(pd.DataFrame({"a": ["\ud800", "b"]}, dtype=object), [0, 1]),
            "surr",
        ),
        (
            lambda: se.from_pandas(pd.DataFrame({"a": ["\ud800"], "y": 1}, dtype=object), "y"),
            "surr",
        ),
        (lambda: se.compare(STREAM, PAIR, runs=10**6), "runs: .*at most 10,000, found 1000000"),
        (lambda: se.budget(STREAM, "knn", [0.5], runs=10**6), "runs: .*at most 10,000"),
        (lambda: se.detect(STREAM, "knn", runs=10**6), "runs: .*at most 10,000"),
        (lambda: se.evaluate(NUMBERS, "amrules", seasonal=2 * 10**9), "less than the 200 inst"),
        (lambda: se.evaluate(NUMBERS, "amrules", seasonal=10**30), "less than the 200 inst"),
    ],
)
def test_numbers_without_bounds_and_wrong_types_are_refused(call, said):
    with pytest.raises(StreamevalError, match=said):
        call()
