"""Single machine instructions for kernels (bit counts, prefetching), and aligned arrays."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError


def _raise_when_called(_: Any) -> Any:
    """Replace an instruction by a function that raises ConfigError, as compilation is off."""

    def refuse(*_: Any) -> NoReturn:
        raise ConfigError(
            "Expected numba to compile this code, found it switched off by NUMBA_DISABLE_JIT. "
            "Unset that variable."
        )

    return refuse


#: Decorator of functions that generate an instruction. `Any`, since the type that Numba declares
#: does not allow the use below.
as_instruction: Any = _raise_when_called if getattr(config, "DISABLE_JIT", 0) else intrinsic
_INT64, _INT32, _BIT = ir.IntType(64), ir.IntType(32), ir.IntType(1)

#: The bits of a float64 are a sign, an exponent plus BIAS, and a fraction of FRACTION_BITS bits.
BIAS, FRACTION_BITS = 1023, 52
#: The bits of sqrt(1/2). A number is split into an exponent and a fraction from sqrt(1/2) to
#: sqrt(2), so that the logarithm of the fraction is around 0.
ROOT_BITS = 0x3FE6A09E667F3BCD
#: Adding this to a number below 2**51 rounds the sum to an integer, which is in its last bits. The
#: factor 1.5 keeps the exponent of the sum the same for negative numbers.
ROUNDING_OFFSET = 1.5 * 2.0**FRACTION_BITS
#: Bytes of a cache line, the unit of memory transfers.
CACHE_LINE = 64


def _bit_instruction(name: str, *flags: ir.Constant) -> Any:
    """Make an instruction that maps a 64-bit integer to another.

    As `intrinsic` requires, the function returns the signature and a generator of code.
    """

    @as_instruction
    def instruction(_: Any, word: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            function_type = ir.FunctionType(_INT64, [_INT64, *(flag.type for flag in flags)])
            function = cgutils.get_or_insert_function(
                builder.module, function_type, f"llvm.{name}.i64"
            )
            return builder.call(function, [*arguments, *flags])

        return types.int64(types.int64), code

    return instruction


#: Number of bits of an integer that are 1.
count_ones = _bit_instruction("ctpop")
#: Position of the lowest bit that is 1; 64 for zero.
first_one = _bit_instruction("cttz", _BIT(0))  # flag 0: the result for zero is defined


def address(
    context: Any, builder: Any, array_type: Any, array: Any, index: Any, *, inbounds: bool = True
) -> Any:
    """Generate code for the address of an item of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index], inbounds=inbounds)


@as_instruction
def prefetch(_: Any, array: Any, index: Any) -> Any:
    """Prefetch the memory at an index of a flat array, without waiting for it.

    The index may be outside the array; then nothing happens.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        item = address(context, builder, signature.args[0], *arguments, inbounds=False)
        pointer = builder.bitcast(item, ir.IntType(8).as_pointer())
        instruction = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer.type, _INT32, _INT32, _INT32]),
            "llvm.prefetch.p0",
        )
        read, high_locality, data_cache = _INT32(0), _INT32(3), _INT32(1)
        builder.call(instruction, [pointer, read, high_locality, data_cache])
        return context.get_dummy_value()

    # intp: the type of an index.
    return types.void(array, types.intp), code


def aligned_empty(size: int) -> Floats:
    """Uninitialised flat array of float64 that begins on a cache line.

    Eight numbers that lie across two lines take twice the time to load.
    """
    array = np.empty(size + CACHE_LINE // 8)  # a float64 has eight bytes
    n_skipped = -array.ctypes.data % CACHE_LINE // 8
    return array[n_skipped : n_skipped + size]


def aligned_copy(values: Floats) -> Floats:
    """Copy of a flat array that begins on a cache line; see `aligned_empty`."""
    copy = aligned_empty(len(values))
    copy[:] = values
    return copy
