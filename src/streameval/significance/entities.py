"""Index arrays for series of several interleaved entities. This module does not load scipy."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers


def order_by_entity(code: Codes) -> Integers:
    """Indices that sort a series by entity and, within an entity, by time, shape (n,).

    Parameters
    ----------
    code : ndarray of int, shape (n,)
        Code of the entity of each value, from 0.
    """
    # NumPy sorts int16 by radix sort, which is faster.
    fits_int16 = not len(code) or code.max() < np.iinfo(np.int16).max
    return np.argsort(code.astype(np.int16) if fits_int16 else code, kind="stable")


def previous_in_entity(code: Codes) -> Integers:
    """Index of the previous value of the same entity, -1 for its first value, shape (n,)."""
    order, previous = order_by_entity(code), np.full(len(code), -1)
    is_same_entity = code[order[1:]] == code[order[:-1]]
    previous[order[1:][is_same_entity]] = order[:-1][is_same_entity]
    return previous
