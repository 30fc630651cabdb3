"""Single instructions in kernels: bits of integers, prefetching memory; aligned arrays."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError


def _refusing(_: Any) -> Any:
    """Return what stands for an instruction where numba compiles nothing: an error with advice."""

    def refuse(*_: Any) -> NoReturn:
        raise ConfigError(
            "Expected numba to compile this code, found it switched off by NUMBA_DISABLE_JIT. "
            "Unset that variable."
        )

    return refuse


#: Marks functions that write an instruction; numba's own types are too narrow.
as_instruction: Any = _refusing if getattr(config, "DISABLE_JIT", 0) else intrinsic
_INT64, _INT32, _BIT = ir.IntType(64), ir.IntType(32), ir.IntType(1)

#: A float64 is a sign, an exponent plus the bias, and that many bits of a fraction.
BIAS, FRACTION_BITS = 1023, 52
#: The bits of sqrt(1/2), the smallest factor of a power of two.
ROOT_BITS = 0x3FE6A09E667F3BCD
#: Adding it leaves no room for a fraction: the last bits are an integer.
WHOLE_NUMBERS = 1.5 * 2.0**FRACTION_BITS
#: Bytes of a cache line, which memory transfers at once.
CACHE_LINE = 64


def _counting(name: str, *flags: ir.Constant) -> Any:
    """Return an instruction that maps a number of 64 bits to another."""

    @as_instruction
    def count(_: Any, word: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(_INT64, [_INT64, *(flag.type for flag in flags)])
            instruction = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.i64")
            return builder.call(instruction, [*arguments, *flags])

        return types.int64(types.int64), code

    return count


#: How many bits of a number are 1.
count_ones = _counting("ctpop")
#: The place of the lowest bit that is 1; 64 in zero.
first_one = _counting("cttz", _BIT(0))


def address(
    context: Any, builder: Any, kind: Any, array: Any, at: Any, *, inbounds: bool = True
) -> Any:
    """Return the address of a number in an array of a kind, for code that is being compiled."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [at], inbounds=inbounds)


@as_instruction
def prefetch(_: Any, array: Any, at: Any) -> Any:
    """Prefetch the memory at an index of a flat array, without waiting for it.

    The index may lie outside the array: nothing is read then.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = address(context, builder, signature.args[0], *arguments, inbounds=False)
        pointer = builder.bitcast(place, ir.IntType(8).as_pointer())
        ask = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer.type, _INT32, _INT32, _INT32]),
            "llvm.prefetch.p0",
        )
        for_reading, soon_again, data_and_not_code = _INT32(0), _INT32(3), _INT32(1)
        builder.call(ask, [pointer, for_reading, soon_again, data_and_not_code])
        return context.get_dummy_value()

    return types.void(array, types.intp), code


def aligned_room(size: int) -> Floats:
    """Return a flat array of any content that begins on a cache line.

    Eight numbers that lie across two lines take twice the time.
    """
    room = np.empty(size + CACHE_LINE // 8)
    skip = -room.ctypes.data % CACHE_LINE // 8
    return room[skip : skip + size]


def aligned(values: Floats) -> Floats:
    """Return a copy of a flat array that begins on a cache line; see `aligned_room`."""
    copy = aligned_room(len(values))
    copy[:] = values
    return copy
