"""A batch model that is retrained from scratch, event by event."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from streameval.base.seeds import generator

NOTHING = -1


def retrained(model, stream, tape, every, window, seed=1, first=100):
    """Predictions (-1 or NaN for none), and the number of fits that were used.

    `model` has scikit-learn's interface, weights are whole numbers or reach `fit`.
    """
    nothing = np.nan if stream.schema.classes is None else NOTHING
    learnt, snapshot, current, due = [], [], None, 0  # `current` is a model, or a class
    fits, last_used, predictions = 0, 0, []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        if op & 1:
            if due != last_used:
                last_used = due
                rows, weights = zip(*snapshot, strict=True)
                X, y = stream.X[list(rows)], stream.y[list(rows)]
                if stream.schema.classes is not None and len(set(y.tolist())) == 1:
                    current = int(y[0])
                else:
                    seed_of_fit = generator("retrained", seed, "fit", due).integers(2**31)
                    current, fits = seeded(model, int(seed_of_fit)), fits + 1
                    more = {} if set(weights) == {1.0} else {"sample_weight": np.array(weights)}
                    current.fit(X, y, **more)
            if current is None:
                predictions.append(nothing)
            elif isinstance(current, int):
                predictions.append(current)
            else:
                predictions.append(current.predict(stream.X[[row]])[0])
        if op & 2 and weight > 0:
            learnt.append((int(row), float(weight)))
            if len(learnt) % every == 0 or (len(learnt) == first and every > first):
                due, snapshot = due + 1, learnt[-window:]
    return np.array(predictions), fits


def seeded(model, seed):
    """Untrained copy of a model; missing seeds are filled in."""
    copied = clone(model)
    if copied.get_params().get("random_state", seed) is None:
        copied.set_params(random_state=seed)
    return copied
