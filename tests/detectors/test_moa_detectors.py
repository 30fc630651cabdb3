"""Detectors signal where MOA's do."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest
from helpers.java import java_hash
from naive import detectors as naive

from streameval.detectors.registry import parse
from streameval.learners.adapters.moa import find_jar

#: Seed, levels, number of inputs, and whether they are numbers.
STREAMS = {
    "jump": (1, (0.2, 0.8), 4000, False),
    "phases": (7, (0.1, 0.15, 0.25, 0.1, 0.4, 0.02, 0.3), 14000, False),
    "gradual": (11, tuple(i / 50 for i in range(5, 40)), 7000, False),
    "constant": (5, (0.3,), 20000, False),
    "wrong": (12, (1.0,), 400, False),
    "right": (13, (0.0,), 400, False),
    "runs": (14, (0.02, 0.9) * 60, 6000, False),
    "rare": (9, (0.0, 0.05, 0.0, 0.5), 6000, False),
    "numbers": (10, (0.0, 2.0, 1.0, 1.5), 8000, True),
    "losses": (15, (0.0, 1.0, 0.3, 0.6), 5000, True),
    "low losses": (10, (0.0,), 3000, True),
    "down and up": (3, (0.9, 0.7, 0.9, 0.3), 8000, False),
    "half": (6, (0.5,), 5000, False),
    "up and down": (8, (0.2, 0.5, 0.1), 3000, False),
}

# Classes of moa.classifiers.core.driftdetection of MOA 2024.07 (the jar of capymoa 0.15.1), with
# their options, fed with `naive.inputs`, halved for "losses", as `Alarms.java` does: how often
# getWarningZone and getChange were true, and the hashes of their positions, see `java_hash`.
MOA = {
    ("ddm", "DDM"): {
        "jump": ((2736, -7733476247178339010), (1, 2162)),
        "phases": ((2683, -3623297983728654003), (5, 382549744)),
        "constant": ((520, 1543568171403212021), (1, 43)),
        "rare": ((1165, 8269219769514416736), (2, 51550)),
    },
    ("ddm:100:1.5:2.5", "DDM -n 100 -w 1.5 -o 2.5"): {
        "down and up": ((1376, 4237993226188344872), (1, 4378)),
    },
    ("ddm:30:1:1.5", "DDM -w 1.0 -o 1.5"): {
        "constant": ((4299, 5709482245175153755), (421, -4242172900724994009)),
    },
    ("ddm:5:1:2", "DDM -n 5 -w 1.0 -o 2.0"): {"half": ((4837, 7366672660551152125), (1, 2092))},
    ("ddm:1", "DDM -n 1"): {"up and down": ((195, 5354614444837598012), (3, 1116230))},
    ("ddm:30:1:1.2", "DDM -w 1.0 -o 1.2"): {
        "low losses": ((587, 2887868304465227589), (67, 6450975770885346544)),
    },
    ("eddm", "EDDM"): {
        "jump": ((1039, 8648395207552910620), (19, 1543365327873247446)),
        "phases": ((1437, -962847264574363294), (52, 2642219745313784490)),
        "gradual": ((1755, -4837556407667782636), (38, -4072914799463190127)),
        "constant": ((16771, 841054350859916674), (15, -6568716605374440788)),
        "wrong": ((0, 0), (0, 0)),
        "right": ((0, 0), (0, 0)),
        "runs": ((1111, 111980610853424126), (60, 869624682914634317)),
        "rare": ((357, -6563065478692378439), (14, 3386643887433719828)),
    },
    ("hddm_a", "HDDM_A_Test"): {
        "jump": ((31, -4350640744138698647), (2, 12018)),
        "phases": ((434, -2218373662311062603), (3, 4250065)),
        "gradual": ((457, 1102721899547738132), (5, 1502316419)),
        "constant": ((87, -9194182898735729620), (1, 4454)),
        "wrong": ((0, 0), (0, 0)),
        "right": ((0, 0), (0, 0)),
        "runs": ((73, 8881778601829381035), (60, -6276204779133961275)),
        "rare": ((0, 0), (1, 4506)),
        "losses": ((64, 570501458133089312), (2, 43356)),
    },
    ("hddm_a:0.05:0.2:false", "HDDM_A_Test -d 0.05 -w 0.2 -t One-sided"): {
        "phases": ((1506, 5749523883813661345), (14, 8903803162446489862)),
        "gradual": ((881, 646220432565304219), (22, -7929040719753005611)),
        "runs": ((216, 5338520651793543277), (60, 1913052815598879590)),
        "losses": ((4, 38727298), (1, 1262)),
    },
    ("hddm_w", "HDDM_W_Test"): {
        "jump": ((13, 5370410483489695827), (2, 11752)),
        "phases": ((61, 5442056824187041586), (4, 134973043)),
        "gradual": ((97, -6964022774976329579), (6, 52848710229)),
        "constant": ((96, 7145732908621586621), (8, 130022895973800)),
        "wrong": ((0, 0), (0, 0)),
        "right": ((0, 0), (0, 0)),
        "runs": ((200, -607065681146029979), (60, -9126679829160759071)),
        "rare": ((15, 2661266385886016309), (3, 4499806)),
        "losses": ((10, 34616545351585765), (1, 1277)),
    },
    ("hddm_w:0.01:0.1:0.2:true", "HDDM_W_Test -d 0.01 -w 0.1 -m 0.2 -t Two-sided"): {
        "phases": ((450, 3583390906799211818), (13, 135818134336416430)),
        "gradual": ((1018, -2928941545556111204), (15, -5598643384336726743)),
        "runs": ((193, -2114176703390584135), (60, 7880903496363650234)),
        "losses": ((36, 4427505525397961106), (1, 1290)),
    },
    ("page_hinkley", "PageHinkleyDM"): {
        "jump": ((0, 0), (1, 2094)),
        "phases": ((0, 0), (3, 3629892)),
        "numbers": ((0, 0), (1, 2029)),
        "runs": ((0, 0), (0, 0)),
    },
    ("page_hinkley:10:0.05:3:0.99", "PageHinkleyDM -n 10 -d 0.05 -l 3.0 -a 0.99"): {
        "phases": ((0, 0), (7, 2961427617409)),
        "gradual": ((0, 0), (15, -1547550929243211744)),
        "numbers": ((0, 0), (1, 2002)),
        "runs": ((0, 0), (32, 1115721703907119191)),
    },
    ("stepd", "STEPD"): {
        "jump": ((67, 3449706868249263172), (3, 321256)),
        "phases": ((716, -7783605650641202796), (10, 39974235271979863)),
        "gradual": ((362, -603109994301157121), (5, 765261140)),
        "constant": ((476, -1525544202102779661), (6, 87194383113)),
        "wrong": ((0, 0), (6, 1804590804)),
        "right": ((0, 0), (6, 1804590804)),
        "runs": ((110, -3517166451133033222), (94, 9009625406742452050)),
        "rare": ((33, -4012158636794415974), (27, 4016784991883436526)),
    },
    ("stepd:10:0.05:0.2", "STEPD -r 10 -o 0.05 -w 0.2"): {
        "phases": ((645, -6227604099977450175), (77, -3378598883534499213)),
        "gradual": ((419, 4093359399562583064), (40, -1124703517032146357)),
    },
    ("rddm", "RDDM"): {
        "jump": ((709, 1905004572421629995), (3, 326698)),
        "phases": ((828, -2847255244144609010), (6, 9328561769)),
        "gradual": ((2132, 1363943420108768365), (10, 11192341599344458)),
        "constant": ((2487, -4278134433366727573), (2, 43499)),
        "wrong": ((0, 0), (0, 0)),
        "right": ((0, 0), (0, 0)),
        "runs": ((255, -6605964987167327775), (30, 8384781454402678307)),
        "rare": ((1224, 1240568583647918855), (2, 51542)),
    },
    ("rddm:30:1.5:2.5:300:100:20", "RDDM -n 30 -w 1.5 -o 2.5 -x 300 -y 100 -z 20"): {
        "phases": ((2650, 8343116606460588902), (78, 435830845929555371)),
        "constant": ((4058, 7435620544554275275), (116, -3074274560652560503)),
        "runs": ((816, -2448052923027945102), (61, 1162399318955396562)),
    },
    ("rddm:30:1.2:3.5:1000:200:2000", "RDDM -n 30 -w 1.2 -o 3.5 -x 1000 -y 200 -z 2000"): {
        "phases": ((10683, 5254749536424251321), (7, 2102926586345)),
        "constant": ((18155, -2330104904931045788), (8, 59631769971712)),
    },
}


@cache
def values_of(stream):
    values = list(naive.inputs(*STREAMS[stream]))
    return [x / 2 for x in values] if stream == "losses" else values


@pytest.mark.parametrize(
    ("detector", "stream", "expected"),
    [
        (texts[0], stream, expected)
        for texts, streams in MOA.items()
        for stream, expected in streams.items()
    ],
)
def test_alarms_are_moas(detector, stream, expected):
    result = parse(detector).run(values_of(stream))
    assert tuple((len(part), java_hash(part)) for part in result) == expected


@pytest.mark.parametrize("stream", ["wrong", "right"])
def test_equal_inputs_are_changes_to_moas_stepd_only(stream):
    values = values_of(stream)
    assert parse("stepd").run(values).changes.tolist() == [59, 119, 179, 239, 299, 359]
    result = parse("stepd:rises_only=true").run(values)
    assert result.changes.tolist() == result.warnings.tolist() == []


def test_moas_page_hinkley_is_late_after_a_long_calm():
    """Its sum falls by `delta` an input; the published statistic rises from its least value."""
    values = [0.0] * 50_000 + [1.0] * 10_000
    (late,) = parse("page_hinkley").run(values).changes
    (soon,) = parse("page_hinkley:statistic=rise").run(values).changes
    assert 50_040 < soon < 50_060 < late


#: Detectors by their options of MOA, for errors.
OF_ERRORS = {moas: ours for ours, moas in MOA if "page_hinkley" not in ours} | {
    "ADWINChangeDetector -a 0.05": "adwin:0.05",
    "DDM -n 20 -w 1.5 -o 2.5": "ddm:20:1.5:2.5",
    "PageHinkleyDM -n 10 -d 0.01 -l 3.0 -a 0.999": "page_hinkley:10:0.01:3:0.999",
}


@pytest.mark.moa
def test_alarms_are_those_of_the_moa_that_is_there():
    levels = [(0.1, 0.5), (0.3, 0.2, 0.6, 0.1), (0.05,), (0.9, 1.0, 0.2), (0.02, 0.7) * 9]
    inputs = [list(naive.inputs(seed, levels[seed % 5], 2500)) for seed in range(40)]
    lines = "".join(" ".join(map(str, values)) + "\n" for values in inputs)
    program = str(Path(__file__).with_name("Alarms.java"))
    command = ["java", "-cp", str(find_jar()), program, *OF_ERRORS]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    alarms = iter(out.splitlines())
    for values in inputs:
        for ours in OF_ERRORS.values():
            warnings, changes = next(alarms).split(",")
            result = parse(ours).run(values)
            assert result.warnings.tolist() == [*map(int, warnings.split())], ours
            assert result.changes.tolist() == [*map(int, changes.split())], ours
