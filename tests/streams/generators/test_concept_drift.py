"""Drifts from one stream to another, which may be drifts in their turn."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import concepts
from naive import generators as naive

from streameval.base.errors import ConfigError
from streameval.streams.generators import generate_instances

SEEDS = st.integers(-(2**63), 2**63 - 1)


def test_numeric_targets_keep_their_fractions():
    parts = {"before": {"generator": "planes"}, "after": {"generator": "planes", "seed": 2}}
    stream = generate_instances("concept_drift", 40, position=20, width=1, **parts)
    before, after = (generate_instances("planes", 40, seed=seed) for seed in (1, 2))
    assert stream.y[:10].tolist() == before.y[:10].tolist()
    assert stream.y[-1] in after.y


def sea(function, **parameters):
    return {"generator": "sea", "function": function} | parameters


def drift(before, after, position, width, **parameters):
    """A concept drift as a part of another one."""
    parts = {"before": before, "after": after, "position": position, "width": width}
    return {"generator": "concept_drift"} | parts | parameters


def drifting(n, before, after, **parameters):
    return generate_instances("concept_drift", n, before=before, after=after, **parameters)


# Written by MOA 24.07 and found equal in all bits of 30,000 instances: its options in the
# comments. Class counts are of the first 10,000 instances, the digests of ours at that moment:
# SHA-256 of the bytes of X, then y.
AS_MOA = [
    # -s (SEAGenerator -f 1) -d (SEAGenerator -f 4) -p 5000
    ({"before": sea(1), "after": sea(4), "position": 5000}, [4089, 5911], "e967c12f1dd09169"),
    # -s (LEDGeneratorDrift -d 1) -d (LEDGeneratorDrift -d 3) -p 10000 -a 0.01 -r 7
    (
        {
            "before": {"generator": "led_drift", "drifting": 1},
            "after": {"generator": "led_drift", "drifting": 3},
            "position": 10_000,
            "alpha": 0.01,
            "seed": 7,
        },
        [915, 1065, 983, 999, 973, 1044, 990, 1011, 1010, 1010],
        "be213e4d4f595959",
    ),
    # -s (HyperplaneGenerator -k 10 -t 0.01) -d (RandomRBFGeneratorDrift -s 0.01) -p -50 -w 500
    (
        {
            "before": {"generator": "hyperplane", "drifting": 10, "magnitude": 0.01},
            "after": {"generator": "random_rbf_drift", "speed": 0.01},
            "position": -50,
            "width": 500,
        },
        [4918, 5082],
        "756954e7b1a447f5",
    ),
    # Nested in -d, SEAGenerator -f 1, 2, 3, 4, all -p 5000 -w 50
    (
        {
            "before": sea(1),
            "after": drift(sea(2), drift(sea(3), sea(4), 5000, 50), 5000, 50),
            "position": 5000,
            "width": 50,
        },
        [3912, 6088],
        "ebd68f8726b5e9d1",
    ),
    # Nested in -s, SEAGenerator -f 2, 1, 3, 4, -p 5000, 10000, 15000, all -w 5000
    (
        {
            "before": drift(drift(sea(2), sea(1), 5000, 5000), sea(3), 10_000, 5000),
            "after": sea(4),
            "position": 15_000,
            "width": 5000,
        },
        [3883, 6117],
        "6ff9ad906b34ac5c",
    ),
]


@pytest.mark.parametrize(("parameters", "counts", "digest"), AS_MOA)
def test_drifts_are_those_of_moa(parameters, counts, digest):
    stream = drifting(30_000, **parameters)
    assert np.bincount(stream.y[:10_000]).tolist() == counts
    content = hashlib.sha256(stream.X.tobytes() + stream.y.tobytes()).hexdigest()
    assert content[:16] == digest


# The width and how many of the first 10,000 instances were of the new stream in MOA 24.07:
# ConceptDriftStream -p 5000 -a, with SEAGenerators of two seeds.
ANGLES = [
    (1e-9, 2**31 - 1, 4982),
    (0.05, 1145, 4981),
    (1.0, 57, 5004),
    (45.0, 1, 5001),
    (46.0, 0, 5001),
]


@pytest.mark.parametrize(("alpha", "width", "count"), ANGLES)
def test_an_angle_stands_for_a_width(alpha, width, count):
    parts = {"before": sea(1, seed=1), "after": sea(1, seed=2), "position": 5000}
    stream = drifting(10_000, **parts, alpha=alpha)
    assert stream.digest == drifting(10_000, **parts, width=width).digest
    old = set(generate_instances("sea", 10_000, seed=1).X[:, 0])
    assert sum(value not in old for value in stream.X[:, 0]) == count


def rows_of(part, n):
    """The rows of a description, from the twins."""
    if part["generator"] == "sea":
        return naive.sea(n, part["function"], part["seed"], part["noise"], balance=False)
    before, after = (rows_of(part[key], n) for key in ("before", "after"))
    return concepts.concept_drift(n, before, after, part["position"], part["width"], part["seed"])


SEA = st.fixed_dictionaries(
    {
        "generator": st.just("sea"),
        "function": st.integers(1, 4),
        "seed": SEEDS,
        "noise": st.integers(0, 100),
    }
)


def drifts(parts):
    return st.fixed_dictionaries(
        {
            "generator": st.just("concept_drift"),
            "before": parts,
            "after": parts,
            "position": st.integers(-20, 80),
            "width": st.integers(0, 100),
            "seed": SEEDS,
        }
    )


@given(drifts(st.recursive(SEA, drifts, max_leaves=4)))
def test_nested_drifts_agree_with_their_twin(part):
    parameters = {key: value for key, value in part.items() if key != "generator"}
    stream = generate_instances("concept_drift", 60, **parameters)
    X, y = rows_of(part, 60)
    np.testing.assert_array_equal(stream.X, np.array(X))
    np.testing.assert_array_equal(stream.y, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"before": {"function": 1}}, "In before: .* found no key 'generator' in {'function': 1}"),
        ({"after": {"generator": "see"}}, "In after: Generator: expected .* found 'see'"),
        (
            {"before": drift(sea(1), sea(0), 5, 5)},
            "In before: In after: Generator sea: at function",
        ),
        (
            {"after": {"generator": "led"}},
            r"before \(sea\) has 3 and 2, after \(led\) has 24 and 10",
        ),
        (
            {"after": {"generator": "hyperplane", "attributes": 3}},
            r"in number, name and kind; before \(sea\) has 3 and 2, after \(hyperplane\) has 3",
        ),
    ],
)
def test_wrong_parameters_are_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        drifting(10, **{"before": sea(1), "after": sea(2)} | change)
