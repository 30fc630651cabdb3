"""Objects that people write as a name and parameters: protocols, drift detectors.

Each is written as

- a name: ``prequential``;
- a name and values after colons, in the order of the parameters or with their names:
  ``delayed:48``, ``cross_validation:5:tested=held_out``;
- a mapping: ``{name: cross_validation, folds: 5, tested: held_out}``.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from streameval.errors import ConfigError, excerpt, near, plain, some

#: The largest number.
LARGEST = 2**31 - 1
_CALLED = {int: "a whole number", float: "a number", bool: "true or false"}
_FLAGS = {"true": True, "false": False}
_FRACTION = re.compile(r"[0-9]+_[0-9]+")


@dataclass(frozen=True)
class Parameter:
    """The declaration of a parameter.

    Parameters
    ----------
    name, description : str
        Its key and its meaning.
    kind : type
        int, float, bool, or str for one of `choices`.
    choices : tuple of str
        Allowed texts; empty for numbers and flags.
    default : object
        `dataclasses.MISSING` if it must be given.
    at_least, at_most : float
        Smallest and largest number.
    is_open : bool
        Whether numbers must lie between the two, which are no values themselves.
    """

    name: str
    description: str
    kind: type
    choices: tuple[str, ...]
    default: Any
    at_least: float
    at_most: float
    is_open: bool

    @property
    def is_required(self) -> bool:
        """True if it has no default."""
        return self.default is dataclasses.MISSING

    def read(self, value: Any) -> Any:
        """Return a value of the declared type; texts are accepted for numbers and flags.

        Raises
        ------
        ConfigError
            If it is not such a value.
        """
        found = self._converted(value)
        if found is None:
            hint = near(value, self.choices) if isinstance(value, str) else ""
            raise ConfigError(
                f"expected {self._expected()} for {self.name}, found {excerpt(repr(value), 60)}. "
                f"{hint}".rstrip()
            )
        return found

    def _expected(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind is bool:
            return _CALLED[bool]
        words = ("between", "and") if self.is_open else ("from", "to")
        return f"{_CALLED[self.kind]} {words[0]} {self.at_least:,} {words[1]} {self.at_most:,}"

    def _converted(self, value: Any) -> Any:
        """Return a value of the declared type within its bounds, or None."""
        if self.choices:
            return value if value in self.choices else None
        if self.kind is bool:
            value = _FLAGS.get(value.lower()) if isinstance(value, str) else value
            return value if isinstance(value, bool) else None
        # Python accepts True and the text "1_000" as numbers.
        if isinstance(value, bool) or "_" in str(value):
            return None
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return None
        ends = self.at_least, self.at_most
        fits = ends[0] <= number <= ends[1] and not (self.is_open and number in ends)
        fits = fits and (self.kind is float or number.is_integer())
        return self.kind(number) if fits else None


def parameter(
    description: str,
    default: Any = dataclasses.MISSING,
    *,
    at_least: float = 0,
    at_most: float = LARGEST,
    between: tuple[float, float] | None = None,
) -> Any:
    """Declare a parameter: a field of a `Named` class.

    Parameters
    ----------
    description : str
        Its meaning, for the schema and for messages.
    default : int, float, bool or str, optional
        Parameters without default are required.
    at_least, at_most : float
        Smallest and largest number; not negative, as names of files have no sign.
    between : tuple of float, optional
        In their place two numbers that are too small and too large themselves.
    """
    at_least, at_most = between or (at_least, at_most)
    bounds = {"at_least": at_least, "at_most": at_most, "is_open": between is not None}
    return dataclasses.field(default=default, metadata={"description": description, **bounds})


@dataclass(frozen=True)
class Named:
    """An object with a name and parameters, equal to others with the same parameters.

    Subclasses are frozen dataclasses. They declare each field with `parameter`, as int, float,
    bool or ``Literal`` of texts, those without default first.

    Raises
    ------
    ConfigError
        If a parameter is of another type or out of range.
    """

    #: What it is called in messages: protocol, detector.
    what: ClassVar[str]
    #: Its name in settings and in the names of files: lower case letters, digits and ``_``.
    name: ClassVar[str]
    reference: ClassVar[str]

    def __post_init__(self) -> None:
        for declared in self.parameters():
            try:
                value = declared.read(getattr(self, declared.name))
            except ConfigError as error:
                raise self._refused(str(error), declared.name) from error
            object.__setattr__(self, declared.name, value)

    def _refused(self, message: str, *keys: str) -> ConfigError:
        return ConfigError(f"{self.what.capitalize()} {self.name}: {message}", keys)

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations of all parameters, in order."""
        hints = typing.get_type_hints(cls)
        choices = {name: typing.get_args(hint) for name, hint in hints.items()}
        return tuple(
            Parameter(
                field.name,
                kind=str if choices[field.name] else hints[field.name],
                choices=choices[field.name],
                default=field.default,
                **field.metadata,
            )
            for field in dataclasses.fields(cls)
        )


N = TypeVar("N", bound=Named)


def parse(setting: Any, kind: type[N], registry: Mapping[str, type[N]], example: str = "") -> N:
    """Return the object of a text or a mapping.

    Parameters
    ----------
    setting : str, mapping or object of `kind`
        See the head of this module; a text with hyphens instead of colons, ``delayed-48``, is
        accepted too.
    kind : type
        The base of all classes of the registry.
    registry : mapping of str to type
        The classes by name.
    example : str
        A mapping, for messages.

    Raises
    ------
    ConfigError
        If there is no such object, or a parameter is unknown, missing or wrong.
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
        found = _find(name, kind, registry)
        return _make(found, _arguments(found, words))
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


def form(cls: type[Named]) -> str:
    """Return how objects of a class are written, such as ``delayed:DELAY``."""
    declared = cls.parameters()
    words = [f":{p.name.upper()}" if p.is_required else f"[:{p.name.upper()}" for p in declared]
    return cls.name + "".join(words) + "]" * sum(not p.is_required for p in declared)


def _find(name: Any, kind: type[N], registry: Mapping[str, type[N]]) -> type[N]:
    if not isinstance(name, str) or name not in registry:
        raise ConfigError(
            f"There is no {kind.what} {plain(name)!r}; there are "
            f"{', '.join(map(form, registry.values()))}. {near(str(name), registry)}".rstrip()
        )
    return registry[name]


def _arguments(cls: type[Named], words: Iterable[str]) -> dict[str, str]:
    """Return parameters from texts: values in their order, or ``name=value``."""
    names = iter(declared.name for declared in cls.parameters())
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        key = name if equals else next(names, None)
        if key is None or key in given:
            raise ConfigError(
                f"{cls.what.capitalize()} {cls.name}: "
                + ("too many values" if key is None else f"two values for {plain(key)}")
                + f" in {excerpt(':'.join(words), 60)!r}. Write {form(cls)}."
            )
        given[key] = value if equals else word
    return given


def _make(cls: type[N], arguments: Mapping[str, Any]) -> N:
    """Return an object, after a check for unknown and missing parameters."""
    declared = {found.name: found for found in cls.parameters()}
    for name in arguments:
        if name not in declared:
            raise ConfigError(
                f"{cls.what.capitalize()} {cls.name}: unknown key {plain(name)!r}; known are "
                f"{', '.join(declared) or 'none'}. {near(name, declared)}".rstrip(),
                [name],
            )
    for name, found in declared.items():
        if found.is_required and name not in arguments:
            raise ConfigError(
                f"{cls.what.capitalize()} {cls.name}: expected a value for {name} "
                f"({found.description}), found none. Write {form(cls)}, or a mapping with the "
                f"key {name}."
            )
    return cls(**arguments)
