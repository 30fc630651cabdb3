"""Right and wrong values of declared parameters, by what each declares."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from streameval.base.params import Declared, Parameter
from streameval.base.schema import bare


def right(declared: Parameter, most: float = math.inf) -> st.SearchStrategy[Any]:
    """Return a strategy of values that a parameter accepts, numbers up to `most`."""
    return _right(bare(declared.info)[0], most)


def _right(info: Any, most: float) -> st.SearchStrategy[Any]:
    match info:
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.UnionType():
            return st.one_of([_right(bare(one)[0], most) for one in info.types])
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


def wrong(declared: Parameter) -> list[Any]:
    """Return values that a parameter does not accept: of other types, and beyond each bound."""
    kinds = [bare(one)[0] for one in getattr(bare(declared.info)[0], "types", [declared.info])]
    found: list[Any] = [[], {"a": 1}, object]
    if not any(isinstance(one, inspect.NoneType) for one in kinds):
        found.append(None)
    for info in kinds:
        match info:
            case inspect.LiteralType():
                found += ["no such word", "", 1, True]
            case inspect.BoolType():
                found += [0, 1, "yes", 0.5]
            case inspect.IntType() | inspect.FloatType():
                low, high = _ends(info)
                found += [True, "", "many", "1_000", math.nan, math.inf, -math.inf]
                found += [low - 1] * math.isfinite(low) + [high + 1] * math.isfinite(high)
                found += [low] * (info.gt is not None) + [high] * (info.lt is not None)
                found += [1.5] * isinstance(info, inspect.IntType)
    return found


def _ends(info: Any) -> tuple[float, float]:
    low = info.gt if info.ge is None else info.ge
    high = info.lt if info.le is None else info.le
    return -math.inf if low is None else low, math.inf if high is None else high


def least(cls: type[Declared]) -> dict[str, Any]:
    """Return values of the parameters that must be given, and are plain data."""
    return {
        one.name: _first(bare(one.info)[0])
        for one in cls.declared()
        if one.is_required and one.info is not None
    }


def _first(info: Any) -> Any:
    low, high = _ends(info)
    if isinstance(info, inspect.IntType):
        return int(low)
    return (low + high) / 2 if math.isfinite(high) else low + 1.0
