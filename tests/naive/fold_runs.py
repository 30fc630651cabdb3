"""Two learners on folds, counted one prediction at a time."""

from __future__ import annotations


def counted(weight, truth, first, second, reading, end):
    """(tested, right, only_first, only_second) of each fold, before an instance."""
    counts = []
    for fold, weights in enumerate(weight):
        tested = right = only_first = only_second = 0
        for t in range(end):
            if (weights[t] > 0) != (reading == "learnt"):
                continue
            is_right, is_other_right = first[fold][t] == truth[t], second[fold][t] == truth[t]
            tested += 1
            right += is_right
            only_first += is_right and not is_other_right
            only_second += is_other_right and not is_right
        counts.append((tested, right, only_first, only_second))
    return counts


def binned(weight, truth, first, second, reading, bins):
    """Mean difference in each bin of time."""
    n = len(truth)
    means = []
    for b in range(bins):
        differences = []
        for t in range(b * n // bins, (b + 1) * n // bins):
            folds = [f for f in range(len(weight)) if (weight[f][t] > 0) == (reading == "learnt")]
            if folds:
                balance = [
                    int(first[f][t] == truth[t]) - int(second[f][t] == truth[t]) for f in folds
                ]
                differences.append(sum(balance) / len(folds))
        means.append(sum(differences) / len(differences) if differences else 0.0)
    return means
