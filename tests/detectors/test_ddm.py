"""A pool of DDM, and its options."""

from __future__ import annotations

import numpy as np
import pytest
from naive import detectors as naive
from numba import njit

from streameval.base.errors import ConfigError
from streameval.detectors.ddm import DDM, ddm_options, ddm_start, ddm_update


@njit
def insert_all(state, detector, errors, options, said):
    for t in range(len(errors)):
        said[t] = ddm_update(state, detector[t], errors[t], options)


def test_members_of_a_pool_are_independent():
    errors = [np.array(list(naive.inputs(seed, (0.1, 0.5), 900))) for seed in (1, 2, 3)]
    detector = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], 900))
    mixed = np.empty(2700)
    for d in range(3):
        mixed[detector == d] = errors[d]
    said = np.empty(2700, dtype=np.int64)
    insert_all(ddm_start(3), detector, mixed, ddm_options(), said)
    for d in range(3):
        alone = DDM().run(errors[d])
        assert len(alone.changes) > 0
        np.testing.assert_array_equal(np.flatnonzero(said[detector == d] == 1), alone.warnings)
        np.testing.assert_array_equal(np.flatnonzero(said[detector == d] == 2), alone.changes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_instances": 0}, "min_instances .*at least 1, found 0"),
        ({"drift_level": 1.0}, "0 < warning_level <= drift_level, found warning_level 2.0"),
        ({"drift_level": np.inf}, "drift_level inf"),
    ],
)
def test_options_out_of_range_are_errors(options, message):
    with pytest.raises(ConfigError, match=f"DDM: .*{message}"):
        ddm_options(**options)
