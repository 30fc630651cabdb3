"""The study of the accuracy that is due to the order of instances."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.accuracies import accuracy, values
from helpers.study_inputs import stream_input_of
from scipy import stats

from instance_order import order as order_study
from streameval.learners.baselines import MovingMajority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.streams.generators.markov import Markov
from streameval.streams.variants import shuffled, shuffled_blocks, temporal

N = 3_000


@pytest.fixture(scope="module")
def stream():
    return Markov(priors=[0.6, 0.4], persistence=0.85, attributes=3, seed=5, separation=1.0).stream(
        N
    )


def orders_of(stream, learners):
    item = {"learners": tuple(learners), "sizes": (10, 100), "seeds": (3, 4, 5)}
    return order_study.study(stream_input_of("order", stream, learners, **item))


def test_order_is_taken_away_by_variants(stream):
    learners = {"bagging": OnlineBagging(members=3), "naive_bayes": NaiveBayes()}
    frame = orders_of(stream, learners)["order"]
    assert len(frame) == 2 * 3 * 5
    for name, learner in learners.items():
        for where, played in (
            ({"variant": "original", "seed": 4}, stream),
            ({"variant": "blocks", "size": 10, "seed": 4}, shuffled_blocks(stream, 4, 10)),
            ({"variant": "temporal", "seed": 3}, temporal(stream, 3)),
            ({"variant": "shuffled", "seed": 5}, shuffled(stream, 5)),
        ):
            expected = accuracy(learner, played, where["seed"])
            assert values(frame, learner=name, **where).tolist() == [expected]
    # What a learner draws itself scatters in the stream's own order, too.
    original = frame[frame["variant"] == "original"].groupby("learner")["accuracy"].nunique()
    assert original["bagging"] > 1
    assert original["naive_bayes"] == 1


def test_shares_of_order_are_differences_with_intervals(stream):
    frames = orders_of(stream, {"window": MovingMajority(window=5)})
    frame = frames["order"]
    shares = frames["shares"].set_index(["part", "size"]).sort_index()
    gain = values(frame, variant="original") - values(frame, variant="shuffled")
    half = stats.t.ppf(0.975, 2) * gain.std(ddof=1) / np.sqrt(3)
    everything = shares.loc["all"].iloc[0]
    assert everything["mean"] == pytest.approx(gain.mean())
    assert everything["low"] == pytest.approx(gain.mean() - half)
    assert everything["high"] == pytest.approx(gain.mean() + half)
    for size in (10, 100):  # what spans more than a block, and what is found inside
        parts = shares.loc[("beyond", size), "mean"] + shares.loc[("within", size), "mean"]
        assert parts == pytest.approx(gain.mean())
    # A window of labels lives on order alone, which is what labels in order give it.
    assert shares.loc["labels"].iloc[0]["low"] > 0.1
    assert shares.loc[("beyond", 100), "mean"] < shares.loc[("beyond", 10), "mean"]
    assert shares["seeds"].eq(3).all()
