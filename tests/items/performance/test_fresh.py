"""New instances of the concept of a moment."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import concepts
from scipy.stats import chi2_contingency, ks_2samp

from streameval.base.errors import ConfigError
from streameval.items.performance.holdout import fresh_sample
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec, load_registry

SEEDS = st.integers(0, 2**63 - 1)
REGISTRY = {key: spec for key, spec in load_registry().items() if isinstance(spec, GeneratorSpec)}


def spec_of(generator, rows, **parameters):
    return GeneratorSpec(
        id="made", title="Made", generator=generator, rows=rows, parameters=parameters
    )


def sea(function, **parameters):
    return {"generator": "sea", "function": function, "noise": 0} | parameters


STATIONARY = [
    ("sea", {"function": 3}),
    ("sea", {"balance": True}),
    ("random_tree", {"classes": 4, "nominal": 3}),
    ("random_rbf", {"classes": 3}),
    ("random_rbf_drift", {"classes": 3, "speed": 0.0}),
    ("hyperplane", {"magnitude": 0.0, "noise": 20}),
    ("led", {}),
    ("led_drift", {"drifting": 5}),
    ("agrawal", {"function": 5}),
    ("markov", {"priors": [1, 3], "persistence": 0.8, "attributes": 4, "drift": 0, "nominal": 1}),
    (
        "concept_drift",
        {"before": sea(1), "after": sea(1, seed=2), "position": 1000, "width": 8000},
    ),
]


def p_value(first, second, is_nominal):
    """Of the hypothesis that two samples have the same distribution."""
    if not is_nominal:
        return ks_2samp(first, second).pvalue
    values = np.unique(np.concatenate([first, second]))
    return chi2_contingency(
        [[(part == v).sum() for v in values] for part in (first, second)]
    ).pvalue


@pytest.mark.parametrize(("generator", "parameters"), STATIONARY)
def test_without_drift_the_sample_is_distributed_as_the_stream(generator, parameters):
    spec = spec_of(generator, 8000, **parameters)
    stream, sample = synthesise(spec), fresh_sample(spec, 4000, 8000, seed=1)
    assert sample.schema == stream.schema
    # Some 700 tests in all: one in about 14,000 right samples would fail any of them.
    if generator != "markov":  # whose labels depend on each other in the stream
        assert p_value(stream.y, sample.y, is_nominal=True) > 1e-7
    for label in range(stream.n_classes):
        old, new = stream.X[stream.y == label], sample.X[sample.y == label]
        for j, values in enumerate(stream.schema.n_values):
            assert p_value(old[:, j], new[:, j], is_nominal=values > 0) > 1e-7


@pytest.mark.parametrize(
    ("generator", "parameters"), [row for row in STATIONARY if not row[0].startswith("led")]
)
def test_no_instance_of_the_sample_is_one_of_the_stream(generator, parameters):
    # Of LED's instances there are few different ones.
    spec = spec_of(generator, 2000, **parameters)
    stream, sample = synthesise(spec), fresh_sample(spec, 1000, 2000, seed=1)
    seen = {row.tobytes() for row in stream.X}
    assert not any(row.tobytes() in seen for row in sample.X)
    assert len({row.tobytes() for row in sample.X}) == 2000


def part_without_noise(part):
    """A description of nested SEA concepts, none of which flips labels."""
    if part["generator"] == "sea":
        return part | {"noise": 0}
    return part | {key: part_without_noise(part[key]) for key in ("before", "after")}


def test_sea_labels_obey_the_threshold_in_force():
    spec = REGISTRY["sea_50"]
    part = part_without_noise({"generator": spec.generator} | spec.parameters)
    del part["generator"]
    times = [0, 249_000, 251_000, 499_000, 501_000, 749_000, 751_000, 1_000_000]
    sample = fresh_sample(replace(spec, parameters=part), times, 500, seed=3)
    for i, limit in enumerate([9.0, 9.0, 8.0, 8.0, 7.0, 7.0, 9.5, 9.5]):
        block = sample.take(slice(500 * i, 500 * (i + 1)))
        total = block.X[:, 0] + block.X[:, 1]
        np.testing.assert_array_equal(block.y, total > limit)
        # The other thresholds would have told these instances otherwise.
        for other in {7.0, 8.0, 9.0, 9.5} - {limit}:
            assert not np.array_equal(block.y, total > other)


@pytest.mark.parametrize("time", [0, 700, 999, 1000, 1250, 1999])
def test_in_a_transition_each_instance_is_new_with_the_probability_of_the_moment(time):
    # Thresholds 7 and 9.5: only one of the two concepts calls a sum in between class 1.
    parts = {"before": sea(3), "after": sea(4)}
    spec = spec_of("concept_drift", 2000, **parts, position=1001, width=800)
    sample = fresh_sample(spec, time, 40_000, seed=time)
    total = sample.X[:, 0] + sample.X[:, 1]
    np.testing.assert_array_equal(sample.y[total > 9.5], 1)
    np.testing.assert_array_equal(sample.y[total <= 7.0], 0)
    between = sample.y[(total > 7.0) & (total <= 9.5)]
    # The first instance has the number 1.
    new = concepts.probability_of_new(time + 1, 1001, 800)
    error = 5.0 * math.sqrt(max(new * (1.0 - new), 1e-4) / len(between))
    assert 1.0 - between.mean() == pytest.approx(new, abs=error)


PLANE = {"seed": 4, "attributes": 5, "drifting": 4, "magnitude": 0.05, "noise": 0, "reversal": 30}


def on_its_side(sample, time):
    """Whether the labels follow the hyperplane of a time."""
    plane = concepts.hyperplane_at(time, PLANE)
    return all(
        plane.label(row.tolist()) == label for row, label in zip(sample.X, sample.y, strict=True)
    )


def test_hyperplane_labels_obey_the_weights_in_force():
    times = [0, 1, 30, 400, 1000]
    sample = fresh_sample(spec_of("hyperplane", 1000, **PLANE), times, 200, seed=1)
    for i, time in enumerate(times):
        block = sample.take(slice(200 * i, 200 * (i + 1)))
        assert on_its_side(block, time)
        assert not any(on_its_side(block, other) for other in times if abs(other - time) > 1)


def test_a_stream_in_a_drift_is_taken_where_it_has_come_to():
    plane = {"generator": "hyperplane"} | PLANE
    spec = spec_of("concept_drift", 900, before=plane, after=plane, position=301, width=0)
    times = [0, 299, 300, 301, 500, 900]
    sample = fresh_sample(spec, times, 200, seed=1)
    for i, time in enumerate(times):
        block = sample.take(slice(200 * i, 200 * (i + 1)))
        assert on_its_side(block, time if time < 300 else time - 300)


@pytest.mark.parametrize("time", [0, 3000, 10_000])
def test_clouds_are_where_they_have_moved_to(time):
    options = {"model_seed": 3, "seed": 1, "classes": 2, "attributes": 3, "centroids": 1}
    options |= {"drifting": 1, "speed": 0.0003}
    sample = fresh_sample(spec_of("random_rbf_drift", 10_000, **options), time, 20_000, seed=1)
    clouds = concepts.Clouds(options)
    for _ in range(time + 1):
        clouds.move(0.0003)
    ((centre, _, deviation, _),) = clouds.centroids
    # No coordinate of a direction is longer than one.
    error = 5.0 * deviation / math.sqrt(20_000)
    np.testing.assert_allclose(sample.X.mean(axis=0), centre, rtol=0, atol=error)


@pytest.mark.parametrize("turned", [0.0, 0.25, 0.5])
def test_markov_means_are_where_they_have_turned_to(turned):
    options = {"priors": [1, 4], "persistence": 0.9, "attributes": 2, "separation": 8.0}
    spec = spec_of("markov", 1000, drift=1.0, **options)
    start, later = (fresh_sample(spec, time, 20_000, seed=1) for time in (0, round(1000 * turned)))
    assert later.y.mean() == pytest.approx(0.8, abs=5.0 * math.sqrt(0.16 / 20_000))
    angle = 2.0 * math.pi * turned
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    for label in (0, 1):
        before = start.X[start.y == label].mean(axis=0)
        after = later.X[later.y == label].mean(axis=0)
        # Five standard errors of both means; there are about 4000 rows of the rarer class.
        np.testing.assert_allclose(after, before @ turn, rtol=0, atol=5.0 * math.sqrt(2 / 3800))


@pytest.mark.parametrize("name", REGISTRY)
def test_every_generated_stream_of_the_registry_has_fresh_samples(name):
    spec = replace(REGISTRY[name], rows=400)
    stream = synthesise(spec)
    sample = fresh_sample(spec, [0, 200, 400], 20, seed=1)
    assert (len(sample), sample.name, sample.schema) == (60, f"{name}:fresh:1", stream.schema)
    assert sample.time is None
    assert sample.digest == fresh_sample(spec, [0, 200, 400], 20, seed=1).digest
    assert sample.digest != fresh_sample(spec, [0, 200, 400], 20, seed=2).digest


def test_streams_of_equal_parameters_have_samples_of_their_own():
    spec = spec_of("sea", 100)
    other = replace(spec, id="other")
    assert fresh_sample(spec, 5, 9, 1).digest != fresh_sample(other, 5, 9, 1).digest


@given(st.lists(st.integers(0, 300), min_size=1, max_size=8).map(sorted), st.integers(1, 5), SEEDS)
def test_a_sample_has_a_block_for_each_time(times, size, seed):
    parts = {
        "before": sea(1),
        "after": {"generator": "concept_drift"}
        | {"before": sea(2), "after": sea(3), "position": 100, "width": 30},
    }
    spec = spec_of("concept_drift", 300, **parts, position=100, width=30)
    assert len(fresh_sample(spec, times, size, seed)) == len(times) * size


def test_wrong_parameters_name_the_entry():
    with pytest.raises(ConfigError, match=r"'made': .*\bsea: at seed"):
        fresh_sample(spec_of("sea", 100, seed="one"), 1, 1, seed=1)
