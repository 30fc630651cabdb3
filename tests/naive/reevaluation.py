"""Slow, literal twins of the re-evaluation: a buffer that is searched, and bins by definition."""

from __future__ import annotations

import math
from fractions import Fraction

FIRST, REPEATED, LAST = range(3)


def lines(time, label_time, ties):
    """(time, row, has its label) of the events of a file, whose times of NEVER are None."""
    order = sorted(range(len(time)), key=lambda row: (time[row], row))
    result = []
    for moment in sorted({*time, *label_time} - {None}):
        arriving = [row for row in order if time[row] == moment]
        due = [row for row in order if label_time[row] == moment]
        if ties == "instance":
            result += [(moment, row, False) for row in arriving]
            result += [(moment, row, True) for row in due]
        else:
            result += [(moment, row, True) for row in due if row not in arriving]
            for row in arriving:
                result.append((moment, row, False))
                if row in due:
                    result.append((moment, row, True))
    return result


def polls_in_turn(time, label_time, every, ties, pending):
    """(row, time, which) of each prediction, how many precede the first learning, rows scored."""
    buffer, prediction_events, scored, untrained = [], [], [], None
    for moment, row, is_labelled in lines(time, label_time, ties):
        if not is_labelled:
            prediction_events.append((row, moment, FIRST))
            buffer.append([row, 0])
            continue
        for item in list(buffer):
            if item[0] == row:
                buffer.remove(item)
            else:
                if item[1] > 0 and item[1] % every == 0:
                    prediction_events.append((item[0], moment, REPEATED))
                item[1] += 1
        prediction_events.append((row, moment, LAST))
        scored.append(row)
        if untrained is None:
            untrained = len(prediction_events)
    if untrained is None:
        untrained = len(prediction_events)
    if not pending:
        before = prediction_events[:untrained]
        untrained -= sum(label_time[row] is None for row, _, _ in before)
        prediction_events = [poll for poll in prediction_events if label_time[poll[0]] is not None]
    return prediction_events, untrained, scored


def published_bins(history, bins, vote):
    """The values of bins 0, ..., B + 1 and whether one was made there, as the program has it.

    `history` is (time, value) of the predictions of an instance; `vote` makes one value of a list
    of (value, duration) and the length of the bin.
    """
    (start, first), *again, (end, last) = history
    labelled = [(first, True)]
    if bins == 0:
        return [*labelled, (last, True)]
    numbers = []
    for moment, _ in again:
        share = (moment - start) / (end - start) if end > start else 0.0
        numbers.append(min(1 + math.floor(share * bins), bins))
    force = first
    for b in range(1, bins + 1):
        here = [poll for number, poll in zip(numbers, again, strict=True) if number == b]
        if len(here) == 0:
            labelled.append((force, False))
        elif len(here) == 1:
            labelled.append((here[0][1], True))
        else:
            begins, ends = (math.floor(j / bins * (end - start) + start) for j in (b - 1, b))
            parts = [(begins, force), *here]
            until = [moment for moment, _ in here] + [ends]
            lasting = [(value, to - since) for (since, value), to in zip(parts, until, strict=True)]
            labelled.append((vote(lasting, ends - begins), True))
        if here:
            force = here[-1][1]
    return [*labelled, (last, True)]


def paper_bins(history, bins, vote):
    """The same as the paper defines it, with exact ends of bins."""
    (start, first), *again, (end, last) = history
    labelled = [(first, True)]
    for b in range(1, bins + 1):
        begins, ends = (start + Fraction((end - start) * j, bins) for j in (b - 1, b))
        if start == end:  # the most recent prediction
            labelled.append(([first, *(value for _, value in again)][-1], False))
            continue
        inside = [(moment, value) for moment, value in again if begins <= moment < ends]
        force = [first, *(value for moment, value in again if moment < begins)][-1]
        parts = [(begins, force), *inside]
        until = [*(moment for moment, _ in inside), ends]
        lasting = [(value, to - since) for (since, value), to in zip(parts, until, strict=True)]
        labelled.append((vote(lasting, ends - begins) if inside else force, bool(inside)))
    return [*labelled, (last, True)]


def longest(lasting, none):
    """The class in force for longest; values are (class, has votes).

    Of several the lowest, or, where no class stands for none, the one in force last.
    """
    total = {}
    for (label, has_votes), duration in lasting:
        if label >= 0 and has_votes:
            total[label] = total.get(label, 0) + duration
    if none == 0:
        total.setdefault(0, 0)
    most = max(total.values(), default=0)
    if most <= 0 and none != 0:
        return none
    best = [label for label in total if total[label] == most]
    if none == 0:
        return min(best)
    in_force = [label for (label, _), duration in lasting if duration > 0]
    return max(best, key=lambda label: max(i for i, c in enumerate(in_force) if c == label))


def mean(lasting, length):
    """The mean weighted by durations."""
    total = 0.0
    for value, duration in lasting:
        total += value * float(duration)
    return total / float(length) if length else math.nan


def weighted_performance(correct, weights):
    """Ψ: the mean of the accuracies of bins with weights; `correct` is by instance and bin."""
    total = 0.0
    for b, weight in enumerate(weights):
        total += weight * sum(bool(row[b]) for row in correct) / len(correct)
    return total / sum(weights)


def mean_of_known(values, weights):
    """The mean of the means of bins with weights, each of the values known in this bin."""
    total = 0.0
    for b, weight in enumerate(weights):
        known = [row[b] for row in values if not math.isnan(row[b])]
        total += weight * sum(known) / len(known)
    return total / sum(weights)


def best_bin(correct):
    """The accuracy of the bin with most correct predictions; `correct` is by instance and bin."""
    most = -1
    for b in range(len(correct[0])):
        most = max(most, sum(bool(row[b]) for row in correct))
    return most / len(correct)
