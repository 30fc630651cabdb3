"""Poisson weights of instances in folds, drawn as in MOA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.compiled import java_random
from streameval.compiled.kernels import kernel


def poisson_weights(n: int, folds: int, seed: int) -> NDArray[np.uint8]:
    """Draw a Poisson(1) number for each of `n` instances in each fold, shape (folds, n).

    Parameters
    ----------
    n, folds : int
        Number of instances and of folds.
    seed : int
        Seed of Java's generator. Numbers are drawn for all folds of an instance, then for the next
        instance.
    """
    out = np.empty((folds, n), dtype=np.uint8)
    _draw_weights(java_random.java_random(seed), java_random.poisson_table(1.0), out)
    return out


@kernel
def _draw_weights(state: Integers, table: Floats, out: NDArray[np.uint8]) -> None:
    """Fill `out` (k, n) with Poisson numbers, instance by instance."""
    for t in range(out.shape[1]):
        for fold in range(out.shape[0]):
            out[fold, t] = java_random.poisson(state, table)
