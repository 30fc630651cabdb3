"""The parts of a float64, and single instructions on the bits of integers, in kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_intrinsic: Any = intrinsic  # numba's own types are too narrow
_INT64, _BIT = ir.IntType(64), ir.IntType(1)

#: A float64 is a sign, an exponent plus the bias, and that many bits of a fraction.
BIAS, FRACTION_BITS = 1023, 52
#: The bits of sqrt(1/2), the smallest factor of a power of two.
ROOT_BITS = 0x3FE6A09E667F3BCD
#: Adding it leaves no room for a fraction: the last bits are an integer.
WHOLE_NUMBERS = 1.5 * 2.0**FRACTION_BITS


def _counting(name: str, *flags: ir.Constant) -> Any:
    """Return an instruction that maps a number of 64 bits to another."""

    @_intrinsic
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
