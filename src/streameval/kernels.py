"""How the learners' kernels are compiled.

Kernels allocate nothing: all their arrays are made in Python and handed in. So they are
compiled without numba's reference counting, which would cost more than the arithmetic.
They do not hold the interpreter lock, use no threads and no `fastmath`: the same bytes on
any number of cores.

`kernel` marks what Python calls; it is kept in the disk cache, together with all that it
calls. `part` marks what kernels call, and `inlined` those of them that are small and hot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = njit  # numba's own types do not know all of its options

#: Division by zero gives an infinity or NaN, as in Java, and needs no branch.
_ALL: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
#: Parts are never called from Python and need no wrappers for that.
_INTERNAL: dict[str, Any] = _ALL | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile a function that Python calls."""
    compiled: F = _njit(cache=True, nogil=True, **_ALL)(function)
    return compiled


def part(function: F) -> F:
    """Compile a function that kernels call."""
    compiled: F = _njit(**_INTERNAL)(function)
    return compiled


def inlined(function: F) -> F:
    """Compile a small function that kernels call in their innermost loops."""
    compiled: F = _njit(forceinline=True, **_INTERNAL)(function)
    return compiled


def open_inlined(function: F) -> F:
    """Compile a small function for Python as well as for the innermost loops of kernels."""
    compiled: F = _njit(cache=True, nogil=True, forceinline=True, **_ALL)(function)
    return compiled
