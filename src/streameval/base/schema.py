"""Checks of plain data, as read from YAML, against a type, with conversion to that type.

Values in another form than the type's are converted: a single value to a list of it; a whole
number to a text, in a list of texts and as a key; a text such as 1e3, which only YAML 1.2 reads as
a number, to that number. Types are msgspec structs and dataclasses whose annotations have bounds as
`Meta`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence, Sized
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, inspect

from streameval.base.errors import ConfigError, did_you_mean, excerpt, listing, printable
from streameval.base.values import NUMBER, name_of

#: For `Meta.extra_json_schema`: a list without repeated values.
UNIQUE_ITEMS = {"uniqueItems": True}
#: Annotation of a field that the program sets: it is not a key of settings.
NO_KEY = Meta(extra={"is_key": False})
Text = Annotated[str, Meta(min_length=1)]
#: Id of a study, a learner, or a table or figure, which is also part of file names.
Id = Annotated[
    str,
    Meta(
        pattern="[a-z][a-z0-9_]*",
        title="an id of small letters, digits and _, a letter first",
    ),
]

#: Dotted name of a module.
ModuleName = Annotated[
    str, Meta(pattern=r"[^\W\d]\w*(\.[^\W\d]\w*)*", title="a module, package.module")
]

#: Types of numbers, of classes with fields, and of mappings.
_NUMBERS = (inspect.IntType, inspect.FloatType)
_RECORDS = (inspect.StructType, inspect.DataclassType)
_MAPPINGS = (*_RECORDS, inspect.DictType)
#: Which member of a union reads a value: pairs of the value's type and the member's type. The first
#: pair that fits the value and a member is used.
_UNION_MEMBERS = (
    (type(None), inspect.NoneType),
    (Mapping, _MAPPINGS),
    (list | tuple, inspect.VarTupleType),
    (bool, inspect.BoolType),
    (int | float, _NUMBERS),
    (str | int | float, inspect.StrType),
    (str, inspect.LiteralType),
    (str, _NUMBERS),
    (str | int | float, inspect.VarTupleType),
)
#: Largest upper bound in names of types. The bound 2^31 - 1 is left out of them: it is a limit of
#: kernels, which count in 32 bits, and not of the meaning.
_MAX_BOUND = 2**31 - 2
#: Names of types in messages and documentation.
_NAMES = {
    inspect.StrType: "text",
    inspect.IntType: "whole number",
    inspect.FloatType: "number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.AnyType: "anything",
}


def check_data(
    content: Any,
    expected_type: Any,
    where: str | Callable[..., str],
    place: Sequence[str] = (),
    *,
    is_partial: bool = False,
) -> Any:
    """Check plain data against a type, and return a converted copy.

    Defaults are not added. A class whose required keys depend on other keys has a function
    ``required_keys``. `where` is the name of the file, or a function that returns it for the keys
    of the wrong entry. `place` are the keys that lead to `content`. `is_partial` allows required
    keys to be missing, for one of several files that are merged.
    """
    try:
        info = expected_type if isinstance(expected_type, inspect.Type) else _type_of(expected_type)
        return _check(content, info, [*place], is_partial)
    except ConfigError as error:
        file = where if isinstance(where, str) else where(*error.keys)
        raise ConfigError(f"{file}: {error}", error.keys) from error


_type_of = cache(inspect.type_info)


def fields_of(expected_type: type) -> dict[str, inspect.Field]:
    """Declarations of the keys of a class by name."""
    return _fields(_type_of(expected_type))


def _fields(info: Any) -> dict[str, inspect.Field]:
    # Fields with `NO_KEY` have `extra`.
    return {field.name: field for field in info.fields if not getattr(field.type, "extra", None)}


def without_annotations(info: inspect.Type) -> tuple[inspect.Type, Mapping[str, Any]]:
    """A type without its annotations, and the annotations, such as a title."""
    if isinstance(info, inspect.Metadata):
        inner, annotations = without_annotations(info.type)
        # msgspec keeps titles and extra entries of a schema in one mapping.
        return inner, {**annotations, **(info.extra_json_schema or {})}
    return info, {}


def type_name(info: inspect.Type) -> str:
    """Name of a type with its bounds, such as "whole number from 1"."""
    info, annotations = without_annotations(info)
    if "title" in annotations:
        return str(annotations["title"])
    if isinstance(info, inspect.LiteralType):
        return " or ".join(f"`{value}`" for value in info.values)
    if isinstance(info, inspect.UnionType):
        return " or ".join(type_name(member) for member in info.types)
    if isinstance(info, inspect.VarTupleType):
        return f"list of {type_name(info.item_type)}"
    if isinstance(info, _RECORDS):
        keys = "; ".join(
            f"`{key}`: {type_name(field.type)}" for key, field in _fields(info).items()
        )
        return f"mapping ({keys})"
    return _NAMES.get(type(info), "mapping") + _bounds(info)


def _bounds(info: inspect.Type, max_bound: float = _MAX_BOUND) -> str:
    if not isinstance(info, _NUMBERS):
        return ""
    limits = [f"above {info.gt}"] if info.gt is not None else []
    limits += [f"from {info.ge:,}"] if info.ge is not None else []
    upto = "to" if info.gt is None else "and at most"
    limits += [f"{upto} {info.le:,}"] if info.le is not None and info.le <= max_bound else []
    limits += [f"and below {info.lt}"] if info.lt is not None else []
    return f" {' '.join(limits)}" if limits else ""


def _check(content: Any, info: inspect.Type, place: list[str], is_partial: bool = False) -> Any:
    info, annotations = without_annotations(info)
    match info:
        case inspect.AnyType():
            return _check_any(content, place)
        case inspect.UnionType():
            return _check(content, _union_member(content, info, place), place, is_partial)
        case inspect.StructType() | inspect.DataclassType():
            return _check_record(
                content, info, annotations.get("minProperties", 0), place, is_partial
            )
        case inspect.DictType():
            return _check_mapping(content, info, place, is_partial)
        case inspect.VarTupleType():
            return _check_list(content, info, "uniqueItems" in annotations, place)
        case inspect.StrType():
            return _check_text(content, info, annotations.get("title", ""), place)
        case inspect.IntType() | inspect.FloatType():
            return _check_number(content, info, place)
        case inspect.BoolType():
            values: tuple[Any, ...] = (False, True)
        case _:
            values = getattr(info, "values", (None,))  # of a literal; otherwise the type of None
    # The types are compared, too, since 1 == True.
    if not any(content == allowed and type(content) is type(allowed) for allowed in values):
        raise _mismatch_error(content, info, place)
    return content


def _union_member(content: Any, union: inspect.UnionType, place: list[str]) -> inspect.Type:
    """The member of a union that reads a value."""
    for values, types in _UNION_MEMBERS:
        fitting = [
            member for member in union.types if isinstance(without_annotations(member)[0], types)
        ]
        if fitting and isinstance(content, values):
            return fitting[0]
    raise _mismatch_error(content, union, place)


def _check_any(content: Any, place: list[str]) -> Any:
    """Data of any type, with texts as keys of mappings."""
    if isinstance(content, Mapping):
        keys = {key: _check_name(key, place) for key in content}
        return {keys[key]: _check_any(value, [*place, keys[key]]) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_check_any(part, [*place, str(i)]) for i, part in enumerate(content)]
    return content


def _check_record(
    content: Any, info: Any, min_keys: int, place: list[str], is_partial: bool
) -> dict[str, Any]:
    """A mapping whose keys are fields of a class."""
    if not isinstance(content, Mapping):
        raise _mismatch_error(content, info, place)
    entries = {_check_name(key, place): value for key, value in content.items()}
    fields = _fields(info)
    unknown = [key for key in entries if key not in fields]
    if unknown:
        raise ConfigError(
            f"at {_keys_text(place)}: unknown key {listing(unknown)}; known are "
            f"{listing(sorted(fields))}. {did_you_mean(unknown[0], fields)}".rstrip(),
            [*place, unknown[0]],
        )
    needed = [] if is_partial else [key for key, field in fields.items() if field.required]
    if not is_partial and hasattr(info.cls, "required_keys"):
        needed += info.cls.required_keys(entries)
    missing = [key for key in needed if key not in entries]
    if missing or len(entries) < min_keys:
        expected = (
            f"the key {listing(missing)}" if missing else f"some of the keys {listing(fields)}"
        )
        raise _value_error(expected, f"{listing(entries) or 'none'}", place)
    return {
        key: _check(value, fields[key].type, [*place, key], is_partial)
        for key, value in entries.items()
    }


def _check_mapping(
    content: Any, info: inspect.DictType, place: list[str], is_partial: bool
) -> dict[str, Any]:
    if not isinstance(content, Mapping):
        raise _mismatch_error(content, info, place)
    _check_length(content, info, "key", place)
    keys = {key: _check(_check_name(key, place), info.key_type, place) for key in content}
    return {
        keys[key]: _check(value, info.value_type, [*place, keys[key]], is_partial)
        for key, value in content.items()
    }


def _check_list(
    content: Any, info: inspect.VarTupleType, unique: bool, place: list[str]
) -> list[Any]:
    if isinstance(content, str | int | float):
        content = [content]
    if not isinstance(content, list | tuple):
        raise _mismatch_error(content, info, place)
    if isinstance(without_annotations(info.item_type)[0], inspect.StrType):
        content = [str(item) if type(item) is int else item for item in content]
    items = [_check(item, info.item_type, [*place, str(i)]) for i, item in enumerate(content)]
    _check_length(items, info, "value", place)
    if unique and len(set(items)) < len(items):
        repeated = next(item for item in items if items.count(item) > 1)
        raise _value_error("each value once", f"{printable(repeated)} more than once", place)
    return items


def _check_text(content: Any, info: inspect.StrType, title: str, place: list[str]) -> str:
    # `_check_name` refuses truth values and fractions, and advises quotes.
    if content is None or isinstance(content, Mapping | list | tuple) or type(content) is int:
        raise _mismatch_error(content, info, place)
    content = _check_name(content, place)
    if info.pattern is not None and not re.fullmatch(info.pattern, content):
        raise _value_error(title or f"a text like {info.pattern}", excerpt(repr(content)), place)
    if len(content) < (info.min_length or 0):
        raise _value_error("a text", "an empty text", place)
    return str(content)


def _check_number(
    content: Any, info: inspect.IntType | inspect.FloatType, place: list[str]
) -> int | float:
    number: Any = content
    if isinstance(content, str) and NUMBER.fullmatch(content):
        number = float(content)
        is_whole = isinstance(info, inspect.IntType) and content.lstrip("+-").isdecimal()
        if is_whole and abs(number) <= sys.float_info.max:  # otherwise it is refused below
            number = int(content)  # above 2^53 a float may be another number
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    is_float = isinstance(number, float) or isinstance(info, inspect.FloatType)
    if is_number and is_float and not abs(number) <= sys.float_info.max:  # infinite or NaN
        raise _value_error("a finite number", excerpt(number), place)
    if is_number and isinstance(info, inspect.IntType):
        is_number = number == int(number)
        number = int(number)
    if not is_number or not (
        (info.gt is None or number > info.gt)
        and (info.ge is None or number >= info.ge)
        and (info.lt is None or number < info.lt)
        and (info.le is None or number <= info.le)
    ):
        raise _mismatch_error(content, info, place)
    return number  # type: ignore[no-any-return]


def _check_name(value: Any, place: list[str]) -> str:
    """A key or text as a text; ConfigError for what YAML reads as another type, such as `no`."""
    try:
        return name_of(value, ".".join(place))
    except ConfigError as error:
        raise ConfigError(str(error), place) from error


def _check_length(content: Sized, info: Any, what: str, place: list[str]) -> None:
    lower, upper = info.min_length or 0, info.max_length
    if len(content) < lower:
        raise _value_error(
            f"at least {lower} {what}{'s' * (lower > 1)}", len(content) or "none", place
        )
    if upper is not None and len(content) > upper:
        raise _value_error(f"at most {upper} {what}{'s' * (upper > 1)}", len(content), place)


def _mismatch_error(content: Any, info: inspect.Type, place: list[str]) -> ConfigError:
    """The error about a value that does not have the expected type."""
    if content is None and not place:
        return ConfigError("expected settings, found none: it is empty.")
    if isinstance(info, inspect.LiteralType):
        values = [str(value) for value in info.values]
        hint = did_you_mean(content, values) if isinstance(content, str) else ""
        return _value_error(f"one of {listing(values)}", excerpt(repr(content)), place, hint)
    expected = "mapping of keys to values" if isinstance(info, _MAPPINGS) else type_name(info)
    if isinstance(info, _NUMBERS):
        # A message gives every bound.
        expected = _NAMES[type(info)] + _bounds(info, max_bound=info.le or 0)
    if not expected.startswith(("true", "null", "a ", "an ")):  # titles have their article
        expected = f"a {expected}"
    return _value_error(expected, excerpt(repr(content)), place)


def _value_error(expected: str, value: object, place: list[str], hint: str = "") -> ConfigError:
    message = f"at {_keys_text(place)}: expected {expected}, found {value}. {hint}"
    return ConfigError(message.rstrip(), place)


def _keys_text(place: list[str]) -> str:
    return excerpt(".".join(place) or "the top level")
