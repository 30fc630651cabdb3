"""Slow, literal twins of code for streams of several entities."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict


def run(make, stream, tape, *, waits=False):
    """The predictions of a model for each entity; one without a label asks the model of all rows.

    Models that wait answer by themselves. A model knows the number of a row among those of its
    entity, by which it counts a season.
    """
    entities = stream.groups.code.tolist()
    seen, number = Counter(), []
    for entity in entities:
        number.append(seen[entity])
        seen[entity] += 1
    everything, models, taught, predictions = make(), defaultdict(make), set(), []
    for row, op, weight in zip(tape.row.tolist(), tape.op, tape.weight, strict=True):
        entity, y = entities[row], stream.y[row].item()
        model = models[entity]
        everything.row, model.row = row, number[row]
        if op in (1, 3):
            asked = model if waits or entity in taught else everything
            predictions.append(asked.predict([]))
        if op in (2, 3):
            everything.learn([], y, float(weight))
            model.learn([], y, float(weight))
            if weight > 0:
                taught.add(entity)
    return predictions


def repeats(labels, entities):
    """For each label that has a previous one of its entity, whether they are equal, in order."""
    last, repeated = {}, []
    for label, entity in zip(labels, entities, strict=True):
        if entity in last:
            repeated.append(last[entity] == label)
        last[entity] = label
    return repeated


def shares(labels, entities):
    """By entity: labels, proportion of the most frequent label, proportion of repeats."""
    result = {}
    for entity in sorted(set(entities)):
        labels_of_entity = [
            label for label, of in zip(labels, entities, strict=True) if of == entity
        ]
        again = [now == before for before, now in itertools.pairwise(labels_of_entity)]
        most = max(labels_of_entity.count(label_value) for label_value in labels_of_entity) / len(
            labels_of_entity
        )
        result[entity] = (
            len(labels_of_entity),
            most,
            sum(again) / len(again) if again else float("nan"),
        )
    return result


def run_lengths(labels, entities):
    """The lengths of runs of equal labels of an entity, one entity after the other."""
    lengths = []
    for entity in sorted(set(entities)):
        before = None
        for label, of in zip(labels, entities, strict=True):
            if of != entity:
                continue
            if label == before:
                lengths[-1] += 1
            else:
                lengths.append(1)
            before = label
    return lengths


def in_order(values, entities):
    """Values sorted by entity, in their order within each entity."""
    return [
        value
        for entity in sorted(set(entities))
        for value, of in zip(values, entities, strict=True)
        if of == entity
    ]
