"""The claims of Grzenda et al. (2019) on accuracies by bin, with made-up curves."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from streameval.evaluation.bins import differences_between_bins
from streameval.evaluation.error_simulation import dependent_errors
from streameval.papers.grzenda2019 import by_bin
from streameval.papers.grzenda2019.claims import CLAIMS
from streameval.papers.grzenda2019.published import (
    ADAPTIVE_FOREST,
    ADAPTIVE_TREE,
    AGRAWAL,
    AIRLINES,
    ALL_LEARNERS,
    BIN_FIGURES,
    COVERTYPE,
    ELECTRICITY,
    HOEFFDING_TREE,
    HYPERPLANE,
    KNN,
    LED,
    MAJORITY,
    N_LABELS,
    NAIVE_BAYES,
    NO_CHANGE,
    TRAINED_LEARNERS,
    Accuracies,
    Cell,
    paired_gaps,
)
from streameval.report.claims import judge
from streameval.report.results import Results
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import stream_mean

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"
FLAT, RISING, FALLING = (0.5,) * 4, (0.5, 0.6, 0.7, 0.75), (0.75, 0.7, 0.6, 0.5)
LOW, HIGH = (0.4,) * 4, (0.8,) * 4
SHOWN = (0, 25, 45, 51)
#: Nearly on a line of its bins, and far from one.
LINE, BENT = (0.5, 0.6, 0.68, 0.704), (0.5, 0.9, 0.5, 0.5)


@functools.cache
def compared(curves, calm):
    """The differences between accuracies in bins 0, 25, 45 and 51, by learner.

    A label has a level of difficulty for all learners, up to which their accuracy is; or each is
    correct in a single stretch of labels, elsewhere than others: then no difference is known well.
    """
    n, accuracy = 2000, dict(curves)
    level, right = np.random.default_rng(8).random(n), {}
    for place, name in enumerate(ALL_LEARNERS):
        difficulty = level if calm else (np.arange(n) / n + place / len(ALL_LEARNERS)) % 1.0
        right[name] = difficulty[:, None] < np.array(accuracy.get(name, FLAT))
    differences, bins = differences_between_bins(right, (0, 1, 2, 3)), dict(enumerate(SHOWN))
    return differences.replace({"bin": bins, "other_bin": bins})


def frames(stream, curves, half=0.001):
    """The frames of a figure; accuracies in bins 0, 25, 45 and 51, between them linear."""
    parts = []
    for name in ALL_LEARNERS:
        accuracy = np.interp(np.arange(52), SHOWN, curves.get(name, FLAT))
        ends = {"low": accuracy - half, "high": accuracy + half}
        part = {"learner": name, "bin": range(52), "accuracy": accuracy, **ends}
        parts.append(pd.DataFrame(part))
    folder = f"{BIN_FIGURES[stream]}/{stream}"
    reached = {"labels": [1, N_LABELS[stream]], "learner": KNN, "bin": 45, "correct": 1}
    size = pd.DataFrame({"labels": [N_LABELS[stream]]})
    return {
        f"{folder}.bins": pd.concat(parts, ignore_index=True),
        f"{folder}.pairs": compared(tuple(curves.items()), half < 1.0),
        f"{folder}.stages": pd.DataFrame(reached),
        f"{folder}.size": size,
    }


def verdict(key, *figures, half=0.001):
    results = [frames(stream, curves, half) for stream, curves in figures]
    return judge(
        CLAIMS[key], Results({name: frame for part in results for name, frame in part.items()})
    )


def only(*names, curve=HIGH):
    return dict.fromkeys(names, curve)


BEST_FIRST = only(NAIVE_BAYES, HOEFFDING_TREE, ADAPTIVE_TREE, ADAPTIVE_FOREST)
GROWING = only(*TRAINED_LEARNERS, curve=RISING)
#: By claim: its streams, curves that it holds for, and curves that it fails for.
CASES = {
    "hyperplane_best_first": (HYPERPLANE, BEST_FIRST, BEST_FIRST | {KNN: (0.9,) * 4}),
    "hyperplane_grows": (HYPERPLANE, GROWING, GROWING | {HOEFFDING_TREE: FALLING}),
    "airlines_best_last": (
        AIRLINES,
        {KNN: (0.9,) * 4, NAIVE_BAYES: HIGH, ADAPTIVE_FOREST: HIGH},
        {KNN: HIGH, NAIVE_BAYES: (0.9,) * 4, ADAPTIVE_FOREST: HIGH},
    ),
    "airlines_similar_first": (AIRLINES, {}, {KNN: (0.53, 0.5, 0.5, 0.5)}),
    "airlines_benefit": (AIRLINES, GROWING, GROWING | {ADAPTIVE_FOREST: FALLING}),
    "electricity_no_change_last": (ELECTRICITY, only(NO_CHANGE), only(NO_CHANGE, curve=LOW)),
    "electricity_knn_first": (
        ELECTRICITY,
        only(KNN),
        only(KNN, HOEFFDING_TREE) | {HOEFFDING_TREE: (0.9,) * 4},
    ),
    "electricity_hat_above_knn": (
        ELECTRICITY,
        {KNN: FALLING, ADAPTIVE_TREE: (0.6,) * 4},
        only(KNN),
    ),
    "electricity_knn_falls": (ELECTRICITY, {KNN: FALLING}, {KNN: (0.5, 0.5, 0.49, 0.49)}),
    "electricity_other_best": (ELECTRICITY, {KNN: FALLING, NO_CHANGE: RISING}, only(KNN)),
    "electricity_best_before_label": (ELECTRICITY, GROWING, GROWING | {KNN: FALLING}),
    "covertype_naive_bayes_first": (COVERTYPE, only(NAIVE_BAYES), only(NAIVE_BAYES, curve=LOW)),
    "covertype_rise_late": (COVERTYPE, GROWING, GROWING | {KNN: (0.5, 0.6, 0.7, 0.71)}),
    "led_increases": (LED, GROWING, GROWING | {KNN: FALLING}),
    "agrawal_increases": (AGRAWAL, GROWING, GROWING | {KNN: (0.5, 0.5, 0.5, 0.51)}),
    "agrawal_late_beat_first": (AGRAWAL, GROWING, GROWING | {NO_CHANGE: HIGH}),
    "agrawal_hat_best_late": (
        AGRAWAL,
        {ADAPTIVE_TREE: (0.5, 0.5, 0.7, 0.7)},
        {ADAPTIVE_TREE: (0.5, 0.5, 0.7, 0.7), KNN: (0.5, 0.5, 0.5, 0.8)},
    ),
}


@pytest.mark.parametrize("key", CASES)
def test_claims_by_intervals(key):
    stream, good, bad = CASES[key]
    assert verdict(key, (stream, good)).verdict == HOLDS
    assert verdict(key, (stream, bad)).verdict == FAILS
    assert verdict(key, (stream, good), half=1.0).verdict == OPEN


@pytest.mark.parametrize(
    ("key", "stream", "good", "bad"),
    [
        ("hyperplane_linear", HYPERPLANE, only(*TRAINED_LEARNERS, curve=LINE), {KNN: BENT}),
        ("airlines_majority_stays", AIRLINES, {}, {MAJORITY: (0.5, 0.5, 0.511, 0.511)}),
        (
            "airlines_gains_differ",
            AIRLINES,
            {KNN: (0.5, 0.5, 0.5, 0.6), HOEFFDING_TREE: (0.5, 0.5, 0.5, 0.53)},
            {KNN: (0.5, 0.5, 0.5, 0.6), HOEFFDING_TREE: (0.5, 0.5, 0.5, 0.519)},
        ),
        (
            "covertype_outperformed_late",
            COVERTYPE,
            {
                NAIVE_BAYES: (0.66,) * 4,
                ADAPTIVE_TREE: RISING,
                ADAPTIVE_FOREST: RISING,
            },  # from bin 38 on
            {
                NAIVE_BAYES: (0.51,) * 4,
                ADAPTIVE_TREE: RISING,
                ADAPTIVE_FOREST: RISING,
            },  # from bin 3 on
        ),
        ("no_change_most_variable", ELECTRICITY, {NO_CHANGE: RISING}, {KNN: RISING}),
        ("agrawal_not_simple", AGRAWAL, GROWING | {KNN: FALLING}, GROWING),
    ],
)
def test_claims_by_the_accuracies_alone(key, stream, good, bad):
    start = only(*TRAINED_LEARNERS, curve=LINE) if key == "hyperplane_linear" else {}
    assert verdict(key, (stream, good)).verdict == HOLDS
    assert verdict(key, (stream, start | bad)).verdict == FAILS


def accuracies_of(*errors):
    """The accuracies of learners in a bin, as those of a figure."""
    right = {
        str(number): ~errors_of_learner[:, None] for number, errors_of_learner in enumerate(errors)
    }
    ends = {
        name: Interval(*stream_mean(errors_of_learner[:, 0])[:3])
        for name, errors_of_learner in right.items()
    }
    cells = {Cell(name, 0): interval for name, interval in ends.items()}
    return Accuracies("a", cells, 1, paired_gaps(differences_between_bins(right, (0,))))


@pytest.mark.parametrize(("dependence", "shared"), [(0.0, 0.7), (0.9, 0.0)])
def test_gaps_between_equal_learners_hold_0(dependence, shared):
    # Of 200 streams by more than sampling error, whether errors are of the same instances or not.
    draws, missed, n = np.random.default_rng(6), 0, 3000
    for _ in range(200):
        errors = dependent_errors(draws, np.full(n, 0.3), dependence, 3)
        errors[1:] = np.where(draws.random(n) < shared, errors[0], errors[1:])
        gap = accuracies_of(*errors[1:]).gap(Cell("0", 0), Cell("1", 0))
        missed += gap.above() is not None
    assert missed <= binom.ppf(0.999, 200, 0.05)


def test_gaps_are_those_at_the_same_labels():
    """Most errors of two learners are at the same labels, which come in stretches."""
    draws, n = np.random.default_rng(2), 6227
    hard = dependent_errors(draws, np.full(n, 0.4), 0.9, 1)[0]
    accuracies = accuracies_of(hard, hard | (draws.random(n) < 0.1), hard)
    cell, other, same = (Cell(name, 0) for name in "012")
    assert accuracies.gap(cell, other).above() is True
    assert accuracies.gap(other, cell).above() is False
    assert accuracies._replace(paired={}).gap(cell, other).above() is None  # taken as independent
    assert accuracies.gap(cell, same) == (0.0, 0.0, 0.0)  # correct at the same labels


def test_what_is_undecided_says_what_digits_alone_say():
    better = {KNN: RISING}
    reason = verdict("electricity_knn_first", (ELECTRICITY, only(KNN)), half=1.0).reason
    assert "by digits alone it holds" in reason
    assert "by digits" not in verdict("electricity_knn_first", (ELECTRICITY, only(KNN))).reason
    reason = verdict("electricity_knn_falls", (ELECTRICITY, better), half=1.0).reason
    assert "by digits alone it does not hold" in reason


def test_where_no_line_fits():
    straight = only(*TRAINED_LEARNERS, curve=LINE)
    key, bent = "no_linear_trend", straight | {KNN: BENT}
    assert verdict(key, (AIRLINES, bent), (ELECTRICITY, bent)).verdict == HOLDS
    assert verdict(key, (AIRLINES, bent), (ELECTRICITY, straight)).verdict == FAILS
    assert verdict(key, (AIRLINES, bent)).verdict == "not run"


def test_the_last_bin_in_all_experiments():
    key, growing = "last_bin_optimistic", only(*ALL_LEARNERS, curve=RISING)
    everywhere = [(stream, growing) for stream in BIN_FIGURES]
    assert verdict(key, *everywhere).verdict == HOLDS
    assert verdict(key, *everywhere, half=1.0).verdict == OPEN
    assert verdict(key, *everywhere[:-1]).verdict == "not run"
    # One that fails decides, though covtype is missing.
    some = [(stream, growing) for stream in BIN_FIGURES if stream not in (COVERTYPE, LED)]
    assert verdict(key, *some, (LED, growing | {MAJORITY: FALLING})).verdict == FAILS


@pytest.mark.parametrize(("rising", "expected"), [(4, HOLDS), (3, FAILS)])
def test_typically_is_more_than_half_of_the_streams(rising, expected):
    curves = [RISING] * rising + [FALLING] * (len(BIN_FIGURES) - rising)
    figures = [(stream, {KNN: curve}) for stream, curve in zip(BIN_FIGURES, curves, strict=True)]
    assert verdict("knn_better_late", *figures).verdict == expected
    assert verdict("knn_better_late", *figures, half=1.0).verdict == OPEN
    assert verdict("knn_better_late", *figures[:-1]).verdict == "not run"


def test_attributes_and_latency_of_agrawal():
    """Of MOA's generator elevel, car and zipcode are nominal; the text says 6 and 3."""
    assert by_bin.ATTRIBUTE_COUNTS == (6, 3)
    assert verdict("agrawal_attributes", (AGRAWAL, {})).verdict == FAILS
    assert by_bin.label_delay(AGRAWAL) == 1000  # config/streams.yaml
    assert verdict("agrawal_latency", (AGRAWAL, {})).verdict == FAILS


@pytest.mark.parametrize(("instances", "expected"), [(581_383, HOLDS), (581_012, FAILS)])
def test_instances_of_covertype(instances, expected):
    row = {"stream": COVERTYPE, "simulated": False, "instances": instances}
    table = {"zliobaite2015/table3": pd.DataFrame([row])}
    assert judge(CLAIMS["covertype_instances"], Results(table)).verdict == expected


@pytest.mark.parametrize(("inputs", "expected"), [(24, HOLDS), (7, FAILS)])
def test_inputs_of_led(inputs, expected):
    size = {f"{BIN_FIGURES[LED]}/{LED}.size": pd.DataFrame({"attributes": [inputs]})}
    assert judge(CLAIMS["led_inputs"], Results(size)).verdict == expected


def waiting(stream, latency, unit="minutes"):
    rows = {"class": "a", "labels": 100, "fraction": np.linspace(0, 1, len(latency))}
    frame = pd.DataFrame(rows | {"latency": latency, "unit": unit})
    return Results({f"beyond/label_waiting/{stream}.latency": frame})


@pytest.mark.parametrize(
    ("key", "stream", "latency", "expected"),
    [
        ("airlines_delays", AIRLINES, [60, 110, 130, 300, 790], HOLDS),
        ("airlines_delays", AIRLINES, [60, 110, 130, 300, 780], FAILS),
        ("airlines_delays", AIRLINES, [60, 61, 62, 300, 790], FAILS),
        ("electricity_delays", ELECTRICITY, [1410, 2000, 2940], HOLDS),
        ("electricity_delays", ELECTRICITY, [1100, 2000, 2940], FAILS),
    ],
)
def test_delays_of_labels(key, stream, latency, expected):
    assert judge(CLAIMS[key], waiting(stream, latency)).verdict == expected
    assert judge(CLAIMS[key], waiting(stream, latency, "hours")).verdict == "not run"


@pytest.mark.parametrize(
    ("of_knn", "of_tree", "expected"),
    [
        ((0.6, 0.7), (0.7, 0.6), HOLDS),
        ((0.7, 0.6), (0.6, 0.7), FAILS),
        ((0.7, 0.6), (0.7, 0.6), "claim holds in part"),
        ((0.6, 0.7, 0.7), (0.7, 0.65, 0.6), HOLDS),
        ((0.6, 0.5, 0.7), (0.7, 0.5, 0.6), "claim holds in part"),  # it recovers in between
    ],
)
def test_after_the_first_drift(of_knn, of_tree, expected):
    parts = [
        pd.DataFrame({"labels": at, "learner": name, "bin": 45, "correct": np.multiply(at, ends)})
        for at in ([2000, 5000, 10_000] if len(of_tree) == 3 else [2000, 10_000],)
        for name, ends in ((KNN, of_knn), (ADAPTIVE_TREE, of_tree))
    ]
    frames_by_name = {f"{BIN_FIGURES[AGRAWAL]}/{AGRAWAL}.stages": pd.concat(parts)}
    assert judge(CLAIMS["agrawal_after_drift"], Results(frames_by_name)).verdict == expected


# --- Predictions made, and numbers of bins ----------------------------------------------


def costs(figure, labels=N_LABELS[AIRLINES], **columns):
    size = len(next(iter(columns.values())))
    at = np.linspace(1, labels, size).astype(int)
    frame = pd.DataFrame({"labels": at, "every": 10, "per_label": 10.0} | columns)
    every = (5, 10, 20, 50) if figure == "fig12" else (10,)
    parts = [frame.assign(every=number) for number in every]
    return Results({f"grzenda2019/{figure}/{AIRLINES}.repredictions": pd.concat(parts)})


@pytest.mark.parametrize(
    ("key", "predicted", "buffered", "expected"),
    [
        ("made_and_stored", [1, 2, 3, 4, 5], [2, 4, 6, 8, 9], HOLDS),
        ("made_and_stored", [1, 2, 3, 4, 5], [9, 4, 6, 2, 1], FAILS),
        ("both_drop", [1, 8, 8, 3, 8], [1, 8, 8, 4, 8], HOLDS),
        ("both_drop", [1, 8, 8, 3, 8], [1, 8, 8, 7, 8], FAILS),  # low at the beginning alone
    ],
)
def test_predictions_made_and_stored(key, predicted, buffered, expected):
    assert judge(CLAIMS[key], costs("fig11", made=predicted, buffered=buffered)).verdict == expected
    few = costs("fig11", 100, made=predicted, buffered=buffered)
    assert judge(CLAIMS[key], few).verdict.startswith("not run")


@pytest.mark.parametrize(
    ("later", "expected"), [([8.1] * 10 + [10.0], HOLDS), ([7.9] * 10 + [10.0], FAILS)]
)
def test_all_are_stable(later, expected):
    results = costs("fig12", per_label=[1.0, *later])
    assert judge(CLAIMS["all_stable"], results).verdict == expected


@pytest.mark.parametrize(("rough", "expected"), [(0, HOLDS), (100, FAILS)])
def test_more_bins_are_smoother(rough, expected):
    parts = []
    for bins in (5, 10, 20, 50, 100):
        accuracy = np.linspace(0.5, 0.9, bins)
        if bins == rough:
            accuracy[::2] = 0.1
        part = {"learner": NO_CHANGE, "bins": bins, "bin": range(1, bins + 1)}
        parts.append(pd.DataFrame(part | {"accuracy": accuracy, "predictions": 44_204}))
    frames_by_name = {f"grzenda2019/fig13/{ELECTRICITY}.bin_numbers": pd.concat(parts)}
    assert judge(CLAIMS["more_bins_are_smoother"], Results(frames_by_name)).verdict == expected
