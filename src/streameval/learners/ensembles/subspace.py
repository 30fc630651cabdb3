"""The number of attributes that the leaves of a random tree draw."""

from __future__ import annotations

import math

#: How the number is specified.
SUBSPACE_MODES = ("percentage", "sqrt", "sqrt_inverse", "size")


def subspace_size(attributes: int, mode: str, subspace: float) -> int:
    """Return the number of attributes that a leaf draws.

    Parameters
    ----------
    attributes : int
        Number of attributes.
    mode : {"percentage", "sqrt", "sqrt_inverse", "size"}
        A percentage, round(√m) + 1, all but so many, or a number.
    subspace : float
        The percentage or the number.
    """
    root = math.sqrt(attributes)
    size = {
        "percentage": attributes * (subspace / 100.0),
        "sqrt": math.floor(root + 0.5) + 1.0,
        "sqrt_inverse": attributes - math.floor(root + 1.5),
        "size": subspace,
    }[mode]
    return min(max(math.floor(size + 0.5), 1), attributes)
