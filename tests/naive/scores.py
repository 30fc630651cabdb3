"""Slow, literal twins of the measures of class scores: loops over pairs, and exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

NAN = math.nan


def probabilities(scores):
    """One row of scores as fractions that sum to one; uniform where there is no forecast."""
    if any(math.isnan(score) for score in scores) or not any(scores):
        return [Fraction(1, len(scores))] * len(scores), False
    exact = [Fraction(float(score)) for score in scores]
    return [score / sum(exact) for score in exact], True


def compared(scores):
    """One row of scores, in the form in which rows are compared."""
    known = probabilities(scores)[1]
    return list(scores) if known else [scores.dtype.type(1 / len(scores))] * len(scores)


def pairs_won(true, scores, i, j):
    """Pairs of one of class i and one of class j in which the right one has the higher score of i.

    Halves for equal scores, and the number of pairs.
    """
    rows = [compared(row) for row in scores]
    scores_of_class = [row[i] for row, y in zip(rows, true, strict=True) if y == i]
    others = [row[i] for row, y in zip(rows, true, strict=True) if y == j]
    won = Fraction(0)
    for a in scores_of_class:
        for b in others:
            won += 1 if a > b else Fraction(1, 2) if a == b else 0
    return won, len(scores_of_class) * len(others)


def mean(values):
    values = list(values)
    return float(sum(values) / len(values)) if values else NAN


def auc(true, scores):
    won, pairs = pairs_won(true, scores, 1, 0)
    return float(won / pairs) if pairs else NAN


def auc_one_vs_one(true, scores):
    """Eq. 3 and 7 of Hand and Till (2001), over the classes that occur."""
    classes = sorted(set(true))
    areas = []
    for i in classes:
        for j in classes:
            if i < j:
                (first, n), (other, _) = (pairs_won(true, scores, *ij) for ij in ((i, j), (j, i)))
                areas.append((first / n + other / n) / 2)
    return mean(areas)


def auc_one_vs_rest(true, scores):
    n, total = len(true), Fraction(0)
    if len(set(true)) < 2:
        return NAN
    for i in set(true):
        n_positive = true.count(i)
        won = sum(pairs_won(true, scores, i, j)[0] for j in set(true) - {i})
        total += Fraction(n_positive, n) * won / (n_positive * (n - n_positive))
    return float(total)


def log_losses(true, scores, floor):
    return [
        -math.log(max(float(probabilities(row)[0][y]), floor))
        for y, row in zip(true, scores, strict=True)
    ]


def brier_losses(true, scores):
    return [
        sum((p - (c == y)) ** 2 for c, p in enumerate(probabilities(row)[0]))
        for y, row in zip(true, scores, strict=True)
    ]


def top_accuracies(true, scores, size):
    """The chance that the true class has one of the first places, if equals are drawn in turn."""
    credited = []
    for y, row in zip(true, scores, strict=True):
        p = probabilities(row)[0]
        places = [place for place, q in enumerate(sorted(p, reverse=True), 1) if q == p[y]]
        credited.append(Fraction(sum(place <= size for place in places), len(places)))
    return credited


def bin_of(p, bins):
    return max(math.ceil(float(p) * bins) - 1, 0)


def calibration_error(true, scores, bins):
    members = {}
    for row, credit in zip(scores, top_accuracies(true, scores, 1), strict=True):
        top = max(probabilities(row)[0])
        members.setdefault(bin_of(top, bins), []).append((top, credit))
    gaps = [abs(sum(p - right for p, right in each)) for each in members.values()]
    return float(sum(gaps) / len(true))


def brier_terms(true, scores, bins):
    """Reliability, resolution, uncertainty and the two terms within bins, by their definitions."""
    n, k = len(true), len(scores[0])
    terms = dict.fromkeys(
        ("reliability", "resolution", "uncertainty", "within_variance", "within_covariance"),
        Fraction(0),
    )
    for c in range(k):
        events = [
            (probabilities(row)[0][c], int(y == c)) for y, row in zip(true, scores, strict=True)
        ]
        overall = Fraction(true.count(c), n)
        terms["uncertainty"] += overall * (1 - overall)
        for b in range(bins):
            events_of_bin = [event for event in events if bin_of(event[0], bins) == b]
            if not events_of_bin:
                continue
            p_mean, o_mean = (
                sum(column) / Fraction(len(events_of_bin))
                for column in zip(*events_of_bin, strict=True)
            )
            terms["reliability"] += Fraction(len(events_of_bin), n) * (p_mean - o_mean) ** 2
            terms["resolution"] += Fraction(len(events_of_bin), n) * (o_mean - overall) ** 2
            for p, o in events_of_bin:
                terms["within_variance"] += (p - p_mean) ** 2 / n
                terms["within_covariance"] += 2 * (p - p_mean) * (o - o_mean) / n
    return terms


def measures(true, scores, floor, bins):
    """All measures by name, of a list that is not empty."""
    k = len(scores[0])
    losses = log_losses(true, scores, floor)
    terms = brier_terms(true, scores, bins)
    return {
        "auc": auc(true, scores) if k == 2 else NAN,
        "auc_one_vs_one": auc_one_vs_one(true, scores),
        "auc_one_vs_rest": auc_one_vs_rest(true, scores),
        "log_loss": sum(losses) / len(losses),
        "log_loss_clipped": mean(
            Fraction(int(float(probabilities(row)[0][y]) < floor))
            for y, row in zip(true, scores, strict=True)
        ),
        "brier": mean(brier_losses(true, scores)),
        "expected_calibration_error": calibration_error(true, scores, bins),
        "no_forecast": mean(Fraction(int(not probabilities(row)[1])) for row in scores),
        **{
            f"top_{size}_accuracy": mean(top_accuracies(true, scores, size)) if k > size else NAN
            for size in (2, 3, 5)
        },
        **{f"brier_{name}": float(value) for name, value in terms.items()},
    }


def faded_mean(values, fading):
    weights = [fading**age for age in range(len(values))][::-1]
    total = sum(w * v for w, v in zip(weights, values, strict=True))
    return total / sum(weights)
