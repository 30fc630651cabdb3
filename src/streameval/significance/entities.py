"""The order of a series whose values are of several entities in turn, without loading scipy."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers


def by_entity(code: Codes) -> Integers:
    """Return the places of a series entity by entity, those of each in order of time, shape (n,).

    Parameters
    ----------
    code : ndarray of int, shape (n,)
        The entity that each value is of, from 0.
    """
    few = not len(code) or code.max() < np.iinfo(np.int16).max  # sorted by radix
    return np.argsort(code.astype(np.int16) if few else code, kind="stable")


def previous_of_entity(code: Codes) -> Integers:
    """Return the place of the value of the same entity before each, -1 before its first, (n,)."""
    order, found = by_entity(code), np.full(len(code), -1)
    same = code[order[1:]] == code[order[:-1]]
    found[order[1:][same]] = order[:-1][same]
    return found
