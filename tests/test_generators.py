from __future__ import annotations

import hashlib

import naive_generators as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.errors import ConfigError
from streameval.streams.generators import GENERATORS, generate

#: The first example may have to compile.

SEEDS = st.integers(-(2**63), 2**63 - 1)

# 30,000 instances of each were written by MOA 24.07 (moa.DoTask "WriteStreamToARFFFile ...")
# and found equal in every printed digit; class counts are of its first 10,000 instances, the
# digests of ours at that moment: SHA-256 of the bytes of X, then y.
AS_MOA = [
    ("sea", {}, [3619, 6381], "bd149fccf79d2a77"),
    ("sea", {"function": 2}, [4317, 5683], "322d22196951bbbc"),
    ("sea", {"function": 4, "seed": 123, "noise": 25}, [4734, 5266], "018bf1f107802c61"),
    (
        "sea",
        {"function": 3, "seed": 99, "noise": 30, "balance": True},
        [4986, 5014],
        "4847a5323c50f3a2",
    ),
    ("random_tree", {}, [4096, 5904], "29a78b24651c0e7d"),
    (
        "random_tree",
        {"tree_seed": 5, "seed": 3, "classes": 7},
        [1083, 1262, 1173, 1545, 2024, 1734, 1179],
        "d81ae98dc57411bc",
    ),
    (
        "random_tree",
        {"nominal": 0, "numeric": 10, "depth": 8, "first_leaf": 2, "leaf_fraction": 0.3},
        [8683, 1317],
        "d56959f86c0e28e7",
    ),
    (
        "random_tree",
        {"nominal": 10, "numeric": 0, "values": 3, "depth": 6},
        [5010, 4990],
        "7d6b0744e266d742",
    ),
    (
        "random_tree",
        {"nominal": 3, "numeric": 2, "values": 8, "depth": 7, "first_leaf": 0}
        | {"leaf_fraction": 0.05, "tree_seed": 11},
        [4143, 5857],
        "2fa186ca4d5ffed3",
    ),
    ("random_rbf", {}, [4915, 5085], "5b05c5854c89d857"),
    (
        "random_rbf",
        {"model_seed": 4, "seed": 9, "classes": 5},
        [2054, 2704, 1057, 2639, 1546],
        "c8cbdc47272182cb",
    ),
    ("random_rbf", {"attributes": 3, "centroids": 7}, [4893, 5107], "67a563dceff5088f"),
    (
        "random_rbf",
        {"attributes": 50, "centroids": 200, "classes": 10, "seed": 77},
        [1062, 1392, 1235, 959, 1084, 828, 781, 647, 1024, 988],
        "08d21e35e5d6bab0",
    ),
]


@pytest.mark.parametrize(("name", "parameters", "counts", "digest"), AS_MOA)
def test_streams_are_those_of_moa(name, parameters, counts, digest):
    stream = generate(name, 30_000, **parameters)
    assert np.bincount(stream.y[:10_000]).tolist() == counts
    content = hashlib.sha256(stream.X.tobytes() + stream.y.tobytes()).hexdigest()
    assert content[:16] == digest


# Rows 1 and 20,000 as MOA 24.07 writes them to an ARFF file.
MOA_ROWS = [
    (
        "sea",
        {},
        "7.308781907032909,4.100808114922017,2.077148413097171,groupB",
        "5.022984238234777,8.727006496255044,2.629932127259693,groupB",
    ),
    (
        "sea",
        {"function": 3, "seed": 99, "noise": 30, "balance": True},
        "7.224575488195071,3.4725406334296527,8.156724779547451,groupB",
        "1.1310617695592429,0.1180013384062839,1.6365410802527924,groupA",
    ),
    (
        "random_tree",
        {},
        (
            "value1,value4,value3,value4,value5,0.0362353821503677,0.6588672394716129,"
            "0.7107396275716601,0.15273620134152177,0.15957805424728078,class1"
        ),
        (
            "value5,value5,value5,value2,value4,0.10282138661164864,0.5008610716610331,"
            "0.4570948880015183,0.06170868344608582,0.5302566655916693,class2"
        ),
    ),
    (
        "random_rbf",
        {"model_seed": 4, "seed": 9, "classes": 5, "attributes": 3, "centroids": 7},
        "0.7502593525861121,0.44685258531970334,0.6277215568409609,class4",
        "0.6328773922888116,0.8858241517878404,1.0435495772765369,class2",
    ),
]


@pytest.mark.parametrize(("name", "parameters", "first", "last"), MOA_ROWS)
def test_rows_read_as_moa_writes_them(name, parameters, first, last):
    stream = generate(name, 20_000, **parameters)
    for row, expected in ((0, first), (-1, last)):
        written = [
            attribute.values[int(value)] if attribute.values else repr(float(value))
            for attribute, value in zip(stream.schema.attributes, stream.X[row], strict=True)
        ]
        written.append(stream.schema.classes[stream.y[row]])
        assert ",".join(written) == expected


def test_attributes_are_named_as_in_moa():
    # Headers of the ARFF files that MOA 24.07 writes.
    names = {
        name: [a.name for a in generate(name, 1, **parameters).schema.attributes]
        for name, parameters in (
            ("sea", {}),
            ("random_tree", {"nominal": 2, "numeric": 2}),
            ("random_rbf", {"attributes": 2}),
        )
    }
    assert names == {
        "sea": ["attrib1", "attrib2", "attrib3"],
        "random_tree": ["nominal1", "nominal2", "numeric1", "numeric2"],
        "random_rbf": ["att1", "att2"],
    }


def test_baselines_on_random_tree_are_those_of_moas_own_tests():
    # Reference files of MOA's unit tests, MajorityClass.ref and NoChange.ref: after 9,999
    # predictions 59.01590159 and 52.55525553 %; No-Change after 99,999: 51.45551456 %.
    y = generate("random_tree", 100_000).y
    repeats = y[1:] == y[:-1]
    assert repeats[:9_999].mean() * 100 == pytest.approx(52.55525553, abs=5e-9)
    assert repeats.mean() * 100 == pytest.approx(51.45551456, abs=5e-9)
    zeros = np.cumsum(y[:-1] == 0)
    majority = np.where(zeros * 2 >= np.arange(1, len(y)), 0, 1)
    hits = (majority == y[1:])[:9_999]
    assert hits.mean() * 100 == pytest.approx(59.01590159, abs=5e-9)


def assert_same(stream, rows):
    np.testing.assert_array_equal(stream.X, np.array(rows[0]))
    np.testing.assert_array_equal(stream.y, rows[1])


@given(st.integers(1, 4), SEEDS, st.integers(0, 100), st.booleans())
def test_sea_agrees_with_its_twin(function, seed, noise, balance):
    options = {"function": function, "seed": seed, "noise": noise, "balance": balance}
    assert_same(generate("sea", 60, **options), naive.sea(60, **options))


@given(
    st.fixed_dictionaries(
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
        }
    )
)
@settings(max_examples=50)
def test_random_tree_agrees_with_its_twin(options):
    assert_same(generate("random_tree", 50, **options), naive.random_tree(50, options))


@given(
    st.fixed_dictionaries(
        {
            "model_seed": SEEDS,
            "seed": SEEDS,
            "classes": st.integers(2, 5),
            "attributes": st.integers(1, 6),
            "centroids": st.integers(1, 8),
        }
    )
)
def test_random_rbf_agrees_with_its_twin(options):
    assert_same(generate("random_rbf", 40, **options), naive.random_rbf(40, options))


@pytest.mark.parametrize("name", ["sea", "random_tree", "random_rbf"])
def test_a_longer_stream_starts_with_the_shorter_one(name):
    short, long = generate(name, 100), generate(name, 250)
    np.testing.assert_array_equal(long.X[:100], short.X)
    np.testing.assert_array_equal(long.y[:100], short.y)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("sea", {"function": 5}, "function must be a number from 1 to 4, found 5"),
        ("sea", {"noise": -1}, "noise must be a number from 0 to 100, found -1"),
        ("sea", {"noise": 2.5}, "noise must be an integer, found 2.5"),
        ("sea", {"seed": "one"}, "seed must be a number .* found 'one'"),
        ("sea", {"seed": True}, "seed must be a number .* found True"),
        ("sea", {"seed": 2**63}, "seed must be a number"),
        ("random_tree", {"classes": 1}, "classes must be a number at least 2"),
        ("random_tree", {"leaf_fraction": 1.5}, "leaf_fraction must be .* from 0 to 1"),
        ("random_tree", {"nominal": 0, "numeric": 0}, "nominal \\+ numeric .* at least 1"),
        ("random_tree", {"nominal": 2, "numeric": 0}, "used up all 2 nominal .* level 2 of 5"),
        ("random_rbf", {"centroids": 0}, "centroids must be a number at least 1"),
        ("sea", {"speed": 1}, "unknown parameter speed. Known: function, seed, noise, balance"),
        ("markov", {"priors": [1, 1]}, "parameter persistence, attributes is missing"),
        ("led", {}, "Unknown generator 'led'. Known: markov, random_rbf, random_tree, sea"),
    ],
)
def test_wrong_parameters_are_refused(name, parameters, message):
    with pytest.raises(ConfigError, match=message):
        generate(name, 10, **parameters)


REQUIRED = {"markov": {"priors": [1, 2], "persistence": 0.7, "attributes": 2}}


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_every_generator_makes_a_stream(name):
    stream = generate(name, 12, **REQUIRED.get(name, {}))
    assert (len(stream), stream.name) == (12, name)
    with pytest.raises(ConfigError, match=f"Generator {name}: parameter n must be"):
        generate(name, 0, **REQUIRED.get(name, {}))
