"""The memory of a model of another tool, as far as Python can measure it."""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

#: Parts of the program, not of a model; they refer to all of the interpreter.
_PROGRAM = (type, ModuleType, FunctionType, BuiltinFunctionType)


def size_of(model: Any) -> int:
    """Return the bytes of all Python objects and arrays that a model refers to.

    Each object counts once; classes and functions do not count. The result is a lower bound: the
    memory of compiled extensions (Cython, Rust) is invisible. It is the size of Python's objects,
    in which a number of 8 bytes takes 24, with spare capacity that may differ by some bytes from
    run to run: a cost of the tool rather than a property of the algorithm.
    """
    size, seen, pending = 0, set(), [model]
    while pending:
        found = []
        for item in pending:
            if id(item) not in seen and not isinstance(item, _PROGRAM):
                seen.add(id(item))
                size += sys.getsizeof(item)
                found.append(item)
        # The garbage collector skips arrays: the memory of a view is that of its base.
        arrays = [item for item in found if isinstance(item, np.ndarray)]
        pending = gc.get_referents(*found) + [a.base for a in arrays if a.base is not None]
        pending += [item for a in arrays if a.dtype.hasobject for item in a.ravel().tolist()]
    return size
