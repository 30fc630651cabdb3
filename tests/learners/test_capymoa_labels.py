"""A part of the labels as in CapyMOA's `prequential_ssl_evaluation`, with the same ones."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.java import java_hash

from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.prequential import delayed
from streameval.protocols.tape import learn_labelled
from streameval.streams.generators.sea import Sea

# CapyMOA 0.15.1 over the first 4,000 instances of SEA, a NumpyStream, by its loop in Python:
# label_probability, delay_length and random_seed, then how many instances it says were unlabelled
# without a delay, how many it does not predict at first, as all votes are zero, and the hash of its
# predictions, see `java_hash`.
CAPYMOA = {
    ("NaiveBayes", 0.05, 0, 1): (3792, 28, -3596369647144832342),
    ("NaiveBayes", 0.05, 1, 1): (None, 28, -3596369647144832342),
    ("NaiveBayes", 0.05, 30, 7): (None, 85, -1689481293242680501),
    ("NaiveBayes", 0.01, 0, 3): (3974, 316, 3320951747335260744),
    ("HoeffdingTree", 0.05, 0, 1): (3792, 28, -3596369647144832342),
    ("HoeffdingTree", 0.05, 30, 7): (None, 85, 7679640743278509358),
    ("HoeffdingTree", 0.01, 0, 3): (3974, 316, 3320951747335260744),
}
LEARNERS = {
    "NaiveBayes": NaiveBayes(),
    "HoeffdingTree": HoeffdingTree(split_confidence=0.001, pre_prune=False),  # its defaults
}


def mask_of_capymoa(n, probability, seed):
    """Which labels it gives: one number for each instance, from numpy's MT19937, seeded as ever."""
    bits = np.random.MT19937()
    bits._legacy_seeding(seed)
    return np.random.Generator(bits).random(n) < probability


@pytest.mark.parametrize(("name", "probability", "delay", "seed"), CAPYMOA)
def test_with_the_same_labels_predictions_are_the_same(name, probability, delay, seed):
    stream = Sea().stream(4000)
    labelled = mask_of_capymoa(len(stream), probability, seed)
    # A label with the delay d is there before the d-th instance after its own is predicted: d - 1
    # instances come between the two, and a delay of 1 is none.
    tape = learn_labelled(delayed(len(stream), max(delay - 1, 0)), labelled)
    label = LEARNERS[name].run(stream, tape).label.copy()
    unlabelled, silent, expected = CAPYMOA[name, probability, delay, seed]
    assert (label[:silent] == 0).all()  # ours, as MOA, predict the first class there
    label[:silent] = NO_PREDICTION
    assert java_hash(label) == expected
    assert unlabelled in (None, int((~labelled).sum()))
