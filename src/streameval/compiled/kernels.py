"""How the learners' kernels are compiled.

Kernels allocate nothing: all their arrays are made in Python and handed in. So they are
compiled without numba's reference counting, which would cost more than the arithmetic.
They do not hold the interpreter lock, use no threads and no `fastmath`: the same bytes on
any number of cores.

Places in arrays are of uint64 where it matters: an int64 is asked whether it counts from the
end, which costs as much as the access. The two must not be mixed, sums of them are floats.

`kernel` marks what Python calls; it is kept in the disk cache, together with all that it
calls. `part` marks what kernels call, and `inlined` those of them that are small and hot.

Left to itself, numba would optimise each part, with all that it calls, and make machine code
of it, that nobody runs: a kernel does the same once more for everything it links. What is
called by an inlined function would be inlined too. `_PartCompiler` and ``forceinline=False``
are there against the two; without them the kernels take thrice as long to compile.
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
_njit: Any = njit  # numba's own types do not know all of its options

#: Division by zero gives an infinity or NaN, as in Java, and needs no branch.
_ALL: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


class _PartLibrary(JITCodeLibrary):
    """The code of a part, for kernels to link; by itself it cannot run."""

    #: Where numba would put what exceptions and prints need of Python: parts have neither.
    codegen = SimpleNamespace(set_env=lambda name, environment: None)

    def finalize(self) -> None:
        """Bring together the code of the part and of all that it calls, as it is."""
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
