"""How much memory a model of another tool takes, as far as Python can tell."""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

#: Belongs to the program, not to a model; from here all of the interpreter can be reached.
_PROGRAM = (type, ModuleType, FunctionType, BuiltinFunctionType)


def size_of(model: Any) -> int:
    """Return the bytes of all Python objects and arrays that a model holds on to.

    Each object counts once, classes and functions do not. It is an estimate from below: what
    a compiled extension keeps to itself (Cython, Rust) cannot be seen. And it is the objects as
    Python stores them, a number of 8 bytes in 24, with spare room that may differ by some bytes
    from run to run: a cost of the tool rather than a property of the algorithm.
    """
    size, seen, pending = 0, set(), [model]
    while pending:
        found = []
        for item in pending:
            if id(item) not in seen and not isinstance(item, _PROGRAM):
                seen.add(id(item))
                size += sys.getsizeof(item)
                found.append(item)
        # The collector does not look into arrays: a view's memory is its base's.
        arrays = [item for item in found if isinstance(item, np.ndarray)]
        pending = gc.get_referents(*found) + [a.base for a in arrays if a.base is not None]
        pending += [item for a in arrays if a.dtype.hasobject for item in a.ravel().tolist()]
    return size
