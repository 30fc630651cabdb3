"""Right and wrong values of declared parameters, according to their declarations."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from streameval.base.params import Configurable, Parameter
from streameval.base.schema import without_annotations


def right(declared: Parameter, most: float = math.inf) -> st.SearchStrategy[Any]:
    """A strategy of values that a parameter accepts, numbers up to `most`."""
    return _right(without_annotations(declared.info)[0], most)


def _right(info: Any, most: float) -> st.SearchStrategy[Any]:
    match info:
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.StrType():
            return st.text(min_size=1)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.UnionType():
            return st.one_of([_right(without_annotations(kind)[0], most) for kind in info.types])
        case inspect.IntType():
            least = -most if info.ge is None else info.ge
            high = min(info.le, most)
            return st.integers(least, min(least + 20, high)) | st.integers(least, high)
    low, high = _ends(info)
    return st.floats(
        low,
        min(high, most),
        exclude_min=info.gt is not None,
        exclude_max=info.lt is not None,
        allow_infinity=False,
    )


def wrong(info: Any) -> list[Any]:
    """Values that a type does not accept: of other types, and beyond each bound."""
    info, said = without_annotations(info)
    kinds = [without_annotations(kind)[0] for kind in getattr(info, "types", [info])]
    rest = [kind for kind in kinds if not isinstance(kind, inspect.NoneType)]
    values: list[Any] = [object] + [None] * (rest == kinds)
    if len(rest) > 1:  # what one of them does not take may be of another
        return [*values, True]
    match rest[0]:
        case inspect.AnyType():
            return []
        case inspect.LiteralType():
            values += [[], {"a": 1}, "no such word", "", 1, True]
        case inspect.BoolType():
            values += [[], {"a": 1}, 0, 1, "yes", 0.5]
        case inspect.IntType() | inspect.FloatType() as some:
            low, high = _ends(some)
            values += [[], {"a": 1}, True, "", "many", "1_000", math.nan, math.inf, -math.inf]
            values += [low - 1] * math.isfinite(low) + [high + 1] * math.isfinite(high)
            values += [low] * (some.gt is not None) + [high] * (some.lt is not None)
            values += [1.5] * isinstance(some, inspect.IntType)
        case inspect.StrType() as text:
            values += [[], {"a": 1}, 1, 1.5, True] + [""] * bool(text.min_length)
            values += ["?"] * (text.pattern is not None)
        case inspect.VarTupleType() as row:
            item, _ = without_annotations(row.item_type)
            # Of texts, a whole number is one.
            number = int if isinstance(item, inspect.StrType) else ()
            values += [{"a": 1}, *([value] for value in wrong(item) if type(value) is not number)]
            usual = _first(item)
            values += [[usual] * 2] * ("uniqueItems" in said)
            values += [[usual] * ((row.min_length or 1) - 1)] * (row.min_length is not None)
            values += [[usual] * ((row.max_length or 0) + 1)] * (row.max_length is not None)
        case inspect.DictType() as mapping:
            values += [1, [1], *({"a": value} for value in wrong(mapping.value_type))]
        case inspect.DataclassType() | inspect.StructType() as record:
            values += [1, [1], {"no_such_key": 1}]
            values += [{field.name: each} for field in record.fields for each in wrong(field.type)]
    return values


def _ends(info: Any) -> tuple[float, float]:
    low = info.gt if info.ge is None else info.ge
    high = info.lt if info.le is None else info.le
    return -math.inf if low is None else low, math.inf if high is None else high


def least(cls: type[Configurable]) -> dict[str, Any]:
    """Values of the parameters that must be given, and are plain data."""
    return {
        parameter.name: _first(without_annotations(parameter.info)[0])
        for parameter in cls.declared_parameters()
        if parameter.is_required and parameter.info is not None
    }


def _first(info: Any) -> Any:
    match info:
        case inspect.DataclassType():
            return {}
        case inspect.LiteralType():
            return info.values[0]
        case inspect.StrType():
            return "ab"
        case inspect.UnionType():
            return _first(without_annotations(info.types[0])[0])
        case inspect.VarTupleType():
            return [_first(without_annotations(info.item_type)[0])] * (info.min_length or 0)
    low, high = _ends(info)
    if isinstance(info, inspect.IntType):
        return int(low)
    return (low + high) / 2 if math.isfinite(high) else low + 1.0
