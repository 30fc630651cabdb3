"""How often learners take each rank: by hand, against a slow twin, and as drawn and laid out."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from helpers.shown_tables import cells_of
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from streameval.base.errors import DataError
from streameval.base.settings import ROOT
from streameval.drawing.subject import Subject
from streameval.evaluation.run import run_learners
from streameval.items import kinds
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.performance.draw_ranks import draw_ranking_stability as draw
from streameval.items.performance.ranking_stability import ranking, study
from streameval.items.performance.tables import layout_ranking_stability as layout
from streameval.learners.registry import load_learners
from streameval.protocols.registry import parse
from streameval.streams.generators import generate

KIND = kinds()["ranking_stability"]
LEARNERS = ("no_change", "majority", "naive_bayes")
SIMULATED = [False, True, False]


def rng():
    return np.random.default_rng(1)


def shares_by_hand(means):
    """The share of each learner in each rank, over all orders in which ties may be broken."""
    k = len(means)
    orders = [
        order
        for order in permutations(range(k))
        if all(means[a] <= means[b] for a, b in pairwise(order))
    ]
    shares = np.zeros((k, k))
    for order in orders:
        for place, learner in enumerate(order):
            shares[learner, place] += Fraction(1, len(orders))
    return shares


def ranks_by_hand(values):
    """Mean ranks of values, the greatest first."""
    return [sum(o > v for o in values) + (sum(o == v for o in values) + 1) / 2 for v in values]


few = st.integers(0, 3).map(float) | st.just(np.nan)


@given(arrays(np.float64, (3, 4, 3), elements=few))
def test_shares_are_those_of_a_slow_twin(resampled):
    values = np.array([[3.0, 2.0, 1.0]] * 3)
    if np.isnan(resampled).any(axis=(0, 2)).all():
        return
    found = ranking(LEARNERS, values, resampled, SIMULATED, rng())
    taken, total, counted = rng().integers(3, size=(3, 4)), np.zeros((3, 3)), 0
    for draw_number in range(4):
        rows = [resampled[taken[i, draw_number], draw_number] for i in range(3)]
        ranks = [ranks_by_hand(row) for row in rows if not np.isnan(row).any()]
        if ranks:
            total += shares_by_hand([sum(own) for own in zip(*ranks, strict=True)])
            counted += 1
    assert found["ranking"]["draws"].unique().tolist() == [counted]
    table = found["shares"].pivot_table("share", "learner", "rank").loc[[*LEARNERS]]
    np.testing.assert_allclose(table.to_numpy(), total / counted)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table.sum(axis=0), 1)


def test_what_never_changes_is_always_at_its_rank():
    values = np.array([[0.9, 0.5, 0.7]] * 3)
    found = ranking(LEARNERS, values, np.repeat(values[:, None], 50, axis=1), SIMULATED, rng())
    for name, columns in KIND.frames.items():
        assert tuple(found[name].columns) == columns
    table = found["ranking"].set_index("learner")
    assert table.index.tolist() == ["no_change", "naive_bayes", "majority"]
    for name in ("mean_rank", "low", "median", "high"):
        assert table[name].tolist() == [1, 2, 3]
    assert table["first"].tolist() == [1, 0, 0]
    assert table["simulated"].tolist() == [1, 1, 1]


def test_a_stream_without_a_value_is_left_out_for_all():
    values = np.array([[0.9, 0.5, 0.7]] * 3 + [[0.1, np.nan, 0.9]])
    resampled = np.repeat(values[:, None], 20, axis=1)
    found = ranking(LEARNERS, values, resampled, [False] * 4, rng())["ranking"]
    assert (found["streams"] == 3).all()
    assert (found["left_out"] == 1).all()
    assert found["mean_rank"].tolist() == [1, 2, 3]
    with pytest.raises(DataError, match="at least 3 streams"):
        ranking(LEARNERS, values[1:], resampled[1:], [False] * 3, rng())


@pytest.fixture(scope="module")
def frames():
    """Those of three streams, of which the last has too many blocks for its instances."""
    rows = load_learners(ROOT / "config" / "learners.yaml")
    learners = {name: rows[name].make() for name in LEARNERS}
    plain = {"streams": ["a", "b", "c"], "learners": list(LEARNERS), "draws": 100}
    settings = KIND.settings_from(plain)

    class Predicted(StreamInput):
        def predictions(self, variant="original"):
            seed, n = {"a": (1, 2000), "b": (2, 1000), "c": (3, 30)}[self.name]
            return run_learners(generate("sea", n, seed=seed), parse("prequential"), learners)[0]

    given_all = {name: Predicted(settings=settings, name=name) for name in settings.streams}
    return study(given_all, ItemInput(settings=settings)), settings


def test_blocks_of_streams_are_drawn(frames):
    found, _ = frames
    table = found["ranking"]
    assert table["learner"].iloc[0] == "naive_bayes"
    assert (table["draws"] == 100).all()
    assert table["low"].le(table["median"]).all()
    assert table["median"].le(table["high"]).all()
    assert 0 < table["first"].iloc[0] <= 1


def test_the_picture_and_the_table_say_the_same(frames):
    found, settings = frames
    titles = {name: name.title() for name in LEARNERS}
    drawn = draw(found, Subject(settings=settings, titles=titles, picture="shares"))
    axes = drawn.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        titles[name] for name in found["ranking"]["learner"]
    ]
    shown = layout(found["ranking"], Subject(settings=settings, titles=titles))
    first = cells_of(shown)["First (%)"].astype(float).to_numpy()
    np.testing.assert_allclose(first, 100 * found["ranking"]["first"], atol=0.06)
    assert "100 draws" in shown.notes[0]
