"""Claims of Bifet et al. (2015) on how often tests reject, Section 4.1, with made-up rates."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from helpers.rejections import Frames, rates, results
from helpers.scorecards import judged

from streameval.items import kinds
from streameval.papers.bifet2015.published import (
    CV,
    EQUAL_ACCURACY_TOLERANCE,
    NOISE_LEVELS,
    SPLIT,
    STREAM_LENGTHS,
)
from streameval.papers.bifet2015.rejections import REJECTION_CLAIMS
from streameval.report.names import SCHEME_TITLES
from streameval.report.results import Results

KIND = kinds()["type_errors"]

HOLDS, IN_PART = "claim holds", "claim holds in part"
FAILS, OPEN = "claim does not hold", "claim undecided"
BOOT = "bootstrap_validation"
SIGN = "sign_printed"
SEA = ("sea_50", "sea_50000")
#: Rates of which every claim holds: of a cell, the first line that fits it counts.
USUAL = {
    ("mcnemar", "same", CV): 0.55,
    ("mcnemar", "same", BOOT): 0.6,
    ("mcnemar", "same", SPLIT): 0.7,
    ("same", CV): 0.07,
    ("same", BOOT): 0.08,
    ("same", SPLIT): 0.1,
    ("mcnemar", CV): 0.95,
    ("mcnemar", BOOT): 0.93,
    ("mcnemar", SPLIT): 0.5,
    (SIGN, CV): 0.9,
    (SIGN, BOOT): 0.88,
    (SIGN, SPLIT): 0.3,
    ("wilcoxon", CV, SEA[0]): 0.95,
    ("wilcoxon", CV, SEA[1]): 0.95,
    ("wilcoxon", BOOT, SEA[0]): 0.9,
    ("wilcoxon", BOOT, SEA[1]): 0.9,
    ("wilcoxon", SPLIT): 0.4,
    ("wilcoxon",): 1.0,
}
SECONDS = {BOOT: 100.0, CV: 200.0, SPLIT: 100.0}


def usual(changed):
    """The usual rates behind changed ones."""
    return (changed or {}) | {cell: v for cell, v in USUAL.items() if cell not in (changed or {})}


def study(changed=None, spread=0.0, seconds=None, short=None, half=0.02):
    """The study of all streams, with runs of 1000 instances beside the full ones."""
    chance = np.random.default_rng(1)
    frames: Frames = {}
    for stream, instances in STREAM_LENGTHS.items():
        full = rates({stream: instances}, half=half, changed=usual(changed))
        moved = np.clip(full["value"] + chance.normal(0, spread, len(full)), 0, 1)
        full = full.assign(value=moved if spread else full["value"])
        early = rates({stream: 1000}, changed=usual(short))
        frames[f"bifet2015/errors/{stream}.rates"] = pd.concat([early, full])
        spent = pd.DataFrame({"scheme": list(SCHEME_TITLES), "runs": 2})
        times = [2 * (seconds or SECONDS)[scheme] for scheme in SCHEME_TITLES]
        frames[f"bifet2015/errors/{stream}.seconds"] = spent.assign(seconds=times)
    return frames


def verdict(key, frames):
    return judged("bifet2015", key, Results(frames))


@cache
def usual_study():
    return study()


@cache
def of_study(key):
    return verdict(key, usual_study()).verdict


@pytest.mark.parametrize(
    ("key", "changed", "spread", "expected"),
    [
        ("null_gap_between_tests", {("mcnemar", "same", CV): 0.2}, 0, FAILS),
        ("null_gap_between_tests", {("mcnemar", "same", CV): 0.27}, 0.05, OPEN),
        # Six rates that are far apart; and such that are close, but too low to detect anything.
        ("tests_comparable_power", {("mcnemar", CV): 0.6, (SIGN, CV): 0.8}, 0, FAILS),
        ("tests_comparable_power", {(CV, "noise 0.1"): 0.3}, 0, FAILS),
        ("overall_by_validation", {("same", SPLIT): 0.0, (SPLIT,): 0.95}, 0, FAILS),
        ("overall_by_validation", {(BOOT,): 0.3}, 0, FAILS),
        ("overall_by_validation", {("same",): 0.1, (BOOT,): 0.9, (CV,): 0.9}, 0.05, OPEN),
        # Bootstrap is closer to split; split is best; false rejections are another matter.
        ("more_examples_help", {("same", SPLIT): 0.05}, 0, FAILS),
        ("more_examples_help", {(SPLIT, "noise 0.1"): 1.0, (SPLIT, "noise 0.05"): 1.0}, 0, FAILS),
        ("more_examples_help", {("same",): 0.1}, 0.05, OPEN),
        ("split_cannot_distinguish", {("wilcoxon", SPLIT, "noise 0.1"): 0.6}, 0, FAILS),
        ("split_cannot_distinguish", {("wilcoxon", SPLIT, "noise 0.1"): 0.5}, 0, OPEN),
        ("split_cannot_distinguish", {("wilcoxon", SPLIT, "noise 0.1"): 0.48}, 0, HOLDS),
        ("little_difference_of_modes", {("mcnemar", "learnt", "same", SPLIT): 0.42}, 0, FAILS),
        ("little_difference_of_modes", {("mcnemar", "learnt", "same", SPLIT): 0.66}, 0, HOLDS),
        ("little_difference_of_modes", {("mcnemar", "learnt", "same", SPLIT): 0.65}, 0.05, OPEN),
        ("mcnemar_overestimates", {("mcnemar", "same", CV): 0.02}, 0, FAILS),
        ("mcnemar_overestimates", {("mcnemar", "same", CV): 0.06}, 0, OPEN),
        ("mcnemar_overestimates", {("mcnemar", "same", CV): 0.08}, 0, HOLDS),
        ("wilcoxon_more_discriminative", {("wilcoxon", CV): 0.8}, 0, FAILS),
        ("wilcoxon_more_discriminative", {(SIGN, CV): 0.99}, 0.05, OPEN),
        ("wilcoxon_best_schemes", {("wilcoxon", "learnt", "same", SPLIT): 0.01}, 0, FAILS),
        ("wilcoxon_best_schemes", {("wilcoxon", "held_out", "same", SPLIT): 0.01}, 0, HOLDS),
        ("wilcoxon_best_schemes", {("wilcoxon", "learnt", "same"): 0.1}, 0.05, OPEN),
        ("wilcoxon_perfect_but_sea", {("wilcoxon", noise): 0.98 for noise in NOISE_LEVELS}, 0,
         IN_PART),
        ("wilcoxon_perfect_but_sea", {("wilcoxon", "same"): 0.2}, 0, IN_PART),
        ("wilcoxon_perfect_but_sea", {("wilcoxon", "same"): 0.1}, 0, OPEN),
        ("wilcoxon_perfect_but_sea", {("wilcoxon", CV, SEA[0]): 1.0}, 0, IN_PART),
        ("wilcoxon_perfect_but_sea", {("wilcoxon", "same"): 0.2, ("wilcoxon", CV, SEA[0]): 1.0,
         ("wilcoxon",): 0.9}, 0, FAILS),
    ],
)  # fmt: skip
def test_a_claim_over_all_streams(key, changed, spread, expected):
    assert of_study(key) == HOLDS
    assert verdict(key, study(changed, spread)).verdict == expected


OVER_ALL = [key for key, predicate in REJECTION_CLAIMS.items() if predicate.needs]


@pytest.mark.parametrize("key", OVER_ALL)
def test_claims_are_judged_at_full_length_and_on_all_streams_only(key):
    whole = results(table2=rates({"all": 45_312}, changed=USUAL)) | usual_study()
    assert verdict(key, whole).verdict == HOLDS
    shorter = whole | {"bifet2015/errors/sea_50.rates": rates({"sea_50": 5000})}
    judgement = verdict(key, shorter)
    assert judgement.verdict == "not run: lower scale"
    assert "needs instances 1000000 too" in judgement.reason
    fewer = {name: frame for name, frame in whole.items() if "poker" not in name}
    judgement = judged("bifet2015", key, Results(fewer, {"poker": "no copy"}))
    assert judgement.verdict == "not run"
    assert "stream poker was not available: no copy" in judgement.reason


def test_a_study_without_a_scheme_is_not_judged():
    name = "bifet2015/errors/elec2.rates"
    frame = usual_study()[name]
    frames = usual_study() | {name: frame[frame["scheme"] != SPLIT]}
    judgement = verdict("more_examples_help", frames)
    assert judgement.verdict == "not run"
    assert "does not have all tests and schemes for elec2" in judgement.reason


def null(changed=None, half=0.02):
    return results(table2=rates({"all": 45_312}, 0.1, half, usual(changed)))


@pytest.mark.parametrize(
    ("changed", "expected", "share"),
    [
        ({}, HOLDS, 1),
        ({("mcnemar", "learnt", SPLIT): 0.39}, FAILS, 5 / 6),
        ({("mcnemar", "learnt", SPLIT): 0.42}, OPEN, 5 / 6),
        ({("mcnemar", "learnt", SPLIT): 0.45}, HOLDS, 1),
        ({("mcnemar",): 0.05}, FAILS, 0),
        # Noise is another matter, and so are other tests.
        ({("noise 0.1",): 0.1, (SIGN,): 0.9, ("wilcoxon",): 0.9}, HOLDS, 1),
    ],
)
def test_mcnemar_rejects_a_true_null(changed, expected, share):
    judgement = verdict("mcnemar_rejects_true_null", null(changed))
    assert (judgement.verdict, judgement.proportion) == (expected, pytest.approx(share))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ({BOOT: 100, CV: 100, SPLIT: 100}, FAILS),
        ({BOOT: 883, CV: 1105, SPLIT: 415}, HOLDS),
        ({BOOT: 883, CV: 1105, SPLIT: 100}, FAILS),
    ],
)
def test_power_per_second(seconds, expected):
    changed = {(BOOT,): 0.9, (SPLIT,): 0.4, (CV,): 0.91}
    assert verdict("bootstrap_most_efficient", study(changed, seconds=seconds)).verdict == expected


def test_times_of_a_run_are_not_compared():
    frames = {name: frame for name, frame in usual_study().items() if not name.endswith("seconds")}
    judgement = verdict("bootstrap_most_efficient", frames)
    assert judgement.verdict == "not run"
    assert "they depend on the machine" in judgement.reason


@pytest.mark.parametrize(
    ("key", "short", "expected"),
    [
        ("mcnemar_grows", {("mcnemar", "same"): 0.1}, HOLDS),
        ("mcnemar_grows", {}, FAILS),
        ("mcnemar_grows", {("mcnemar", "same", SPLIT): 0.9, ("mcnemar", "same"): 0.1}, FAILS),
        ("fold_power_fixed", {}, HOLDS),
        ("fold_power_fixed", {("same",): 0.0}, HOLDS),  # power is about noise
        ("fold_power_fixed", {("wilcoxon", SPLIT): 0.36}, HOLDS),
        ("fold_power_fixed", {("wilcoxon", SPLIT): 0.3}, FAILS),
        ("fold_power_fixed", {("wilcoxon", SPLIT, "elec2"): 0.0}, OPEN),  # on one stream of 13
        ("fold_power_fixed", {("mcnemar",): 0.0}, HOLDS),
    ],
)
def test_longer_runs(key, short, expected):
    assert verdict(key, study(short=short)).verdict == expected


@pytest.mark.parametrize("key", ["mcnemar_grows", "fold_power_fixed"])
def test_runs_of_one_length_say_nothing_of_longer_ones(key):
    frames = results(STREAM_LENGTHS)
    judgement = verdict(key, frames)
    assert judgement.verdict == "not run"
    assert "no two streams with runs of several lengths" in judgement.reason


@pytest.mark.parametrize(
    ("apart", "expected"),
    [
        (0.9 * EQUAL_ACCURACY_TOLERANCE, HOLDS),
        (1.1 * EQUAL_ACCURACY_TOLERANCE, FAILS),
        (-1.1 * EQUAL_ACCURACY_TOLERANCE, FAILS),
    ],
)
def test_the_printed_accuracy(apart, expected):
    rows = [
        (SPLIT, "learnt", noise, instances, 0.8, 0.03 + (apart if instances > 1000 else 1), 0.03)
        for noise in NOISE_LEVELS
        for instances in (1000, 5000)
    ]
    rows.append((SPLIT, "learnt", "same", 5000, 0.8, 0.5, 0.0))
    frame = pd.DataFrame(rows, columns=list(KIND.frames["gaps"]))
    assert verdict("noise_accuracy", {"bifet2015/errors/elec2.gaps": frame}).verdict == expected
    assert verdict("noise_accuracy", {}).verdict == "not run"
