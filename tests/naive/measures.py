"""Slow, literal twins of `streameval.measures`: plain loops over plain numbers.

They share no code with the package, and where there are two formulas, use the other one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from naive.detectors import Adwin

NAN = math.nan


def no_change(true):
    return [-1 if t == 0 else true[t - 1] for t in range(len(true))]


def majority(true, k):
    """The most frequent class so far; among equals, the first to have got that far."""
    answers, counts, leader = [], [0] * k, -1
    for label in map(int, true):
        answers.append(leader)
        counts[label] += 1
        if leader < 0 or counts[label] > counts[leader]:
            leader = label
    return answers


def at_once(true, k):
    """The baselines' answers where each label is known before the next prediction."""
    return {"no_change": no_change(true), "majority": majority(true, k)}


def confusion(true, predicted, k, weights=None):
    table = [[0.0] * (k + 1) for _ in range(k)]
    for t in range(len(true)):
        table[true[t]][predicted[t]] += 1.0 if weights is None else weights[t]
    return table  # index -1 is the last column: no answer


def column_sums(table):
    return [sum(column) for column in zip(*table, strict=True)]


def wrong(true, answers, weights=None):
    pairs = range(len(true))
    return sum((1.0 if weights is None else weights[t]) for t in pairs if answers[t] != true[t])


def quotient(a, b):
    return a / b if b != 0 else NAN


def mean(values):
    return sum(values) / len(values) if values else NAN


def skill(p, comparator):
    return quotient(p - comparator, 1 - comparator)


def measures(true, predicted, k, no_change_predictions, majority_predictions):
    """All measures by name, from the lists of labels."""
    n, classes = len(true), range(k)
    events = list(zip(true, predicted, strict=True))
    out = {}
    p0 = out["accuracy"] = sum(y == a for y, a in events) / n
    out["chance_accuracy"] = chance = (
        sum(true.count(c) * predicted.count(c) for c in classes) / n**2
    )
    out["kappa"] = skill(p0, chance)
    p_no_change = sum(y == a for y, a in zip(true, no_change_predictions, strict=True)) / n
    p_majority = sum(y == a for y, a in zip(true, majority_predictions, strict=True)) / n
    out["kappa_temporal"] = skill(p0, p_no_change)
    out["kappa_m"] = skill(p0, p_majority)
    both = (out["kappa"], out["kappa_temporal"])
    undefined = any(math.isnan(v) for v in both)
    out["kappa_combined"] = NAN if undefined else math.sqrt(max(0, both[0]) * max(0, both[1]))
    error = NAN if chance == 1 else math.sqrt(p0 * (1 - p0) / (n * (1 - chance) ** 2))
    out["kappa_standard_error"] = error
    null_error = NAN if chance == 1 else math.sqrt(chance / (n * (1 - chance)))
    z = out["kappa_z"] = quotient(out["kappa"], null_error)
    out["kappa_p_value"] = 0.5 * math.erfc(z / math.sqrt(2))
    out.update(class_means(true, predicted, k))
    out["mcc"] = correlation(true, predicted, k)
    binary = {"f1_prime": NAN, "determinant": NAN}
    if k == 2:
        binary = binary_measures(events)
    return out | binary


def class_means(true, predicted, k):
    hits = [sum(y == a == c for y, a in zip(true, predicted, strict=True)) for c in range(k)]
    recalls = [hits[c] / true.count(c) for c in range(k) if true.count(c)]
    precisions = [hits[c] / predicted.count(c) for c in range(k) if predicted.count(c)]
    f1s = [
        2 * hits[c] / (true.count(c) + predicted.count(c))
        for c in range(k)
        if true.count(c) + predicted.count(c)
    ]
    missed = 0 in recalls
    return {
        "arithmetic_mean": mean(recalls),
        "geometric_mean": math.prod(recalls) ** (1 / len(recalls)),
        "harmonic_mean": 0.0 if missed else len(recalls) / sum(1 / r for r in recalls),
        "macro_precision": mean(precisions),
        "macro_recall": mean(recalls),
        "macro_f1": mean(f1s),
    }


def correlation(true, predicted, k):
    """R_K as the correlation of indicator vectors; no answer (-1) is a category of its own."""

    def covariance(a, b):
        total = 0.0
        for c in range(-1, k):
            mean_a, mean_b = a.count(c) / len(a), b.count(c) / len(b)
            pairs = zip(a, b, strict=True)
            total += sum(((x == c) - mean_a) * ((y == c) - mean_b) for x, y in pairs)
        return total

    if len(set(true)) == 1 or len(set(predicted)) == 1:
        return NAN
    return covariance(true, predicted) / math.sqrt(
        covariance(true, true) * covariance(predicted, predicted)
    )


def binary_measures(events):
    count = {(y, a): 0 for y in (0, 1) for a in (-1, 0, 1)}
    for event in events:
        count[event] += 1
    tn, tp = count[0, 0], count[1, 1]
    fp, fn = count[0, 1] + count[0, -1], count[1, 0] + count[1, -1]
    if tp + fn == 0 or tn + fp == 0:
        f1_prime = NAN
    elif tp == 0 or tn == 0:
        f1_prime = 0.0
    else:
        f1_prime = 1 / (1 + 0.5 * (fn / tp + fp / tn))
    determinant = tp * tn - count[0, 1] * count[1, 0]
    return {"f1_prime": f1_prime, "determinant": float(determinant)}


def fading_weights(t, fading):
    """Weights of the first t events after the t-th."""
    return [fading ** (t - 1 - i) for i in range(t)]


def algorithm_1(true, predicted, k, smoothing):
    """Algorithm 1 line by line; (p, P, P_h, P(i|i)) after each instance. Classes from 0."""
    p, y_previous = 0.0, 0
    prior, predicted_prior, persistence = [1 / k] * k, [1 / k] * k, [1 / k] * k
    out = []
    for y, answer in zip(true, predicted, strict=True):
        p = smoothing + p * (1 - smoothing) if answer == y else p * (1 - smoothing)
        for i in range(k):
            if i == y:
                prior[i] = smoothing + prior[i] * (1 - smoothing)
                if i == y_previous:
                    persistence[i] = smoothing + persistence[i] * (1 - smoothing)
                else:
                    persistence[i] = persistence[i] * (1 - smoothing)
            else:
                prior[i] = prior[i] * (1 - smoothing)
            if i == answer:
                predicted_prior[i] = smoothing + predicted_prior[i] * (1 - smoothing)
            else:
                predicted_prior[i] = predicted_prior[i] * (1 - smoothing)
        y_previous = y
        out.append((p, list(prior), list(predicted_prior), list(persistence)))
    return out


def moa_estimate(values, evaluator, parameter):
    """One estimator's answer after the values, computed from all of them anew."""
    n = len(values)
    if evaluator == "basic":
        return sum(values) / n
    if evaluator == "window":
        recent = values[-int(parameter) :]
        return sum(recent) / len(recent)
    if evaluator == "fading":
        weights = fading_weights(n, parameter)
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    if evaluator == "ewma":
        estimate = 0.0
        for v in values:
            estimate += parameter * (v - estimate)
        return estimate
    adwin = Adwin(parameter)
    for v in values:
        adwin.insert(float(v))
    return adwin.mean


def moa_evaluate(true, predicted, k, evaluator, parameter, missing=0):
    """(accuracy, kappa, kappa_temporal, kappa_m) after the last event, NaN or -inf unguarded.

    MOA takes a missing prediction for class 0; -1 for `missing` is none of the classes.
    """
    majority_hits = []
    for t in range(len(true)):
        shares = [
            moa_estimate([y == c for y in true[: t + 1]], evaluator, parameter) for c in range(k)
        ]
        majority_hits.append(shares.index(max(shares)) == true[t])
    last = [0, *true[:-1]]
    answers = [missing if a < 0 else a for a in predicted]
    pairs = list(zip(true, answers, strict=True))
    p0 = moa_estimate([y == a for y, a in pairs], evaluator, parameter)
    chance = sum(
        moa_estimate([a == c for a in answers], evaluator, parameter)
        * moa_estimate([y == c for y in true], evaluator, parameter)
        for c in range(k)
    )
    p_no_change = moa_estimate(
        [y == a for y, a in zip(true, last, strict=True)], evaluator, parameter
    )
    p_majority = moa_estimate(majority_hits, evaluator, parameter)

    def unguarded(p):
        if p == 1:
            return NAN if p0 == 1 else -math.inf
        return (p0 - p) / (1 - p)

    return (p0, unguarded(chance), unguarded(p_no_change), unguarded(p_majority))


def mean_absolute_error(true: Sequence[float], predicted: Sequence[float]) -> float:
    errors = [abs(Fraction(y) - Fraction(p)) for y, p in zip(true, predicted, strict=True)]
    return float(sum(errors) / len(errors))


def _squares(true: Sequence[float], predicted: Sequence[float]) -> Fraction:
    errors = [Fraction(y) - Fraction(p) for y, p in zip(true, predicted, strict=True)]
    return sum((error * error for error in errors), Fraction(0))


def root_mean_squared_error(true: Sequence[float], predicted: Sequence[float]) -> float:
    return math.sqrt(_squares(true, predicted) / len(true))


def r_squared(true: Sequence[float], predicted: Sequence[float]) -> float:
    mean = sum(map(Fraction, true)) / len(true)
    around = _squares(true, [mean] * len(true))
    return float(1 - _squares(true, predicted) / around) if around else math.nan
