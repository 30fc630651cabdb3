from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import concepts
from naive import generators as naive

from streameval.base.errors import ConfigError
from streameval.streams.generators import GENERATORS, generate_instances, make_generator

SEEDS = st.integers(-(2**63), 2**63 - 1)


def assert_same(stream, rows):
    np.testing.assert_array_equal(stream.X, np.array(rows[0]))
    np.testing.assert_array_equal(stream.y, rows[1])


RBF = {
    "model_seed": SEEDS,
    "seed": SEEDS,
    "classes": st.integers(2, 5),
    "attributes": st.integers(1, 6),
    "centroids": st.integers(3, 8),
}
NOISE = st.integers(0, 100)
DRIFT = {"drifting": st.integers(0, 3)}
#: Parameters to draw, and the twin, which takes the number of instances and the parameters.
TWINS = {
    "sea": (
        {"function": st.integers(1, 4), "seed": SEEDS, "noise": NOISE, "balance": st.booleans()},
        lambda n, options: naive.sea(n, **options),
    ),
    "random_tree": (
        {
            "tree_seed": SEEDS,
            "seed": SEEDS,
            "classes": st.integers(2, 5),
            "nominal": st.integers(0, 4),
            "numeric": st.integers(1, 4),
            "values": st.integers(2, 4),
            "depth": st.integers(0, 5),
            "first_leaf": st.integers(0, 5),
            "leaf_fraction": st.floats(0.0, 1.0),
        },
        naive.random_tree,
    ),
    "random_rbf": (RBF, concepts.random_rbf),
    "random_rbf_drift": (RBF | DRIFT | {"speed": st.floats(0.0, 0.7)}, concepts.random_rbf),
    "hyperplane": (
        DRIFT
        | {
            "seed": SEEDS,
            "attributes": st.integers(3, 6),
            "magnitude": st.floats(0.0, 1.0),
            "noise": NOISE,
            "reversal": NOISE,
        },
        concepts.hyperplane,
    ),
    "led": (
        {"seed": SEEDS, "noise": NOISE, "irrelevant": st.booleans()},
        lambda n, o: concepts.led(n, o["seed"], o["noise"], 17 if o["irrelevant"] else 0),
    ),
    "led_drift": (
        {"drifting": st.integers(0, 7), "seed": SEEDS, "noise": NOISE},
        lambda n, options: concepts.led(n, **options),
    ),
    "agrawal": (
        {
            "function": st.integers(1, 10),
            "seed": SEEDS,
            "perturbation": st.sampled_from([0.0, 0.05, 0.6, 1.0]),
            "balance": st.booleans(),
        },
        lambda n, options: concepts.agrawal(n, **options),
    ),
    "planes": (
        {"seed": SEEDS, "noise": st.floats(0.0, 5.0)},
        lambda n, options: concepts.planes(n, **options),
    ),
}


@pytest.mark.parametrize("name", TWINS)
@given(st.data())
def test_instances_agree_with_the_twin(name, data):
    parameters, twin = TWINS[name]
    options = data.draw(st.fixed_dictionaries(parameters))
    # A balanced stream of Agrawal's function 10 draws four hundred applicants for one of group B.
    n = 6 if name == "agrawal" and options["balance"] else 50
    assert_same(generate_instances(name, n, **options), twin(n, options))


#: Row numbers in order.
TIMES = st.lists(st.integers(0, 40), min_size=1, max_size=10).map(sorted)
FRESH = {"random_rbf_drift": concepts.fresh_rbf, "hyperplane": concepts.fresh_hyperplane}


@pytest.mark.parametrize("name", FRESH)
@given(st.data(), TIMES, SEEDS)
def test_fresh_instances_of_moving_concepts_agree_with_the_twin(name, data, times, seed):
    options = data.draw(st.fixed_dictionaries(TWINS[name][0]))
    fresh = make_generator(name, options).draw_from_concepts(40, np.array(times), seed)
    assert_same(fresh, FRESH[name](times, seed, options))


#: What a generator cannot do without, and what makes its concept move.
PARAMETERS = {
    "concept_drift": {
        "before": {"generator": "sea"},
        "after": {"generator": "sea", "function": 3, "seed": 2},
        "position": 60,
        "width": 50,
    },
    "hyperplane": {"drifting": 10, "magnitude": 0.01},
    "markov": {"priors": [1, 2], "persistence": 0.7, "attributes": 3, "nominal": 1},
    "random_rbf_drift": {"speed": 0.01},
}
EACH = pytest.mark.parametrize("name", GENERATORS)
SIZES = given(st.integers(1, 150), st.integers(1, 150))


@EACH
def test_every_generator_makes_a_stream(name):
    stream = generate_instances(name, 12, **PARAMETERS.get(name, {}))
    assert (len(stream), stream.name) == (12, name)
    with pytest.raises(ConfigError, match=f"Generator {name}: n: expected"):
        generate_instances(name, 0, **PARAMETERS.get(name, {}))


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "markov"])
@SIZES
@settings(max_examples=20)
def test_a_longer_stream_starts_with_the_shorter_one(name, n, more):
    parameters = PARAMETERS.get(name, {})
    short, long = (generate_instances(name, size, **parameters) for size in (n, n + more))
    assert long.take(slice(n)).digest == short.digest


@EACH
@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.booleans())
@settings(max_examples=20)
def test_a_stream_drawn_in_parts_is_the_whole(name, sizes, balance):
    generator = make_generator(name, PARAMETERS.get(name, {}))
    if hasattr(generator, "balance"):
        generator = make_generator(name, {"balance": balance})
    whole, draw, at = generator.stream(sum(sizes)), generator.start(sum(sizes)), 0
    for size in sizes:
        assert draw(size).digest == whole.take(slice(at, at + size)).digest
        at += size


@EACH
@given(SEEDS)
@settings(max_examples=20)
def test_a_seed_says_which_stream(name, seed):
    parameters = PARAMETERS.get(name, {}) | {"seed": seed}
    stream = generate_instances(name, 50, **parameters)
    assert stream.digest == generate_instances(name, 50, **parameters).digest
    assert stream.digest != generate_instances(name, 50, **parameters | {"seed": seed ^ 1}).digest


@EACH
@SIZES
@settings(max_examples=20)
def test_codes_are_those_that_the_schema_declares(name, n, seed):
    stream = generate_instances(name, n, **PARAMETERS.get(name, {}) | {"seed": seed})
    if stream.schema.classes is None:
        assert np.isfinite(stream.y).all()
    else:
        assert set(stream.y) <= set(range(stream.n_classes))
    for column, values in zip(stream.X.T, stream.schema.n_values, strict=True):
        if values:
            assert set(column) <= set(range(values))
        assert np.isfinite(column).all()


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("random_tree", {"nominal": 2, "numeric": 0}, "used up all 2 nominal .* level 2 of 5"),
        ("sea", {2: 1}, "unknown parameter 2. Known: function"),
        ("markov", {"priors": [1, 1]}, "parameter persistence, attributes is missing"),
        ("lead", {}, "expected one of agrawal, concept_drift, .*, sea, found 'lead'"),
    ],
)
def test_wrong_parameters_are_refused(name, parameters, message):
    with pytest.raises(ConfigError, match=message):
        make_generator(name, parameters).stream(10)
