"""MOA's own instances, in all bits."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from streameval.streams.generators import generate_instances
from streameval.streams.making import synthesise
from streameval.streams.registry import load_registry

# 30,000 instances of each were written by MOA 24.07 (moa.DoTask "WriteStreamToARFFFile ...")
# and found equal in every printed digit; class counts are of its first 10,000 instances, the
# digests of ours at that moment: SHA-256 of the bytes of X, then y. (Those of the generators
# with drift, of LED and of Agrawal were compared in all bits, through MOA's own classes.)
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
    (
        "random_rbf_drift",
        {"classes": 5, "speed": 0.0001},
        [2586, 1631, 1798, 960, 3025],
        "7804fd869facd2bb",
    ),
    (
        "random_rbf_drift",
        {"model_seed": 3, "seed": 4, "attributes": 6, "centroids": 20}
        | {"drifting": 10, "speed": 0.01},
        [5477, 4523],
        "679be52f800c977e",
    ),
    ("hyperplane", {}, [4980, 5020], "ddacf7c00e7624fc"),
    ("hyperplane", {"drifting": 10, "magnitude": 0.001}, [5001, 4999], "898295ac0fd9a189"),
    (
        "hyperplane",
        {"seed": 9, "attributes": 7, "drifting": 3, "magnitude": 0.01}
        | {"noise": 20, "reversal": 40},
        [4919, 5081],
        "d6f4546bc28cb07d",
    ),
    ("led", {}, [913, 1027, 986, 1009, 981, 1050, 1010, 1002, 1025, 997], "374ebd9c7f5f88f8"),
    (
        "led",
        {"irrelevant": False, "noise": 30, "seed": 5},
        [989, 1028, 989, 992, 988, 996, 977, 994, 1024, 1023],
        "c34bada93d6d6cce",
    ),
    ("led_drift", {}, [913, 1027, 986, 1009, 981, 1050, 1010, 1002, 1025, 997], "2dbedaf336367391"),
    (
        "led_drift",
        {"drifting": 5, "seed": 3, "noise": 25},
        [1007, 971, 1000, 1025, 1022, 991, 963, 1020, 998, 1003],
        "6a22a22f36aec5b4",
    ),
    ("agrawal", {}, [6754, 3246], "ef0b49cccd695c13"),
    ("agrawal", {"function": 2}, [3895, 6105], "20fb65ccd4b10a60"),
    ("agrawal", {"function": 3}, [5280, 4720], "29f4194b6812ad1d"),
    ("agrawal", {"function": 4}, [3822, 6178], "a096558c54ff3f44"),
    ("agrawal", {"function": 5}, [4039, 5961], "bdded3242342038b"),
    ("agrawal", {"function": 6}, [3951, 6049], "31fe52665af87c85"),
    ("agrawal", {"function": 7}, [4855, 5145], "fe9a303aeae46814"),
    ("agrawal", {"function": 8}, [9813, 187], "2da27b12d9f41e2a"),
    ("agrawal", {"function": 9}, [4863, 5137], "a3096d425466f989"),
    ("agrawal", {"function": 10}, [9977, 23], "40c957f265e3d8c6"),
    (
        "agrawal",
        {"function": 6, "seed": 12, "perturbation": 0.3, "balance": True},
        [5000, 5000],
        "b0df54618f872836",
    ),
    ("agrawal", {"function": 9, "perturbation": 0}, [4861, 5139], "865c538047bfaf9c"),
]


@pytest.mark.parametrize(("name", "parameters", "counts", "digest"), AS_MOA)
def test_streams_are_those_of_moa(name, parameters, counts, digest):
    stream = generate_instances(name, 30_000, **parameters)
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
    ("led", {"irrelevant": False, "noise": 30, "seed": 5}, "1,0,0,1,1,1,0,7", "1,0,1,0,0,1,1,3"),
    (
        "agrawal",
        {},
        "110499.7354088676,0.0,54.0,level3,car15,zipcode5,135000.0,30.0,354724.1825300054,groupB",
        "86954.422364773,0.0,78.0,level2,car3,zipcode6,135000.0,4.0,372140.52342389064,groupA",
    ),
]


@pytest.mark.parametrize(("name", "parameters", "first", "last"), MOA_ROWS)
def test_rows_read_as_moa_writes_them(name, parameters, first, last):
    stream = generate_instances(name, 20_000, **parameters)
    for row, expected in ((0, first), (-1, last)):
        written = [
            attribute.values[int(value)] if attribute.values else repr(float(value))
            for attribute, value in zip(stream.schema.attributes, stream.X[row], strict=True)
        ]
        written.append(stream.schema.classes[stream.y[row]])
        assert ",".join(written) == expected


@pytest.mark.parametrize(
    ("name", "parameters", "names"),
    [
        ("sea", {}, "attrib1 attrib2 attrib3"),
        ("random_tree", {"nominal": 2, "numeric": 2}, "nominal1 nominal2 numeric1 numeric2"),
        ("random_rbf", {"attributes": 2}, "att1 att2"),
        ("hyperplane", {"attributes": 2, "drifting": 0}, "att1 att2"),
        ("led", {"irrelevant": False}, "att1 att2 att3 att4 att5 att6 att7"),
        ("agrawal", {}, "salary commission age elevel car zipcode hvalue hyears loan"),
    ],
)
def test_attributes_are_named_as_in_moa(name, parameters, names):
    """Headers of the ARFF files that MOA 24.07 writes."""
    attributes = generate_instances(name, 1, **parameters).schema.attributes
    assert " ".join(attribute.name for attribute in attributes) == names


def test_baselines_on_random_tree_are_those_of_moas_own_tests():
    # Reference files of MOA's unit tests, MajorityClass.ref and NoChange.ref: after 9,999
    # predictions 59.01590159 and 52.55525553 %; No-Change after 99,999: 51.45551456 %.
    y = generate_instances("random_tree", 100_000).y
    repeats = y[1:] == y[:-1]
    assert repeats[:9_999].mean() * 100 == pytest.approx(52.55525553, abs=5e-9)
    assert repeats.mean() * 100 == pytest.approx(51.45551456, abs=5e-9)
    zeros = np.cumsum(y[:-1] == 0)
    majority = np.where(zeros * 2 >= np.arange(1, len(y)), 0, 1)
    hits = (majority == y[1:])[:9_999]
    assert hits.mean() * 100 == pytest.approx(59.01590159, abs=5e-9)


# The whole streams of the registry were drawn by MOA 24.07 too, with the options in the
# comments, and found equal in all bits. Class counts, and the stream's digest at that moment.
# Nested in -s: ConceptDriftStream -p 250000, 500000, 750000, all of the same -w.
RBF_COUNTS = [261174, 166315, 179702, 92713, 300096]
NAMED = {
    # LEDGeneratorDrift -d 1, 3, 5, 7; -w 50000
    "led_50000": (
        [100194, 99934, 100124, 99457, 99508, 100714, 100353, 99431, 99461, 100824],
        "8259e15356c1beca",
    ),
    # SEAGenerator -f 2, 1, 3, 4; -w 50 and 50000
    "sea_50": ([385657, 614343], "260ead34505b3421"),
    "sea_50000": ([385642, 614358], "9a0e50eea8253e51"),
    # HyperplaneGenerator -a 10 -k 10 -t 0.001 and 0.0001
    "hyp_10_0.001": ([499993, 500007], "cf0027ddf52f5e42"),
    "hyp_10_0.0001": ([500166, 499834], "12bd735dd6c1cd48"),
    # RandomRBFGeneratorDrift -c 5 -n 50, with the -k and -s of the name
    "rbf_0_0": (RBF_COUNTS, "f5ee082e676c97be"),
    "rbf_50_0.001": (RBF_COUNTS, "4c3f3db623134e32"),
    "rbf_10_0.001": (RBF_COUNTS, "aa48495883e25743"),
    "rbf_50_0.0001": (RBF_COUNTS, "6a36c21335b756d0"),
    "rbf_10_0.0001": (RBF_COUNTS, "b6a5868b89f675fd"),
    # Nested in -d: AgrawalGenerator -f 1 to 6, all -p 2000 -w 400
    "agrawal_delayed": ([4760, 5240], "f58aadd1ddf5e7bc"),
    # Nested in -d: LEDGeneratorDrift -d 1, 3, 5, 7; -p 3750, 7500, 15000, all -w 50
    "led_delayed": (
        [1796, 2141, 1997, 1987, 1938, 2074, 1975, 2030, 2042, 2020],
        "54a5ae3b1c610f44",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_streams_are_those_of_moa(name):
    counts, digest = NAMED[name]
    # What MOA generates, before it is rounded as in a file.
    stream = synthesise(replace(load_registry()[name], decimals=None))
    assert np.bincount(stream.y).tolist() == counts
    assert stream.digest[:16] == digest


# Grzenda, Gomes and Bifet (2020), Table 1, per cent: No-Change and Majority at b = 0, when an
# instance arrives, and at b = B + 1, when its own label is next.
DELAYED = {
    "agrawal_delayed": (53.18, 50.11, 51.95, 52.37),
    "led_delayed": (9.75, 10.58, 9.45, 10.65),
}


@pytest.mark.parametrize("name", DELAYED)
def test_delayed_streams_have_the_baselines_of_the_paper(name):
    stream = synthesise(load_registry()[name])
    y, n = stream.y, len(stream)
    # At equal times Agrawal's instances come before the label, LED's after it.
    side = "left" if name == "agrawal_delayed" else "right"
    first = np.searchsorted(stream.label_time, stream.time, side)
    counts = np.zeros((n + 1, stream.n_classes))
    counts[1:] = np.cumsum(np.eye(stream.n_classes)[y], axis=0)
    accuracies = []
    for known in (first, np.arange(n)):
        last = np.where(known > 0, y[known - 1], 0)
        accuracies += [np.mean(last == y), np.mean(counts[known].argmax(axis=1) == y)]
    # 9.755 is printed as 9.75.
    np.testing.assert_allclose(100 * np.array(accuracies), DELAYED[name], rtol=0, atol=0.005 + 1e-9)
