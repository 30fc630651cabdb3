"""Slow, literal twins of what is done where rows of several entities come in turn."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict


def play(make, stream, tape, *, waits=False):
    """The predictions of a model for each entity; one without a label asks the model of all rows.

    Models that wait answer by themselves. A model knows the number of a row among those of its
    entity, by which it counts a season.
    """
    entities = stream.groups.code.tolist()
    seen, number = Counter(), []
    for entity in entities:
        number.append(seen[entity])
        seen[entity] += 1
    everything, models, taught, found = make(), defaultdict(make), set(), []
    for row, op, weight in zip(tape.row.tolist(), tape.op, tape.weight, strict=True):
        entity, y = entities[row], stream.y[row].item()
        own = models[entity]
        everything.row, own.row = row, number[row]
        if op in (1, 3):
            asked = own if waits or entity in taught else everything
            found.append(asked.predict([]))
        if op in (2, 3):
            everything.learn([], y, float(weight))
            own.learn([], y, float(weight))
            if weight > 0:
                taught.add(entity)
    return found


def repeats(labels, entities):
    """For each label that has a previous one of its entity, whether they are equal, in order."""
    last, found = {}, []
    for label, entity in zip(labels, entities, strict=True):
        if entity in last:
            found.append(last[entity] == label)
        last[entity] = label
    return found


def shares(labels, entities):
    """By entity: its labels, the proportion of the most frequent one, and of those that repeat."""
    found = {}
    for entity in sorted(set(entities)):
        own = [label for label, of in zip(labels, entities, strict=True) if of == entity]
        again = [now == before for before, now in itertools.pairwise(own)]
        most = max(own.count(one) for one in own) / len(own)
        found[entity] = (len(own), most, sum(again) / len(again) if again else float("nan"))
    return found


def run_lengths(labels, entities):
    """The lengths of runs of equal labels of an entity, one entity after the other."""
    found = []
    for entity in sorted(set(entities)):
        before = None
        for label, of in zip(labels, entities, strict=True):
            if of != entity:
                continue
            if label == before:
                found[-1] += 1
            else:
                found.append(1)
            before = label
    return found


def in_order(values, entities):
    """The values one entity after the other, those of each in their order."""
    return [
        value
        for entity in sorted(set(entities))
        for value, of in zip(values, entities, strict=True)
        if of == entity
    ]
