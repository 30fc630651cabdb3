"""Claims of Bifet et al. (2015) on windows and ADWIN, with made-up estimates and hold-outs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import judged

from streameval.items import kinds
from streameval.papers.bifet2015.estimates import ESTIMATE_CLAIMS
from streameval.papers.bifet2015.published import DRIFTING_STREAMS, MAX_VERY_SIMILAR_DISTANCE
from streameval.report.results import Results

KIND = kinds()["holdout"]

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"
TREE, MILLION = "hoeffding_tree", 1_000_000
SHORT, MIDDLE, LONG = "window_100", "window_1000", "window_10000"
#: Distances to the hold-out with which ADWIN is best.
BEST = {"adwin": 0.01, SHORT: 0.05, MIDDLE: 0.02, LONG: 0.03}
#: 250 tests of a million instances.
AT = np.arange(4000, MILLION + 1, 4000)


def closer(distances, instances=MILLION, half=0.001, learner=TREE):
    names = list(distances)
    rows = [
        (learner, name, other, instances, gap, gap - half, gap + half)
        for place, name in enumerate(names)
        for other in names[place + 1 :]
        for gap in [distances[name] - distances[other]]
    ]
    return pd.DataFrame(rows, columns=list(KIND.frames["closer"]))


def distances(distance, half=0.001):
    rows = [
        (learner, name, MILLION, end, end - half, end + half, 250, 0.01)
        for learner, name, end in ((TREE, "adwin", distance), (TREE, SHORT, 9.0), ("x", "adwin", 9))
    ]
    return pd.DataFrame(rows, columns=list(KIND.frames["distances"]))


def following(truth, **estimates):
    parts = [
        pd.DataFrame({"learner": TREE, "estimator": name, "instance": AT, "accuracy": values})
        for name, values in {"hold_out": truth, **estimates}.items()
    ]
    return pd.concat(parts, ignore_index=True)


def verdict(key, of_streams, instances=MILLION):
    """Judge a claim by frames for each stream, with the best ``closer`` where none is given."""
    frames_by_name = {}
    for stream, frames in of_streams.items():
        frames = {"closer": closer(BEST, instances)} | frames
        frames_by_name |= {
            f"bifet2015/fig4/{stream}.{part}": frame for part, frame in frames.items()
        }
    return judged("bifet2015", key, Results(frames_by_name))


def everywhere(frames, **other):
    """The same frames for all streams, but for those that are given."""
    return {stream: other.get(stream, frames) for stream in DRIFTING_STREAMS}


@pytest.mark.parametrize(
    ("shorter", "longer", "learner", "expected"),
    [
        (0.05, -0.03, TREE, HOLDS),
        (-0.05, -0.03, TREE, FAILS),
        (0.05, 0.03, TREE, FAILS),
        (0.0005, -0.0005, TREE, OPEN),
        (0.1, -0.1, "naive_bayes", "not run"),
    ],
)
def test_the_window_of_1000_is_closest_to_adwin(shorter, longer, learner, expected):
    frame = closer({SHORT: shorter, MIDDLE: 0.0, LONG: -longer}, learner=learner)
    ours = Results({"bifet2015/fig3/elec2.closer": frame})
    judgement = judged("bifet2015", "adwin_follows_1000", ours)
    assert judgement.verdict == expected
    lacks = "does not have window_1000 and window_100" in judgement.reason
    assert lacks is (learner != TREE)


@pytest.mark.parametrize(
    ("key", "changed", "expected"),
    [
        ("adwin_is_optimal", {}, HOLDS),
        ("adwin_is_optimal", {MIDDLE: 0.005}, FAILS),
        ("adwin_is_optimal", {MIDDLE: 0.0095}, OPEN),
        ("adwin_is_optimal", {SHORT: 0.005}, FAILS),
        ("adwin_follows_holdout", {}, HOLDS),
        ("adwin_follows_holdout", {LONG: 0.0}, FAILS),
        ("adwin_follows_holdout", {LONG: 0.01}, OPEN),
    ],
)
def test_adwin_is_not_worse_than_windows(key, changed, expected):
    frames = everywhere({}, sea_50={"closer": closer(BEST | changed)})
    judgement = verdict(key, frames)
    assert judgement.verdict == expected
    if key == "adwin_follows_holdout":  # shorter and longer windows on nine streams
        assert judgement.proportion == (1 if expected == HOLDS else 17 / 18)


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (MAX_VERY_SIMILAR_DISTANCE - 0.001, HOLDS),
        (MAX_VERY_SIMILAR_DISTANCE, OPEN),
        (MAX_VERY_SIMILAR_DISTANCE + 0.0011, FAILS),
    ],
)
def test_adwin_is_very_similar_to_the_hold_out(distance, expected):
    near = {"distances": distances(0.01)}
    frames = everywhere(near, sea_50={"distances": distances(distance)})
    assert verdict("adwin_similar_to_holdout", frames).verdict == expected


@pytest.mark.parametrize(("step", "expected"), [(0.05, HOLDS), (0.01, FAILS)])
def test_a_short_window_fluctuates(step, expected):
    odd = np.arange(len(AT)) % 2
    usual = {"following": following(0.7 + 0.02 * odd, window_100=0.7 + 0.05 * odd)}
    other = {"following": following(0.7 + 0.02 * odd, window_100=0.7 + step * odd)}
    judgement = verdict("short_window_fluctuates", everywhere(usual, sea_50=other))
    assert judgement.verdict == expected


def late(back, noise=0.0):
    """A hold-out that wanders, and a long window that shows it so many tests later."""
    chance = np.random.default_rng(2)
    truth = 0.7 + 0.1 * np.sin(np.arange(len(AT) + 9)) + chance.normal(0, 0.02, len(AT) + 9)
    window = truth[9 - back : len(truth) - back] + chance.normal(0, noise, len(AT))
    return {"following": following(truth[9:], window_10000=window)}


def test_a_long_window_is_late():
    """Half of 10,000 instances is one test of each 4,000."""
    on_time, one_late = late(0), late(1)
    assert verdict("long_window_is_late", everywhere(on_time)).verdict == FAILS
    judgement = verdict("long_window_is_late", everywhere(on_time, sea_50=one_late))
    assert judgement.verdict == HOLDS
    assert "sea_50: closer to hold_out of 4,000 instances ago by" in judgement.reason
    between = {
        "following": following(
            np.random.default_rng(3).normal(0.7, 0.05, len(AT)),
            window_10000=np.random.default_rng(4).normal(0.7, 0.05, len(AT)),
        )
    }
    assert verdict("long_window_is_late", everywhere(on_time, sea_50=between)).verdict == OPEN


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, FAILS),
        ({LONG: 0.01}, HOLDS),  # the long window is better there, and worse elsewhere
        ({LONG: 0.0195}, OPEN),
        ({"adwin": 0.1}, FAILS),
    ],
)
def test_the_best_window_differs(changed, expected):
    frames = everywhere({}, sea_50={"closer": closer(BEST | changed)})
    judgement = verdict("optimal_window_differs", frames)
    assert judgement.verdict == expected
    assert "led_50000 window_1000" in judgement.reason


FRAMES = {"distances": distances(0.01), **late(1)}
FRAMES["following"] = pd.concat(
    [FRAMES["following"], following(np.tile([0.1, 0.9], 125))[:250].assign(estimator=SHORT)]
)
OF_FIGURE_4 = [key for key, predicate in ESTIMATE_CLAIMS.items() if predicate.needs]


@pytest.mark.parametrize("key", OF_FIGURE_4)
def test_short_sections_missing_streams_and_missing_estimates_are_not_judged(key):
    short = verdict(key, everywhere(FRAMES), instances=50_000)
    assert short.verdict == "not run: lower scale"
    assert "needs instances 1000000 too" in short.reason
    assert not verdict(key, everywhere(FRAMES)).verdict.startswith("not run")
    fewer = verdict(key, dict.fromkeys(DRIFTING_STREAMS[1:], FRAMES))
    if key == "long_window_is_late":  # which one stream is enough for
        assert fewer.verdict == HOLDS
        fewer = verdict(key, dict.fromkeys(DRIFTING_STREAMS[1:], late(0)))
    assert fewer.verdict == "not run"
    assert f"for the stream {DRIFTING_STREAMS[0]}" in fewer.reason
    other = {part: frame.assign(estimator="other") for part, frame in FRAMES.items()}
    other["closer"] = closer({"other": 0.1, "another": 0.2})
    lacking = verdict(key, everywhere(other))
    assert lacking.verdict == "not run"
    assert f"of {TREE}" in lacking.reason
