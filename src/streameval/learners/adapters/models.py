"""Models of other tools while they run: warnings that they repeat, and their memory in Python."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np


@contextmanager
def shown_once() -> Iterator[None]:
    """Show each warning once: a model that warns does so for each of many instances.

    Warnings of one line of code are the same one, though numbers in their texts may vary, and also
    where a library resets what has been shown.
    """
    show, seen = warnings.showwarning, set()

    def first(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any
    ) -> None:
        if (place := (category, filename, lineno)) not in seen:
            seen.add(place)
            show(message, category, filename, lineno, *more)

    warnings.showwarning = first  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = show


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
