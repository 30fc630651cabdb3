"""Learners that are reset at the alarms of a drift detector."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import detectors as naive_detectors
from naive import learners as naive_learners
from naive import wrappers as naive

from streameval.base.errors import ConfigError
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers import resetting as module
from streameval.learners.wrappers.registry import wrap_learner
from streameval.learners.wrappers.resetting import Resetting
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import delayed, prequential
from streameval.streams.drifts import equidistant_drifts, with_drifts
from streameval.streams.generators.random_tree import RandomTree


@pytest.fixture(scope="module")
def drifting():
    stream = RandomTree(seed=3).stream(3000)
    return with_drifts(stream, "relabelled", equidistant_drifts(3000, 3))


def alike(first, other):
    assert (first.row == other.row).all()
    assert (first.label == other.label).all()


@settings(deadline=None, max_examples=60)
@given(strategies.cases(), st.booleans())
def test_it_agrees_with_its_twin(given_both, warnings):
    stream, tape = given_both
    predictions = Resetting(NaiveBayes(), "ddm-3", warnings).run(stream, tape)
    kinds = stream.schema.n_values.tolist()
    answers, changes = naive.resetting(
        stream,
        tape,
        lambda: naive_learners.NaiveBayes(kinds),
        naive_detectors.Ddm(min_instances=3),
        warnings,
    )
    assert predictions.label.tolist() == answers
    assert predictions.alarms.changes.tolist() == changes


@pytest.mark.parametrize("delay", [0, 20])
def test_with_warnings_naive_bayes_is_ddm(drifting, delay):
    tape = delayed(len(drifting), delay) if delay else prequential(len(drifting))
    ours, theirs = (
        learner.run(drifting, tape)
        for learner in (Resetting(NaiveBayes(), "ddm", True), DDMNaiveBayes())
    )
    alike(ours, theirs)
    assert ours.size["changes"] == theirs.size["changes"] >= 2


def test_resets_at_random_are_those_of_ddm_random(drifting):
    tape = prequential(len(drifting))
    ours = Resetting(NaiveBayes(), "chance:0.01:30").run(drifting, tape, seed=7)
    theirs = DDMRandom(0.01, 30).run(drifting, tape, seed=7)
    alike(ours, theirs)
    assert len(ours.alarms.changes) == theirs.size["changes"] > 5


@pytest.mark.parametrize("learner", [NaiveBayes(), HoeffdingTree(), OnlineBagging(members=3)])
def test_without_alarms_it_is_the_learner_itself(drifting, learner):
    tape = delayed(len(drifting), 5)
    alike(Resetting(learner, "never").run(drifting, tape, 4), learner.run(drifting, tape, 4))


def test_the_length_of_segments_does_not_matter(drifting, monkeypatch):
    tape = prequential(len(drifting))
    usual = Resetting(HoeffdingTree(), "adwin").run(drifting, tape)
    monkeypatch.setattr(module, "_SHORTEST_SEGMENT", 1)
    monkeypatch.setattr(module, "_LONGEST_SEGMENT", 7)
    alike(Resetting(HoeffdingTree(), "adwin").run(drifting, tape), usual)


@dataclass
class Latest:
    """Predict the class that was learnt last."""

    label: int = 0

    def learn(self, x, y, w):
        self.label = y

    def predict(self, x):
        return self.label


def test_classes_of_ones_own_are_reset_too(drifting):
    tape = prequential(len(drifting))
    predictions = Resetting(CustomLearner(Latest), "every:100").run(drifting, tape)
    assert predictions.alarms.changes.tolist() == list(range(99, 3000, 100))
    wrong = predictions.label[100::100] == drifting.y[99:2999:100]
    assert wrong.all()  # it has learnt the instance of the alarm


def test_each_new_model_has_a_seed_of_its_own(drifting):
    tape = prequential(200)
    seeds = []

    class Seeded(Latest):
        def __init__(self, seed):
            super().__init__()
            seeds.append(seed)

    Resetting(CustomLearner(Seeded), "every:50").run(drifting, tape, seed=9)
    assert seeds[0] == 9
    assert len(seeds) == len(set(seeds)) == 4


def test_progress_counts_each_event_once(drifting):
    tape, reported = prequential(len(drifting)), []
    Resetting(NaiveBayes(), "every:70").run(drifting, tape, progress=reported.append)
    assert sum(reported) == len(tape)


def test_learners_that_look_ahead_are_refused():
    with pytest.raises(ConfigError, match="in segments, found temporally_augmented"):
        Resetting(TemporallyAugmented(NaiveBayes()), "adwin")
    augmented = TemporallyAugmented(Resetting(NaiveBayes(), "adwin"))
    assert isinstance(augmented, TemporallyAugmented)


def test_unknown_detectors_and_scores_are_refused(drifting):
    with pytest.raises(ConfigError, match="adwin"):
        Resetting(NaiveBayes(), "adwim")
    with pytest.raises(ConfigError, match="no class scores"):
        Resetting(NaiveBayes()).run(drifting, prequential(10), scores=True)


def test_it_is_written_like_the_other_wrappers():
    assert wrap_learner(NaiveBayes(), "resetting:every-500") == Resetting(NaiveBayes(), "every-500")
    assert wrap_learner(NaiveBayes(), "resetting:ddm:1") == Resetting(NaiveBayes(), "ddm", True)
