"""Declared parameters: of learners, wrappers, detectors, protocols and generators.

Each of these is a frozen dataclass. What a field accepts stands in its annotation, with bounds as
`msgspec.Meta`: ``members: Annotated[Count, Meta(le=10_000)] = 10``. An object checks its parameters
when it is made; files, commands and pages read the same declarations.

Protocols and detectors are written as

- a name: ``prequential``;
- a name and values after colons, in the order of the parameters or with their names:
  ``delayed:48``, ``cross_validation:5:tested=held_out``;
- a mapping: ``{name: cross_validation, folds: 5, tested: held_out}``.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin

from msgspec import Meta, inspect
from msgspec.structs import replace

from streameval.base import values
from streameval.base.errors import ConfigError, excerpt, near, plain, some
from streameval.base.schema import bare, checked, named

#: The largest whole number, where a declaration has no other bound: kernels count in 32 bits.
LARGEST = 2**31 - 1
Whole = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
#: A signed integer of 64 bits, as Java's seeds are.
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Proportion = Annotated[float, Meta(ge=0, le=1)]
Percentage = Annotated[int, Meta(ge=0, le=100)]
#: Neither 0 nor 1.
StrictProportion = Annotated[float, Meta(gt=0, lt=1)]
_PLAIN = (int, float, bool, str, type(None))
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
_FRACTION = re.compile(r"[0-9]+_[0-9]+")


def parameter(description: str, default: Any = dataclasses.MISSING) -> Any:
    """Return a field with a description, for messages and pages; without default it is required."""
    return dataclasses.field(default=default, metadata={"description": description})


@dataclass(frozen=True)
class Parameter:
    """The declaration of a parameter; `info` is what it accepts, None of no plain data."""

    name: str
    description: str
    default: Any
    info: inspect.Type | None

    @property
    def is_required(self) -> bool:
        """True if it has no default."""
        return self.default is dataclasses.MISSING

    @property
    def accepts(self) -> str:
        """What it accepts, in words."""
        return "anything" if self.info is None else named(self.info)

    @property
    def is_flag(self) -> bool:
        """True if it is true or false."""
        return self.info is not None and isinstance(bare(self.info)[0], inspect.BoolType)

    def read(self, value: Any, where: str) -> Any:
        """Return a value in the declared type; messages say `where` it was found."""
        if self.info is None:
            return value
        found = checked(values.plain(value), self.info, where, (self.name,))
        is_number = isinstance(found, int) and not isinstance(found, bool)
        return float(found) if is_number and not _has(self.info, inspect.IntType) else found


@dataclass(frozen=True)
class Declared:
    """An object whose fields are declared parameters, equal to others with the same ones.

    Raises
    ------
    ConfigError
        If a parameter is of another type or out of range.
    """

    #: What it is called in messages: protocol, detector.
    what: ClassVar[str] = ""
    #: Its name in settings and in the names of files: lower case letters, digits and ``_``.
    name: ClassVar[str]

    def __post_init__(self) -> None:
        where = self.called()
        for declared in self.declared():
            value = getattr(self, declared.name)
            object.__setattr__(self, declared.name, declared.read(value, where))
        self._check_together()

    def _check_together(self) -> None:
        """Refuse what depends on several parameters; each by itself is right."""

    def _check_most(self, lower: str, upper: str) -> None:
        """Refuse a parameter that is larger than another one; None is not."""
        found, most = getattr(self, lower), getattr(self, upper)
        if found is not None and found > most:
            raise self._refused(
                f"at {lower}: expected at most {upper}, which is {most}, found {found}.", lower
            )

    @classmethod
    def called(cls) -> str:
        """Return what messages call it, such as "Protocol delayed"."""
        return f"{cls.what.capitalize()} {cls.name}".strip()

    def _refused(self, message: str, *keys: str) -> ConfigError:
        return ConfigError(f"{self.called()}: {message}", keys)

    @classmethod
    def declared(cls) -> tuple[Parameter, ...]:
        """Return the declarations of all parameters, in order."""
        return _parameters(cls)  # type: ignore[arg-type]  # mypy takes a class for an object


@cache
def _parameters(cls: type[Declared]) -> tuple[Parameter, ...]:
    found = []
    for field in dataclasses.fields(cls):
        hint = _hint(cls, field)
        info = _limited(inspect.type_info(hint)) if _is_plain(hint) else None
        made = field.default_factory
        default = field.default if made is dataclasses.MISSING else made()
        found.append(Parameter(field.name, field.metadata.get("description", ""), default, info))
    return tuple(found)


def _hint(cls: type, field: dataclasses.Field[Any]) -> Any:
    """Return the annotation of a field; as it is written where names in it are not there."""
    of = next(one for one in cls.__mro__ if field.name in vars(one).get("__annotations__", {}))
    names = vars(sys.modules[of.__module__])
    try:
        return eval(field.type, names) if isinstance(field.type, str) else field.type  # noqa: S307
    except NameError:  # imported for type checkers only
        return field.type


def _is_plain(hint: Any) -> bool:
    """Return whether a type is of plain data: numbers, texts, flags, or some of them."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _is_plain(inner[0])
    if origin in (typing.Union, types.UnionType, tuple):
        return all(_is_plain(one) for one in inner if one is not Ellipsis)
    return origin is Literal or hint in _PLAIN


def _limited(info: inspect.Type) -> inspect.Type:
    """Return a type whose whole numbers have a largest one."""
    match info:
        case inspect.Metadata():
            return replace(info, type=_limited(info.type))
        case inspect.UnionType():
            return replace(info, types=tuple(map(_limited, info.types)))
        case inspect.IntType(le=None, lt=None):
            return replace(info, le=LARGEST)
    return info


def _has(info: inspect.Type, kind: type) -> bool:
    info, _ = bare(info)
    return isinstance(info, kind) or any(_has(one, kind) for one in getattr(info, "types", ()))


N = TypeVar("N", bound=Declared)


def parse(setting: Any, kind: type[N], registry: Mapping[str, type[N]], example: str = "") -> N:
    """Return the object of a text or a mapping, see the head of this module, or the object itself.

    A text with hyphens instead of colons, ``delayed-48``, is accepted too.
    """
    if isinstance(setting, kind):
        return setting
    if isinstance(setting, str):
        # The form for file names has neither colons nor dots.
        is_stem = ":" not in setting
        name, *words = (part.strip() for part in setting.split("-" if is_stem else ":"))
        if is_stem:
            words = [
                word.replace("_", ".") if _FRACTION.fullmatch(word) else word for word in words
            ]
        return of_words(_find(name, kind, registry), words)
    if isinstance(setting, Mapping):
        arguments = {str(key): value for key, value in setting.items()}
        if "name" not in arguments:
            raise ConfigError(
                f"{kind.what.capitalize()}: expected the key name, found "
                f"{some(arguments) or 'no keys'}. Write {example}; the names are "
                f"{', '.join(registry)}."
            )
        return _make(_find(arguments.pop("name"), kind, registry), arguments)
    raise ConfigError(
        f"{kind.what.capitalize()}: expected a name or a mapping, found "
        f"{excerpt(repr(setting), 60)}. The names are {', '.join(registry)}."
    )


def form(cls: type[Declared], *given: str) -> str:
    """Return how objects of a class are written, such as ``delayed:DELAY``; some are `given`."""
    words = [one for one in cls.declared() if one.name not in given]
    shown = [("" if one.is_required else "[") + f":{one.name.upper()}" for one in words]
    return cls.name + "".join(shown) + "]" * sum(not one.is_required for one in words)


def of_words(cls: type[N], words: Iterable[str], given: Mapping[str, Any] | None = None) -> N:
    """Return an object of the texts of its parameters: values in their order, or ``name=value``."""
    found: dict[str, Any] = dict(given or {})
    names = iter([one.name for one in cls.declared() if one.name not in found])
    flags = {one.name for one in cls.declared() if one.is_flag}
    for word in words:
        name, equals, value = word.partition("=")
        key = name if equals else next(names, None)
        if key is None or key in found:
            raise ConfigError(
                f"{cls.called()}: "
                + ("too many values" if key is None else f"two values for {plain(key)}")
                + f" in {excerpt(':'.join(words), 60)!r}. Write {form(cls, *(given or ()))}."
            )
        text = value if equals else word
        found[key] = _FLAGS.get(text.lower(), text) if key in flags else text
    return _make(cls, found)


def _find(name: Any, kind: type[N], registry: Mapping[str, type[N]]) -> type[N]:
    if not isinstance(name, str) or name not in registry:
        raise ConfigError(
            f"There is no {kind.what} {plain(name)!r}; there are "
            f"{', '.join(map(form, registry.values()))}. {near(str(name), registry)}".rstrip()
        )
    return registry[name]


def _make(cls: type[N], arguments: Mapping[str, Any]) -> N:
    """Return an object, after a check for unknown and missing parameters."""
    declared = {found.name: found for found in cls.declared()}
    for name in arguments:
        if name not in declared:
            raise ConfigError(
                f"{cls.called()}: unknown key {plain(name)!r}; known are "
                f"{', '.join(declared) or 'none'}. {near(name, declared)}".rstrip(),
                [name],
            )
    for name, found in declared.items():
        if found.is_required and name not in arguments:
            raise ConfigError(
                f"{cls.called()}: expected a value for {name} "
                f"({found.description}), found none. Write {form(cls)}, or a mapping with the "
                f"key {name}."
            )
    return cls(**arguments)
