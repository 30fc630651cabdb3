"""Index arrays for series of several interleaved entities.

Streams and learners use this module, so it does not load scipy, which takes time.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers


def order_by_entity(codes: Codes) -> Integers:
    """Indices that sort a series by entity and, within an entity, by time, shape (n,).

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        Code of the entity of each value, from 0.
    """
    # NumPy sorts int16 by radix sort, which is faster.
    fits_int16 = not len(codes) or codes.max() < np.iinfo(np.int16).max
    return np.argsort(codes.astype(np.int16) if fits_int16 else codes, kind="stable")


def previous_in_entity(codes: Codes) -> Integers:
    """Index of the previous value of the same entity, -1 for its first value, shape (n,)."""
    order, previous = order_by_entity(codes), np.full(len(codes), -1)
    is_same_entity = codes[order[1:]] == codes[order[:-1]]
    previous[order[1:][is_same_entity]] = order[:-1][is_same_entity]
    return previous
