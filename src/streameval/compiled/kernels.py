"""Decorators that compile kernels with Numba.

- `kernel`: a function that Python calls. It is stored in the disk cache, together with all
  functions that it calls.
- `subkernel`: a function that kernels call.
- `inlined`: a small function that kernels call in inner loops.
- `inlined_kernel`: the same, but Python calls it, too.

Kernels allocate nothing: Python allocates all arrays and passes them. So kernels are compiled
without Numba's reference counting, which would cost more than the arithmetic. They release the
interpreter lock, start no threads and use no `fastmath`, so results are the same on any number of
cores.

Indices are uint64 if speed matters: for an int64, Numba checks whether the index is negative, which
costs as much as the access. Do not mix the two types, because Numba adds them as floats.

By default, Numba would optimise each subkernel, with all functions that it calls, and compile it to
machine code. This code would never run, as a kernel optimises and compiles all functions that it
links.
Numba would also inline everything that an inlined function calls. `_SubkernelCompiler` and
``forceinline=False`` prevent both; otherwise kernels would take three times as long to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from streameval.compiled.kernel_cache import cache_on_disk

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = njit  # Numba's own types lack some of its options

#: Options of all kernels: no reference counting (``_nrt``), and the error model of NumPy, in which
#: division by zero gives an infinity or NaN, as in Java, and needs no branch.
_COMMON: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


class _SubkernelLibrary(JITCodeLibrary):
    """The code of a subkernel, which kernels link; it cannot run by itself."""

    #: Numba calls `set_env` to store Python objects for ``raise`` and ``print``. Subkernels use
    #: neither.
    codegen = SimpleNamespace(set_env=lambda name, environment: None)

    def finalize(self) -> None:
        """Link the code of the subkernel and of all functions that it calls; do not optimise it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0, since a subkernel has no machine code."""
        self._ensure_finalized()
        return 0


class _SubkernelCompiler(Compiler):
    """Numba's compiler, which stops before optimisation."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = library or _SubkernelLibrary(target.codegen(), "subkernel")
        super().__init__(typing, target, library, *rest)


#: Options of functions that only kernels call: they need no wrappers for calls from Python.
_INTERNAL: dict[str, Any] = _COMMON | {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _SubkernelCompiler,
}


def kernel(function: F) -> F:
    """Compile a function that Python calls."""
    compiled: F = cache_on_disk(_njit(nogil=True, no_cfunc_wrapper=True, **_COMMON)(function))
    return compiled


def subkernel(function: F) -> F:
    """Compile a function that kernels call."""
    compiled: F = _njit(forceinline=False, **_INTERNAL)(function)
    return compiled


def inlined(function: F) -> F:
    """Compile a small function that kernels call in inner loops."""
    compiled: F = _njit(forceinline=True, **_INTERNAL)(function)
    return compiled


def inlined_kernel(function: F) -> F:
    """Compile a small function that both Python and inner loops of kernels call."""
    compiled: F = cache_on_disk(_njit(nogil=True, forceinline=True, **_COMMON)(function))
    return compiled


def allocating_kernel(function: F) -> F:
    """Compile a function that generates a stream: it may allocate arrays, and need not be fast."""
    compiled: F = cache_on_disk(_njit()(function))
    return compiled
