"""Arithmetic on eight numbers at a time, with the vector registers of the processor, in kernels.

`Lanes` holds eight float64, `Mask` eight booleans. Arithmetic and comparisons work lane by lane and
give exactly the results of eight separate numbers. Sums and products over the lanes have the same
order on each machine. Vector operations are explicit here, because a compiler vectorises a loop
only if it can prove that this is valid, and gives no message if it cannot.

Lanes exist only in compiled code (see `kernels`). Processors with narrower registers take two or
four steps.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, overload, register_model

from streameval.compiled.instructions import (
    BIAS,
    FRACTION_BITS,
    ROOT_BITS,
    ROUNDING_OFFSET,
    address,
    as_instruction,
)
from streameval.compiled.kernels import inlined

_overload: Any = partial(overload, strict=False)  # with strict, Numba would compare annotations

#: Number of lanes.
WIDTH = 8

# Types of LLVM.
_BIT, _INT32, _INT64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_LANES = ir.VectorType(ir.DoubleType(), WIDTH)
_FLOAT32_LANES = ir.VectorType(ir.FloatType(), WIDTH)
_INT64_LANES = ir.VectorType(_INT64, WIDTH)
_MASK = ir.VectorType(_BIT, WIDTH)

#: Types for annotations in kernels; such values do not exist in Python.
Lanes: TypeAlias = Any
Mask: TypeAlias = Any


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


class _MaskType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Mask")


_lanes, _mask = _LanesType(), _MaskType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _LANES)


@register_model(_MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _MASK)


def _memory_type(array: Any) -> tuple[ir.VectorType, int]:
    """Type of eight numbers in the memory of an array, and the alignment of an item in bytes."""
    return (_FLOAT32_LANES, 4) if array.dtype == types.float32 else (_LANES, 8)


def _broadcast(builder: Any, value: Any, into: ir.VectorType) -> Any:
    """Generate code for a vector of the type `into` with `value` in each lane."""
    undefined = ir.Constant(into, ir.Undefined)
    first = builder.insert_element(undefined, value, _INT32(0))
    return builder.shuffle_vector(first, undefined, _indices([0] * WIDTH))


def _indices(indices: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(_INT32, len(indices)), indices)


@as_instruction
def load_at(_: Any, array: Any, index: Any) -> Any:
    """Load eight numbers of a flat array of float64 or float32, from `index` on."""
    vector_type, alignment = _memory_type(array)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = address(context, builder, signature.args[0], *arguments)
        values = builder.load(builder.bitcast(pointer, vector_type.as_pointer()), align=alignment)
        return values if vector_type is _LANES else builder.fpext(values, _LANES)

    return _lanes(array, types.intp), code


@as_instruction
def load_where(_: Any, array: Any, index: Any, condition: Any) -> Any:
    """Load eight numbers of a flat array from `index` on, with 0 in lanes whose condition is false.

    For these lanes memory is not accessed.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, mask = arguments
        pointer = address(context, builder, signature.args[0], array, index)
        pointer = builder.bitcast(pointer, _LANES.as_pointer())
        function_type = ir.FunctionType(_LANES, [pointer.type, _INT32, _MASK, _LANES])
        name, zeros = f"llvm.masked.load.v{WIDTH}f64.p0", ir.Constant(_LANES, [0.0] * WIDTH)
        masked_load = cgutils.get_or_insert_function(builder.module, function_type, name)
        alignment = _INT32(8)
        return builder.call(masked_load, [pointer, alignment, mask, zeros])

    return _lanes(array, types.intp, _mask), code


def _make_gather(n: int) -> Any:
    """Make the function that gathers the first `n` of eight lanes, see `gather`."""

    @as_instruction
    def gather(_: Any, array: Any, indices: Any, start: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, indices, start = arguments
            index_type = ir.VectorType(_INT32, n)
            first_index = ir.Constant(index_type, [0] * n)
            pointer = address(context, builder, signature.args[1], indices, start)
            index = builder.load(builder.bitcast(pointer, index_type.as_pointer()), align=4)
            # A lane without an item loads item 0, which exists, and then gets 0.
            has_item = builder.icmp_signed(">=", index, first_index)
            index = builder.select(has_item, index, first_index)
            values = ir.Constant(ir.VectorType(ir.DoubleType(), n), ir.Undefined)
            zeros = ir.Constant(values.type, [0.0] * n)
            for lane in range(n):
                lane_index = builder.sext(builder.extract_element(index, _INT32(lane)), _INT64)
                pointer = address(context, builder, signature.args[0], array, lane_index)
                item = builder.load(pointer)
                values = builder.insert_element(values, item, _INT32(lane))
            values = builder.select(has_item, values, zeros)
            # Indices from n on select from `zeros`; so the lanes from n on get 0.
            return builder.shuffle_vector(
                values, zeros, _indices([min(i, n) for i in range(WIDTH)])
            )

        return _lanes(array, indices, types.intp), code

    return gather


#: ``gather(array, indices, start)`` loads eight items of a flat array that is not empty. Their
#: indices are eight numbers of the int32 array `indices`, from `start` on. A lane with a negative
#: index gets 0.
gather = _make_gather(WIDTH)
#: `gather` of the first four lanes; the other lanes get 0.
gather_four = _make_gather(4)


@as_instruction
def load_item(_: Any, array: Any, index: Any) -> Any:
    """Load a number of an array as if it were flat; negative indices are not supported."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(address(context, builder, signature.args[0], *arguments))

    return types.float64(array, types.intp), code


@as_instruction
def store(_: Any, array: Any, index: Any, values: Any) -> Any:
    """Write eight numbers to a flat array from `index` on; rounded for an array of float32."""
    vector_type, alignment = _memory_type(array)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, values = arguments
        pointer = address(context, builder, signature.args[0], array, index)
        values = values if vector_type is _LANES else builder.fptrunc(values, vector_type)
        builder.store(values, builder.bitcast(pointer, vector_type.as_pointer()), align=alignment)
        return context.get_dummy_value()

    return types.void(array, types.intp, _lanes), code


@as_instruction
def fill(_: Any, value: Any) -> Any:
    """The same number in all lanes."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return _broadcast(builder, arguments[0], _LANES)

    return _lanes(types.float64), code


@as_instruction
def count_from(_: Any, first: Any) -> Any:
    """The numbers `first`, `first` + 1, ... in the lanes."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        steps = ir.Constant(_LANES, [float(lane) for lane in range(WIDTH)])
        return builder.fadd(_broadcast(builder, arguments[0], _LANES), steps)

    return _lanes(types.float64), code


@as_instruction
def where(_: Any, condition: Any, yes: Any, no: Any) -> Any:
    """`yes` in the lanes in which a condition holds, `no` in the other lanes."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return _lanes(_mask, _lanes, _lanes), code


def _lane_by_lane(instruction: Callable[..., Any], operand: Any, result: Any) -> Any:
    """Make the function that applies an instruction to two operands of a type."""

    @as_instruction
    def apply(_: Any, __: Any, ___: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return instruction(builder, *arguments)

        return result(operand, operand), code

    return apply


def _comparison(sign: str) -> Any:
    """Make a comparison of two `Lanes`; it is false in lanes with NaN."""
    return _lane_by_lane(lambda builder, a, b: builder.fcmp_ordered(sign, a, b), _lanes, _mask)


_LANES_OPERATORS = {
    operator.add: _lane_by_lane(ir.IRBuilder.fadd, _lanes, _lanes),
    operator.sub: _lane_by_lane(ir.IRBuilder.fsub, _lanes, _lanes),
    operator.mul: _lane_by_lane(ir.IRBuilder.fmul, _lanes, _lanes),
    operator.truediv: _lane_by_lane(ir.IRBuilder.fdiv, _lanes, _lanes),
    operator.lt: _comparison("<"),
    operator.le: _comparison("<="),
    operator.gt: _comparison(">"),
    operator.ge: _comparison(">="),
    operator.eq: _comparison("=="),
}
_MASK_OPERATORS = {
    operator.and_: _lane_by_lane(ir.IRBuilder.and_, _mask, _mask),
    operator.or_: _lane_by_lane(ir.IRBuilder.or_, _mask, _mask),
    operator.xor: _lane_by_lane(ir.IRBuilder.xor, _mask, _mask),
}


def _is_number(type_: Any) -> bool:
    return isinstance(type_, types.Float | types.Integer)


def _overload_for_lanes(operation: Any, apply: Any) -> None:
    """Make an operator accept two `Lanes`, or a `Lanes` and a number for all lanes."""

    @_overload(operation)
    def _(a: Any, b: Any) -> Any:
        if isinstance(a, _LanesType) and isinstance(b, _LanesType):
            return lambda a, b: apply(a, b)
        if isinstance(a, _LanesType) and _is_number(b):
            return lambda a, b: apply(a, fill(b))
        if _is_number(a) and isinstance(b, _LanesType):
            return lambda a, b: apply(fill(a), b)
        return None


def _overload_for_masks(operation: Any, apply: Any) -> None:
    @_overload(operation)
    def _(a: Any, b: Any) -> Any:
        if isinstance(a, _MaskType) and isinstance(b, _MaskType):
            return lambda a, b: apply(a, b)
        return None


@as_instruction
def _absolute(_: Any, values: Any) -> Any:
    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        fabs = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_LANES, [_LANES]), f"llvm.fabs.v{WIDTH}f64"
        )
        return builder.call(fabs, arguments)

    return _lanes(_lanes), code


@_overload(abs)
def _(values: Any) -> Any:
    return (lambda values: _absolute(values)) if isinstance(values, _LanesType) else None


def _from_bits(change: Callable[[Any, Any], Any]) -> Any:
    """Make a function on `Lanes` from a function `change` on their bits."""

    @as_instruction
    def apply(_: Any, values: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            changed = change(builder, builder.bitcast(arguments[0], _INT64_LANES))
            return builder.bitcast(changed, _LANES)

        return _lanes(_lanes), code

    return apply


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_INT64_LANES, [value] * WIDTH)


def _exponent(builder: Any, bits: Any) -> Any:
    return builder.ashr(builder.sub(bits, _constant(ROOT_BITS)), _constant(FRACTION_BITS))


def _fraction(builder: Any, bits: Any) -> Any:
    return builder.sub(bits, builder.shl(_exponent(builder, bits), _constant(FRACTION_BITS)))


#: Exponents of normal, positive, finite numbers: x is the fraction times 2 to the power of the
#: exponent.
exponents = _from_bits(lambda builder, bits: builder.sitofp(_exponent(builder, bits), _LANES))
#: Fractions of normal, positive, finite numbers, between sqrt(1/2) and sqrt(2).
fractions = _from_bits(_fraction)
# Moves the integer i in the last bits into the exponent, which gives 2**(i - BIAS).
_as_exponent = _from_bits(lambda builder, bits: builder.shl(bits, _constant(FRACTION_BITS)))


@inlined
def nearest_integers(values: Lanes) -> Lanes:
    """Nearest integers of numbers below 2**51, as float64."""
    return (values + ROUNDING_OFFSET) - ROUNDING_OFFSET


@inlined
def two_to_the(exponent: Lanes) -> Lanes:
    """Powers of 2 with integer exponents from -1022 to 1023."""
    return _as_exponent(exponent + (ROUNDING_OFFSET + BIAS))


_LANES_OPERATORS[operator.iadd] = _LANES_OPERATORS[operator.add]
_LANES_OPERATORS[operator.imul] = _LANES_OPERATORS[operator.mul]
_MASK_OPERATORS[operator.iand] = _MASK_OPERATORS[operator.and_]
for _operation, _apply in _LANES_OPERATORS.items():
    _overload_for_lanes(_operation, _apply)
for _operation, _apply in _MASK_OPERATORS.items():
    _overload_for_masks(_operation, _apply)


def _reduction(instruction: Callable[..., Any]) -> Any:
    """Make a function that reduces all lanes: it combines halves, then halves of the result."""

    @as_instruction
    def join(_: Any, values: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            value, n = arguments[0], WIDTH
            while n > 1:
                n //= 2
                low = builder.shuffle_vector(value, value, _indices(list(range(n))))
                high = builder.shuffle_vector(value, value, _indices(list(range(n, 2 * n))))
                value = instruction(builder, low, high)
            return builder.extract_element(value, _INT32(0))

        return types.float64(_lanes), code

    return join


#: Sum of eight numbers.
total = _reduction(ir.IRBuilder.fadd)
#: Product of eight numbers.
product = _reduction(ir.IRBuilder.fmul)
#: Largest of eight numbers without NaN.
highest = _reduction(lambda builder, a, b: builder.select(builder.fcmp_ordered(">", a, b), a, b))


@inlined
def maximum(a: Lanes, b: Lanes) -> Lanes:
    """The larger number in each lane; `b` if either is NaN."""
    return where(a > b, a, b)


@inlined
def minimum(a: Lanes, b: Lanes) -> Lanes:
    """The smaller number in each lane; `b` if either is NaN."""
    return where(a < b, a, b)


@as_instruction
def bit_mask(_: Any, condition: Any) -> Any:
    """Integer whose bit i is 1 if a condition holds in lane i."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.zext(builder.bitcast(arguments[0], ir.IntType(WIDTH)), _INT64)

    return types.int64(_mask), code


@inlined
def all_true(condition: Mask) -> bool:
    """True if a condition holds in all lanes."""
    return bit_mask(condition) == 2**WIDTH - 1


@inlined
def none_true(condition: Mask) -> bool:
    """True if a condition holds in no lane."""
    return bit_mask(condition) == 0
