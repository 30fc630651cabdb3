"""A stream in pieces is evaluated as in one go: predictions, measures, costs and intervals."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from helpers.foreign_models import Last
from hypothesis import example, given, settings
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.differences import difference
from streameval.evaluation.in_pieces import run_in_pieces
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.run import run_learners
from streameval.evaluation.tallies import tally_of
from streameval.learners.adapters.one_by_one import PlainLearner
from streameval.learners.baselines import MovingMajority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.registry import PROTOCOLS, parse
from streameval.streams.generators import generate
from streameval.streams.pieces import pieces_of, resized

#: Longer than the series of which all values are kept.
LONG = 6000


LEARNERS = {
    "tree": HoeffdingTree(grace_period=20),
    "bagging": OnlineBagging(members=2),
    "moving": MovingMajority(window=30),
    "last": PlainLearner(Last),
}
PARAMETERS = {"priors": [5, 2, 1], "persistence": 0.6, "attributes": 3, "nominal": 1}


@pytest.fixture(scope="module")
def stream():
    whole = generate("markov", LONG, **PARAMETERS)
    whole.X[::7, 0] = whole.X[5::11, 2] = np.nan  # the last one is nominal
    late = whole.y == 2
    late[LONG // 2 :] = False
    whole.y[late] = 1  # the third class comes late
    return whole


@pytest.mark.parametrize("protocol", ["prequential", "prequential:300", "delayed:0", "delayed:25"])
@given(rows=st.integers(1, LONG), size=st.integers(50, LONG))
@example(rows=7, size=1)
@example(rows=250, size=1)
@example(rows=LONG, size=999)
@settings(max_examples=8)
def test_results_in_pieces_are_those_in_one_go(stream, protocol, rows, size):
    rows = max(rows, LONG) if size < 999 and rows > 250 else rows
    kept, reports = [], []
    counted = run_in_pieces(
        pieces_of(stream).first(rows),
        parse(protocol),
        LEARNERS,
        3,
        size,
        progress=reports.append,
        keep=kept.append,
    )
    table, costs = run_learners(stream.first(rows), parse(protocol), LEARNERS, 3)
    assert counted.predictions == len(table)
    assert sum(reports) == rows * len(table.predicted)
    for name in ("true", "row"):
        found = np.concatenate([getattr(one, name) for one in kept])
        assert found.tolist() == getattr(table, name).tolist()
    for name, expected in table.predicted.items():
        found = np.concatenate([one.predicted[name] for one in kept])
        assert found.tolist() == expected.tolist()
        assert str(counted.tallies[name]) == str(tally_of(table, name))
        for other, found in counted.over[name].items():
            assert found[:4] == pytest.approx(
                difference(table, name, other)[:4], rel=1e-12, abs=1e-12, nan_ok=True
            )
            assert found[4:] == difference(table, name, other)[4:]
        assert counted.over[name].keys() == {*COMPARATORS} - {name}
    plain = [(cost.learner, cost.instances, cost.model_bytes) for cost in costs]
    assert [(cost.learner, cost.instances, cost.model_bytes) for cost in counted.costs] == plain


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_either_comes_in_pieces_or_says_why_not(stream, name):
    needed = {"delayed": {"delay": 2}, "partial": {"budget": 0.5}}
    protocol = parse({"name": name, **needed.get(name, {})})
    if name in ("prequential", "delayed"):
        run_in_pieces(pieces_of(stream).first(50), protocol, {"nb": NaiveBayes()})
        return
    why = "divides all instances" if protocol.has_folds else "in the order of their times"
    why = "chooses among all labels" if name == "partial" else why
    with pytest.raises(ConfigError, match=f"found {protocol}, .*{why}.*--rows"):
        run_in_pieces(pieces_of(stream), protocol, {"nb": NaiveBayes()})


def test_learners_and_targets_that_need_the_whole_stream_are_refused(stream):
    augmented = {"augmented": TemporallyAugmented(NaiveBayes())}
    with pytest.raises(ConfigError, match=r"temporally_augmented, .* the whole stream"):
        run_in_pieces(pieces_of(stream), parse("prequential"), augmented)
    with pytest.raises(ConfigError, match="found the numeric target 'y' of 'planes'"):
        run_in_pieces(pieces_of(generate("planes", 9)), parse("prequential"), LEARNERS)


class Failing(Last):
    """Fail at the instance with one number."""

    def predict(self, x):
        return 1 // int(x[0] != 250)


@pytest.mark.parametrize(("size", "row"), [(1000, "row 250"), (200, "row 50: .* instance 200 on")])
def test_an_error_says_where_in_the_stream_it_is(size, row):
    numbered = generate("sea", 300)
    numbered.X[:, 0] = range(300)
    with pytest.raises(DataError, match=f"Failing failed at {row}"):
        run_in_pieces(
            pieces_of(numbered), parse("prequential"), {"f": PlainLearner(Failing)}, size=size
        )


@given(st.lists(st.integers(0, 9), max_size=9), st.integers(1, 12))
def test_blocks_of_any_sizes_are_cut_into_blocks_of_one_size(lengths, size):
    ends = np.cumsum([0, *lengths])
    y = np.arange(ends[-1])
    X = np.stack([y, -y], axis=1)
    found = [*resized(((X[a:b], y[a:b]) for a, b in pairwise(ends)), size)]
    assert [len(labels) for _, labels in found[:-1]] == [size] * (len(found) - 1)
    assert np.concatenate([np.empty(0), *(labels for _, labels in found)]).tolist() == y.tolist()
    for inputs, labels in found:
        assert inputs.tolist() == [[label, -label] for label in labels.tolist()]
