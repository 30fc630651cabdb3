"""Declared parameters of learners, wrappers, detectors, protocols and generators.

Each of these is a frozen dataclass. The annotation of a field says which values are accepted, with
bounds as `msgspec.Meta`: ``members: Annotated[Count, Meta(le=10_000)] = 10``. The constructor
checks all parameters; settings, commands and documentation read the same declarations.

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
from streameval.base.errors import ConfigError, did_you_mean, excerpt, listing, printable
from streameval.base.schema import check_data, type_name, without_annotations

#: Largest integer parameter if its declaration has no upper bound: kernels count in 32 bits.
LARGEST = 2**31 - 1
#: Integers from 0, and from 1.
Whole = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
#: A signed integer of 64 bits, like seeds in Java.
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Proportion = Annotated[float, Meta(ge=0, le=1)]
Percentage = Annotated[int, Meta(ge=0, le=100)]
#: A proportion other than 0 and 1.
StrictProportion = Annotated[float, Meta(gt=0, lt=1)]
#: Types of single values in settings.
_SCALARS = (int, float, bool, str, type(None))
#: Flags as texts, in lower case.
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
#: A decimal number in a file name, such as 0_5 for 0.5.
_FRACTION = re.compile(r"[0-9]+_[0-9]+")


def parameter(description: str, default: Any = dataclasses.MISSING) -> Any:
    """Declare a field with a description; without a default it is required."""
    return dataclasses.field(default=default, metadata={"description": description})


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter; `info` is its type, or None if it accepts any object."""

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
        """The accepted values in words."""
        return "anything" if self.info is None else type_name(self.info)

    @property
    def is_flag(self) -> bool:
        """True if its values are true and false."""
        return self.info is not None and isinstance(
            without_annotations(self.info)[0], inspect.BoolType
        )

    def read(self, value: Any, where: str) -> Any:
        """Convert a value to the declared type; messages begin with `where`."""
        if self.info is None:
            return value
        content = check_data(values.python_value(value), self.info, where, (self.name,))
        is_number = isinstance(content, int) and not isinstance(content, bool)
        # The whole number 1 for a parameter of floats becomes 1.0.
        return float(content) if is_number and not _accepts(self.info, inspect.IntType) else content


@dataclass(frozen=True)
class Configurable:
    """Base class of objects whose fields are declared parameters, compared by their values.

    Raises
    ------
    ConfigError
        If a parameter is of another type or out of range.
    """

    #: Noun for the kind of object in messages, such as "protocol".
    noun: ClassVar[str] = ""
    #: Name in settings and file names: lower case letters, digits and ``_``.
    name: ClassVar[str]

    def __post_init__(self) -> None:
        where = self.message_name()
        for parameter in self.declared_parameters():
            value = parameter.read(getattr(self, parameter.name), where)
            object.__setattr__(self, parameter.name, value)  # the dataclass is frozen
        self._check_combination()

    def _check_combination(self) -> None:
        """Refuse combinations of parameters that are valid singly; subclasses override it."""

    def _check_at_most(self, lower: str, upper: str) -> None:
        """Refuse parameters with `lower` above `upper`; a `lower` of None is allowed."""
        value, limit = getattr(self, lower), getattr(self, upper)
        if value is not None and value > limit:
            raise self._parameter_error(
                f"at {lower}: expected at most {upper}, which is {limit}, found {value}.", lower
            )

    @classmethod
    def message_name(cls) -> str:
        """Name in messages, such as "Protocol delayed"."""
        return f"{cls.noun.capitalize()} {cls.name}".strip()

    def _parameter_error(self, message: str, *keys: str) -> ConfigError:
        """Error about the parameters `keys`."""
        return ConfigError(f"{self.message_name()}: {message}", keys)

    @classmethod
    def declared_parameters(cls) -> tuple[Parameter, ...]:
        """Declarations of all parameters, in order."""
        return _parameters(cls)  # type: ignore[arg-type]  # mypy treats the class as an object


@cache
def _parameters(cls: type[Configurable]) -> tuple[Parameter, ...]:
    parameters = []
    for field in dataclasses.fields(cls):
        hint = _hint(cls, field)
        info = _limited(inspect.type_info(hint)) if _is_plain(hint) else None
        factory = field.default_factory
        default = field.default if factory is dataclasses.MISSING else factory()
        description = field.metadata.get("description", "")
        parameters.append(Parameter(field.name, description, default, info))
    return tuple(parameters)


def _hint(cls: type, field: dataclasses.Field[Any]) -> Any:
    """Annotation of a field, as text if it uses names that only type checkers import."""
    # The annotation is evaluated in the module of the class that declares the field.
    owners = (base for base in cls.__mro__ if field.name in vars(base).get("__annotations__", {}))
    names = vars(sys.modules[next(owners).__module__])
    try:
        return eval(field.type, names) if isinstance(field.type, str) else field.type  # noqa: S307
    except NameError:
        return field.type


def _is_plain(hint: Any) -> bool:
    """Whether a type is plain data: number, text, flag, None, or a tuple or union of them."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _is_plain(inner[0])
    if origin in (typing.Union, types.UnionType, tuple):
        return all(_is_plain(part) for part in inner if part is not Ellipsis)
    return origin is Literal or hint in _SCALARS


def _limited(info: inspect.Type) -> inspect.Type:
    """The type, with the upper bound `LARGEST` on integers that have no bound."""
    match info:
        case inspect.Metadata():
            return replace(info, type=_limited(info.type))
        case inspect.UnionType():
            return replace(info, types=tuple(map(_limited, info.types)))
        case inspect.IntType(le=None, lt=None):
            return replace(info, le=LARGEST)
    return info


def _accepts(info: inspect.Type, kind: type) -> bool:
    """Whether a type, or a member of a union, is of a kind such as `inspect.IntType`."""
    info, _ = without_annotations(info)
    return isinstance(info, kind) or any(
        _accepts(part, kind) for part in getattr(info, "types", ())
    )


C = TypeVar("C", bound=Configurable)


def parse_setting(
    setting: Any,
    kind: type[C],
    registry: Mapping[str, type[C]],
    example: str = "",
) -> C:
    """Make an object from a text or a mapping; an object is returned unchanged.

    The module's docstring describes the forms.

    The form of file names is accepted too, with hyphens instead of colons: ``delayed-48``.
    """
    if isinstance(setting, kind):
        return setting
    if isinstance(setting, str):
        is_stem = ":" not in setting  # the form of file names, which also replaces dots by _
        name, *words = (part.strip() for part in setting.split("-" if is_stem else ":"))
        if is_stem:
            words = [
                word.replace("_", ".") if _FRACTION.fullmatch(word) else word for word in words
            ]
        return from_words(_find(name, kind, registry), words)
    if isinstance(setting, Mapping):
        arguments = {str(key): value for key, value in setting.items()}
        if "name" not in arguments:
            raise ConfigError(
                f"{kind.noun.capitalize()}: expected the key name, found "
                f"{listing(arguments) or 'no keys'}. Write {example}; the names are "
                f"{', '.join(registry)}."
            )
        return _make(_find(arguments.pop("name"), kind, registry), arguments)
    raise ConfigError(
        f"{kind.noun.capitalize()}: expected a name or a mapping, found "
        f"{excerpt(repr(setting), 60)}. The names are {', '.join(registry)}."
    )


def syntax_of(cls: type[Configurable], *preset: str) -> str:
    """Syntax of a class in settings, such as ``delayed:DELAY``, without the `preset` parameters."""
    declared = [item for item in cls.declared_parameters() if item.name not in preset]
    words = [("" if item.is_required else "[") + f":{item.name.upper()}" for item in declared]
    return cls.name + "".join(words) + "]" * sum(not item.is_required for item in declared)


def from_words(cls: type[C], words: Iterable[str], preset: Mapping[str, Any] | None = None) -> C:
    """Make an object from texts: values in the order of its parameters, or ``name=value``.

    `preset` has the values of parameters that the texts do not set.
    """
    arguments: dict[str, Any] = dict(preset or {})
    names = iter([item.name for item in cls.declared_parameters() if item.name not in arguments])
    flags = {item.name for item in cls.declared_parameters() if item.is_flag}
    for word in words:
        name, equals, value = word.partition("=")
        key = name if equals else next(names, None)
        if key is None or key in arguments:
            raise ConfigError(
                f"{cls.message_name()}: "
                + ("too many values" if key is None else f"two values for {printable(key)}")
                + f" in {excerpt(':'.join(words), 60)!r}. Write {syntax_of(cls, *(preset or ()))}."
            )
        text = value if equals else word
        arguments[key] = _FLAGS.get(text.lower(), text) if key in flags else text
    return _make(cls, arguments)


def _find(name: Any, kind: type[C], registry: Mapping[str, type[C]]) -> type[C]:
    if not isinstance(name, str) or name not in registry:
        raise ConfigError(
            f"There is no {kind.noun} {printable(name)!r}; there are "
            f"{', '.join(map(syntax_of, registry.values()))}. "
            f"{did_you_mean(str(name), registry)}".rstrip()
        )
    return registry[name]


def _make(cls: type[C], arguments: Mapping[str, Any]) -> C:
    """Make an object; refuse unknown and missing parameters."""
    declared = {item.name: item for item in cls.declared_parameters()}
    for name in arguments:
        if name not in declared:
            raise ConfigError(
                f"{cls.message_name()}: unknown key {printable(name)!r}; known are "
                f"{', '.join(declared) or 'none'}. {did_you_mean(name, declared)}".rstrip(),
                [name],
            )
    for name, item in declared.items():
        if item.is_required and name not in arguments:
            raise ConfigError(
                f"{cls.message_name()}: expected a value for {name} "
                f"({item.description}), found none. Write {syntax_of(cls)}, or a mapping with the "
                f"key {name}."
            )
    return cls(**arguments)
