"""Compilation of the learners' kernels.

Kernels allocate nothing: all their arrays are made in Python and passed to them. So they are
compiled without numba's reference counting, which would cost more than the arithmetic.
They do not hold the interpreter lock, start no threads and use no `fastmath`: the same bytes
on any number of cores.

Indices are uint64 where it matters: an int64 is checked for counting from the end, which costs as
much as the access. The two must not be mixed, because their sums are floats.

`kernel` marks functions that Python calls; they are kept in the disk cache, together with all
that they call. `part` marks functions that kernels call, `inlined` the small and hot ones.

By default, numba would optimise each part, with all that it calls, and compile it to machine code
that is never run: a kernel repeats this for everything it links. And everything that an inlined
function calls would be inlined too. `_PartCompiler` and ``forceinline=False`` prevent the two;
without them the kernels take three times as long to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from streameval.compiled.kernel_cache import cached

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = njit  # numba's own types lack some of its options

#: Division by zero gives an infinity or NaN, as in Java, and needs no branch.
_ALL: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


class _PartLibrary(JITCodeLibrary):
    """The code of a part, for kernels to link; by itself it cannot run."""

    #: Numba's place for the Python objects of exceptions and prints, which parts lack.
    codegen = SimpleNamespace(set_env=lambda name, environment: None)

    def finalize(self) -> None:
        """Link the code of the part and of all that it calls, without optimisation."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0


class _PartCompiler(Compiler):
    """Numba's compiler, up to the code before optimisation."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = library or _PartLibrary(target.codegen(), "part")
        super().__init__(typing, target, library, *rest)


#: Parts are never called from Python and need no wrappers for that.
_INTERNAL: dict[str, Any] = _ALL | {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _PartCompiler,
}


def kernel(function: F) -> F:
    """Compile a function that Python calls."""
    compiled: F = cached(_njit(nogil=True, no_cfunc_wrapper=True, **_ALL)(function))
    return compiled


def part(function: F) -> F:
    """Compile a function that kernels call."""
    compiled: F = _njit(forceinline=False, **_INTERNAL)(function)
    return compiled


def inlined(function: F) -> F:
    """Compile a small function that kernels call in their innermost loops."""
    compiled: F = _njit(forceinline=True, **_INTERNAL)(function)
    return compiled


def open_inlined(function: F) -> F:
    """Compile a small function for Python as well as for the innermost loops of kernels."""
    compiled: F = cached(_njit(nogil=True, forceinline=True, **_ALL)(function))
    return compiled


def generating(function: F) -> F:
    """Compile a function that draws a stream: it may allocate, and need not be fast."""
    compiled: F = cached(_njit()(function))
    return compiled
