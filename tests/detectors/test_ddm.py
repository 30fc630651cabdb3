"""DDM warns and finds changes where MOA's does."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.java import java_hash
from naive import detectors as naive
from numba import njit

from streameval.base.errors import ConfigError
from streameval.detectors.ddm import DDM, ddm_options, ddm_start, ddm_update

# moa.classifiers.core.driftdetection.DDM of MOA 2024.07 (the jar of capymoa 0.15.1), fed with
# `naive.inputs`: seed, levels, n, real; -n, -w, -o; how often getWarningZone and getChange were
# true, and the hashes h <- 31 h + position of both, positions from 0, 64 bits.
DEFAULT = (30, 2.0, 3.0)
MOA = [
    ((1, (0.2, 0.8), 4000, False), DEFAULT, (2736, -7733476247178339010), (1, 2162)),
    (
        (3, (0.9, 0.7, 0.9, 0.3), 8000, False),
        (100, 1.5, 2.5),
        (1376, 4237993226188344872),
        (1, 4378),
    ),
    ((5, (0.3,), 20000, False), DEFAULT, (520, 1543568171403212021), (1, 43)),
    (
        (5, (0.3,), 20000, False),
        (30, 1.0, 1.5),
        (4299, 5709482245175153755),
        (421, -4242172900724994009),
    ),
    ((6, (0.5,), 5000, False), (5, 1.0, 2.0), (4837, 7366672660551152125), (1, 2092)),
    (
        (7, (0.1, 0.15, 0.25, 0.1, 0.4, 0.02, 0.3), 14000, False),
        DEFAULT,
        (2683, -3623297983728654003),
        (5, 382549744),
    ),
    ((8, (0.2, 0.5, 0.1), 3000, False), (1, 2.0, 3.0), (195, 5354614444837598012), (3, 1116230)),
    ((9, (0.0, 0.05, 0.0, 0.5), 6000, False), DEFAULT, (1165, 8269219769514416736), (2, 51550)),
    # Losses between 0 and 1.
    (
        (10, (0.0,), 3000, True),
        (30, 1.0, 1.2),
        (587, 2887868304465227589),
        (67, 6450975770885346544),
    ),
]


@pytest.mark.parametrize(("stream", "options", "warnings", "changes"), MOA)
def test_alarms_are_moas(stream, options, warnings, changes):
    result = DDM(*options).run(list(naive.inputs(*stream)))
    assert (len(result.warnings), java_hash(result.warnings)) == warnings
    assert (len(result.changes), java_hash(result.changes)) == changes


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
