"""ORTO: options and their effects."""

from __future__ import annotations

from typing import get_args

import numpy as np
from helpers import numbers
from helpers.tree_cases import EAGER_OPTIONS

from streameval.learners.regression.fimt_dd import FimtDD
from streameval.learners.regression.orto import Orto
from streameval.learners.regression.regressor import Form
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import prequential


def test_option_nodes_predict_the_mean_and_in_moa_zero():
    stream, tape = numbers.friedman(8000), prequential(8000)
    ours, of_moa = (
        Orto(form=form, **EAGER_OPTIONS).run(stream, tape).value for form in get_args(Form)
    )
    assert (ours[2:] != 0).all()
    assert (of_moa == 0).sum() > 100
    assert mean_absolute_error(stream.y, ours) < mean_absolute_error(stream.y, of_moa)


def test_one_tree_is_fimt_dd():
    # Without options there is nothing that the two do otherwise.
    stream, tape = numbers.friedman(6000), prequential(6000)
    options = {"grace_period": 50, "split_confidence": 0.1, "change_threshold": 5.0}
    first, second = Orto(max_trees=1, **options), FimtDD(**options)
    predictions, expected = (learner.run(stream, tape) for learner in (first, second))
    np.testing.assert_array_equal(predictions.value, expected.value)
    assert predictions.size == expected.size
