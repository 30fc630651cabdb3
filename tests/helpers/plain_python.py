"""What kernels stand on, in plain Python: for a run of the tests with NUMBA_DISABLE_JIT=1.

Intrinsics exist in compiled code only. Here they are replaced, before any kernel is defined, by
functions that do the same, and ask whether the places they are given are in the array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis
import numpy as np
import pytest

from streameval.compiled import instructions, lanes

#: Plain Python takes a hundred times as long: so many examples of a property are enough.
EXAMPLES = 8
_WORD = 2**64 - 1


class _Lanes(np.ndarray):
    """Eight numbers, or eight truth values: values, so that nothing changes them in place."""

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __iand__(self, other: Any) -> Any:
        return self & other


def _lanes(values: Any) -> Any:
    return np.array(values).view(_Lanes)


def _from(array: Any, at: int, n: int = lanes.WIDTH) -> Any:
    """`n` items of a flattened array, as a view."""
    flat = array.reshape(-1)
    assert flat.base is array or flat.base is array.base, "not contiguous"
    assert 0 <= at <= flat.size - n, f"{n} items from {at} of {flat.size}"
    return flat[at : at + n]


def _gathering(n: int) -> Callable[..., Any]:
    def gather(array: Any, places: Any, at: int) -> Any:
        values = np.zeros(lanes.WIDTH)
        for lane, place in enumerate(_from(places, at, n)):
            if place >= 0:
                values[lane] = item(array, place)
        return _lanes(values)

    return gather


def item(array: Any, at: int) -> Any:
    return _from(array, int(at), 1)[0]


def load_where(array: Any, at: int, condition: Any) -> Any:
    numbers = [item(array, at + lane) if wanted else 0.0 for lane, wanted in enumerate(condition)]
    return _lanes(numbers)


def store(array: Any, at: int, values: Any) -> None:
    _from(array, int(at), lanes.WIDTH)[:] = values


def _words(values: Any) -> Any:
    return np.asarray(values).view(np.int64)


def _exponent(values: Any) -> Any:
    return (_words(values) - instructions.ROOT_BITS) >> instructions.FRACTION_BITS


def _fraction(values: Any) -> Any:
    return (_words(values) - (_exponent(values) << instructions.FRACTION_BITS)).view(float)


def _together(join: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    def joined(values: Any) -> Any:
        values = np.asarray(values)
        while len(values) > 1:
            values = join(*np.split(values, 2))
        return values[0]

    return joined


def _first_one(word: int) -> int:
    word = int(word) & _WORD
    return (word & -word).bit_length() - 1 if word else 64


_LANES = {
    "load_at": lambda array, at: _lanes(_from(array, int(at)).astype(float)),
    "load_where": load_where,
    "gather": _gathering(lanes.WIDTH),
    "gather_four": _gathering(4),
    "load_item": item,
    "store": store,
    "fill": lambda value: _lanes(np.full(lanes.WIDTH, float(value))),
    "count_from": lambda first: _lanes(first + np.arange(float(lanes.WIDTH))),
    "where": lambda condition, yes, no: _lanes(np.where(condition, yes, no)),
    "exponents": lambda values: _lanes(_exponent(values).astype(float)),
    "fractions": lambda values: _lanes(_fraction(values)),
    "_as_exponent": lambda values: _lanes(
        (_words(values) << instructions.FRACTION_BITS).view(float)
    ),
    "total": _together(np.add),
    "product": _together(np.multiply),
    "highest": _together(lambda a, b: np.where(a > b, a, b)),
    "all_true": lambda condition: bool(np.all(condition)),
    "none_true": lambda condition: not np.any(condition),
    "bit_mask": lambda condition: sum(1 << lane for lane, holds in enumerate(condition) if holds),
}


def install() -> None:
    """Replace the intrinsics; arithmetic is to be as silent as that of kernels."""
    for name, function in _LANES.items():
        assert hasattr(lanes, name)
        setattr(lanes, name, function)
    instructions.count_ones = lambda word: (int(word) & _WORD).bit_count()
    instructions.first_one = _first_one
    instructions.prefetch = lambda array, at: None
    np.seterr(all="ignore")


def shorten(items: list[pytest.Item]) -> None:
    """Let properties try fewer examples than they ask for."""
    for item in items:
        test = getattr(item, "obj", None)
        options = getattr(test, "_hypothesis_internal_use_settings", None)
        if options is not None:
            fewer = hypothesis.settings(options, max_examples=min(EXAMPLES, options.max_examples))
            test._hypothesis_internal_use_settings = fewer
