"""AMRules: tests beyond equality with the twin and with MOA."""

from __future__ import annotations

import numpy as np
from helpers import numbers
from naive import regression as naive

from streameval.learners.regression.amrules import AMRules
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT_THEN_LEARN, Tape
from streameval.streams.stream import Stream


def test_rules_see_drift_sooner_than_moas():
    # The concept changes at 10,000; in MOA the sum is far below zero by then.
    stream, tape = numbers.friedman(20_000), prequential(10_040)
    assert AMRules().run(stream, tape).size["changes"] > 0
    assert AMRules(form="moa").run(stream, tape).size["changes"] == 0


def test_rules_expand_with_any_weights():
    stream = numbers.friedman(4000, drifts=False)
    tape = Tape(np.arange(4000), np.full(4000, PREDICT_THEN_LEARN), np.full(4000, 0.7))
    assert AMRules().run(stream, tape).size["rules"] > 1
    assert AMRules(form="moa").run(stream, tape).size["rules"] == 1  # never a multiple of 200


def test_an_excluded_value_stays_excluded():
    # The first literal is "is not v0", which has the most spread, the second "is not v1".
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 4, 30_000).astype(float)
    spread = np.array([40.0, 15.0, 1.0, 1.0])[codes.astype(int)]
    y = 100 * (codes < 1) + 30 * (codes == 1) + spread * rng.standard_normal(30_000)
    stream, tape = Stream(codes[:, None], y, numbers.schema([4])), prequential(30_000)
    for form in ("corrected", "moa"):
        learner = AMRules(form=form)
        twin = naive.twin(learner, stream)
        predictions = learner.run(stream, tape)
        assert predictions.value.tolist() == naive.run(twin, stream, tape)
        most = max(len(values) for rule in twin.rules for values in rule.excluded.values())
        assert most == (1 if form == "moa" else 2)
