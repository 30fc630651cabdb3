"""Before the first label nobody knows anything, and how classes are called decides nothing."""

import numpy as np
import pandas as pd
import pytest
from helpers.foreign_models import Answering
from hypothesis import given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import DataError

LEARNERS = ["naive_bayes", "hoeffding_tree", "knn", "online_bagging", se.augmented("naive_bayes")]
NAMES = ["ash", "birch", "cedar", "dogwood"]


def tables(seed, n, classes):
    """A table with inputs, class numbers, and times of labels that follow by law."""
    draws = np.random.default_rng(seed)
    y = (np.cumsum(draws.random(n) < 0.3) + (draws.random(n) < 0.1)) % classes
    due = np.arange(n) + draws.geometric(0.1, n)
    return pd.DataFrame(
        {
            "x": y + draws.normal(size=n),
            "wild": draws.standard_cauchy(n) ** 3,  # densities underflow: no votes for any class
            "kind": draws.choice(["u", "v"], n),
            "when": np.arange(n),
            "known": due,
            "y": y,
        }
    )


def numbers_of(result):
    measures = result.measures().loc[:, ["accuracy", "kappa", "kappa_temporal", "kappa_m"]]
    bins = [result.bins(3).drop(columns=["learner"])] if result.delays else []
    return [measures, result.differences("majority"), *bins]


@settings(max_examples=10, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(40, 80),
    st.permutations(NAMES),
    st.sampled_from(["times", 1, 7, "delayed:7", "partial:0.3:every:3", "at once"]),
)
def test_other_names_of_classes_change_no_number(seed, n, names, way):
    table = tables(seed, n, 3)
    of_names = []
    for called in (NAMES, names):
        renamed = table.assign(y=[called[code] for code in table["y"]])
        times = {"time": "when", "label_time": "known"} if way == "times" else {}
        stream = se.from_pandas(
            renamed, "y", drop=[] if times else ["when", "known"], nominal=["kind"], **times
        )
        how = {"delay": way} if isinstance(way, int) else {}
        # Where the first label can be known at once, its own instance counts, as MOA has it.
        how |= {"pretrain": 1} if way == "at once" or "partial" in str(way) else {}
        protocol = way if isinstance(way, str) and ":" in way else None
        of_names.append(numbers_of(se.evaluate(stream, LEARNERS, protocol, progress=False, **how)))
    for first, second in zip(*of_names, strict=True):
        pd.testing.assert_frame_equal(first, second, check_exact=False, rtol=1e-12)  # sums by class


def bookings(fraud="fraud", fine="fine"):
    """Bookings whose labels come a week later, one in 40 of them fraud."""
    draws = np.random.default_rng(3)
    y = np.where(draws.random(2000) < 0.025, fraud, fine)
    return se.from_pandas(pd.DataFrame({"amount": draws.normal(size=2000), "y": y}), "y")


@pytest.mark.parametrize(("fraud", "fine"), [("fraud", "fine"), ("yes", "no")])
def test_a_rule_that_never_flags_is_as_good_as_majority(fraud, fine):
    stream = bookings(fraud, fine)
    rule = Answering(stream.schema.classes.index(fine))
    result = se.evaluate(stream, {"never": rule}, delay=300, progress=False)
    assert result.before_first_label == 301
    assert result.measures("kappa_m").loc["never", "kappa_m"] == 0
    (verdict,) = se.compare(stream, {"never": rule, "majority": "majority"}, delay=300).pairs
    assert verdict.difference == 0
    assert not result.predictions["row"].isin(range(301)).any()
    first = result.predictions.drop_duplicates("row")
    assert len(first) == 1699
    assert (first["majority"] == fine).all()


def test_the_first_instance_counts_where_its_label_comes_before_the_second():
    result = se.evaluate(bookings(), "naive_bayes", progress=False)
    again = se.evaluate(bookings(), "naive_bayes", "delayed:0", progress=False)
    assert result.before_first_label == again.before_first_label == 0
    assert len(result.predictions) == len(again.predictions) == 2000


@pytest.mark.parametrize("protocol", [None, "delayed:400", "partial:0.5:random:400"])
def test_a_stream_that_ends_before_its_first_label_has_nothing_to_score(protocol):
    stream = se.generate("sea", rows=300)
    delay = 400 if protocol is None else None
    with pytest.raises(DataError, match="nothing to score"):
        se.evaluate(stream, "naive_bayes", protocol, delay=delay, progress=False)
