"""Streams with numeric targets, from a few operations that are the same on any machine."""

from __future__ import annotations

import numpy as np

from streameval.streams.stream import Attribute, Schema, Stream


def schema(kinds, target="y"):
    """A schema with a numeric target; `kinds` are numbers of values, 0 for numeric."""
    values = [tuple(f"v{i}" for i in range(k)) if k else None for k in kinds]
    return Schema(tuple(Attribute(f"a{j}", v) for j, v in enumerate(values)), target=target)


def friedman(n=20_000, seed=1, *, drifts=True, kinds=(0, 0, 0, 0, 0, 0, 0, 3)):
    """Draw uniform inputs, one of them nominal, and a target made of five of them.

    After half of the stream the first five inputs change places, and the target falls; after
    three quarters they change back. The target is that of Friedman (1991), without its sine.
    """
    rng = np.random.default_rng(seed)
    X = rng.random((n, len(kinds)))
    for j, k in enumerate(kinds):
        if k:
            X[:, j] = np.floor(X[:, j] * k)
    at = np.arange(n)
    changed = drifts & (at >= n // 2) & (at < 3 * n // 4)
    a, b, c, d, e = np.where(changed, X[:, [3, 4, 0, 1, 2]].T, X[:, :5].T)
    y = 10 * a * b + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e + rng.random(n) - 20 * changed
    return Stream(X, y, schema(kinds), "friedman")


def with_numbers(stream, scale=10.0):
    """A stream with the classes' codes and some noise as its numeric target."""
    y = scale * (stream.y + np.random.default_rng(len(stream)).random(len(stream)))
    kinds = stream.schema.n_values.tolist()
    return Stream(stream.X, y, schema(kinds), "numbers")
