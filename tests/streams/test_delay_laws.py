"""Laws of label delays: draws have the probabilities that they say."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.base.errors import ConfigError
from streameval.streams.delay_laws import DISTRIBUTIONS, DelayLaw
from streameval.streams.stream import NEVER

N = 40_000
TIME, Y = np.arange(N), np.arange(N) % 2


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_draws_arrive_as_often_as_said(distribution):
    law = DelayLaw((20.0, 5.0), distribution, (0.3, 0.0))
    due = law.label_times(TIME, Y, 2)
    for code, mean, never in ((0, 20, 0.3), (1, 5, 0.0)):
        times_of_class = due[code == Y]
        assert (times_of_class == NEVER).mean() == pytest.approx(never, abs=0.02)
        waits = (times_of_class - TIME[code == Y])[times_of_class != NEVER]
        assert waits.min() >= 0
        assert waits.mean() == pytest.approx(mean, abs=0.5)
        for age in (0, 4, 5, 12, 19, 20, 40, 41, 500):
            said = law.arrives_within(np.array([age]), np.array([code]), 2)[0]
            seen = (waits <= age).sum() / len(times_of_class)
            assert seen == pytest.approx(said, abs=0.02)


def test_draws_depend_on_seed_and_key_alone():
    law = DelayLaw((9.0,), "geometric")
    first = law.label_times(TIME, Y, 2, "a").tolist()
    assert first == law.label_times(TIME, Y, 2, "a").tolist()
    assert first != law.label_times(TIME, Y, 2, "b").tolist()
    assert first != DelayLaw((9.0,), "geometric", seed=2).label_times(TIME, Y, 2, "a").tolist()


def test_a_fixed_delay_is_that_of_all():
    assert (DelayLaw((7.9,)).label_times(TIME, Y, 2) - TIME == 7).all()


@pytest.mark.parametrize(
    "law",
    [
        {"latency": (-1.0,)},
        {"latency": (1.0,), "never": (1.2,)},
        {"latency": (), "distribution": "normal"},
    ],
)
def test_what_cannot_be_is_an_error(law):
    with pytest.raises(ConfigError, match="latencies from 0 to 2,147,483,647"):
        DelayLaw(**law)


def test_there_is_a_number_for_all_or_for_each_class():
    with pytest.raises(ConfigError, match=r"1 value of never, or 2,.* found 3"):
        DelayLaw((1.0,), never=(0.1, 0.2, 0.3)).label_times(TIME, Y, 2)
