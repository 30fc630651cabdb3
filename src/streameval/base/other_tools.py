"""Objects of other tools from their descriptions in the registry of learners.

A description of an object is

- a dotted path, ``river.tree.HoeffdingTreeClassifier``: the class with its defaults;
- a mapping of such a path to parameters, ``{river.tree.HoeffdingTreeClassifier: {delta: 0.01}}``;
- a mapping of such a path to a list, which has the positional arguments.

The values of parameters may be descriptions, too: a text if it begins with the name of the tool's
package, a mapping if its only key is a dotted path.

Reading a description imports and checks its classes, and constructs no object. Only estimators and
their parts may be constructed: subclasses of River's and scikit-learn's base classes, and classes
with one of their methods. Each learner has a row in the registry, which says which modules may be
imported; see `streameval.learners.registry.LearnerSpec`.

The module also limits repeated warnings of models to one, and measures the memory of a model.
"""

from __future__ import annotations

import difflib
import gc
import importlib
import inspect
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np

from streameval.base.errors import CodeError, ConfigError, StreamevalError, excerpt
from streameval.base.user_code import importing_from, remove_stale_bytecode

#: Base classes of objects that settings may construct: models, and parts of models.
_BASES = (
    "river.base.Base",
    "river.utils.Rolling",
    "sklearn.base.BaseEstimator",
    "sklearn.gaussian_process.kernels.Kernel",
    "sklearn.model_selection.BaseCrossValidator",
    "sklearn.model_selection.BaseShuffleSplit",
    "sklearn.compose.make_column_selector",
)
#: Methods of River's and scikit-learn's interfaces: a class with one of them is an estimator, too.
_METHODS = ("learn_one", "transform_one", "partial_fit", "fit", "transform")
#: A dotted path, such as "package.module.Class".
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
#: Kinds of parameters that can be passed by name.
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def is_instance_with(model: Any, method: str) -> bool:
    """Whether `model` is an object that has the method, not its class or a description."""
    return hasattr(model, method) and not isinstance(model, type)


def error_location(error: Exception) -> str:
    """File and line at which an error was raised."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename}, line {last.lineno}"


def import_user_module(module: str, folder: str = "", setting: str = "") -> ModuleType:
    """Import a module that is installed or in `folder`.

    `setting` is the text in the settings, for messages. Raises ConfigError if the module is
    missing, CodeError if its code fails.
    """
    setting = setting or module
    if module not in sys.modules:
        # A replaced file may keep its size and time; Python would run the bytecode of the old file.
        remove_stale_bytecode(module, folder)
    try:
        with importing_from(folder):
            return importlib.import_module(module)
    except ImportError as error:
        is_missing = isinstance(error, ModuleNotFoundError)
        # The missing module is this module or a package that contains it. Otherwise the user's
        # module exists, and a module that it imports is missing.
        is_missing = is_missing and f"{module}.".startswith(f"{error.name}.")
        installation = f"in {folder}, installed," if folder else "installed,"
        kind = ConfigError if is_missing else CodeError
        raise kind(
            f"cannot import {setting!r}: {error}. Is it {installation} or on PYTHONPATH?"
        ) from error
    except Exception as error:  # a user's module may raise anything
        raise CodeError(
            f"cannot import {setting!r}: {type(error).__name__}: {excerpt(error)} "
            f"({error_location(error)}). Correct the module."
        ) from error


def find_class(module: str, name: str, setting: str, folder: str = "") -> type:
    """Class of a module that is installed or in `folder`; ConfigError if it has no such class."""
    content = import_user_module(module, folder, setting)
    if not hasattr(content, name):
        close = difflib.get_close_matches(name, dir(content), n=1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise ConfigError(f"cannot import {setting!r}: {module} has no {name}{hint}")
    cls = getattr(content, name)
    if not isinstance(cls, type):
        raise ConfigError(f"{setting!r} is a {type(cls).__name__}, expected a class.")
    return cls


def arguments_for(
    cls: type, parameters: Mapping[str, Any], optional: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Keyword arguments of a class: `parameters`, and those of `optional` that it takes."""
    signature = inspect.signature(cls).parameters
    parameters_by_name = {
        name: parameter for name, parameter in signature.items() if parameter.kind in _NAMED
    }
    kinds = {parameter.kind for parameter in signature.values()}
    takes_any = inspect.Parameter.VAR_KEYWORD in kinds
    unknown_names = [str(name) for name in parameters if name not in parameters_by_name]
    if unknown_names and not takes_any:
        raise ConfigError(
            f"unknown parameter {', '.join(sorted(unknown_names))}. "
            f"{cls.__name__} takes: {', '.join(parameters_by_name) or 'none'}."
        )
    arguments = {
        name: value for name, value in (optional or {}).items() if name in parameters_by_name
    }
    arguments.update(parameters)
    missing = [
        name
        for name, parameter in parameters_by_name.items()
        if parameter.default is parameter.empty and name not in arguments
    ]
    if missing:
        raise ConfigError(f"{cls.__name__} needs a value for {', '.join(missing)}.")
    return arguments


def construct(cls: type, arguments: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Construct an object of a class of the user or of another tool.

    Raises
    ------
    ConfigError
        If the constructor raises any error; the message names the class and the error.
    """
    try:
        return cls(**arguments)
    except (StreamevalError, MemoryError):
        raise
    except Exception as error:  # a user's constructor may raise anything
        # A traceback of one frame is the call itself: the arguments do not fit.
        is_inside = error.__traceback__ is not None and error.__traceback__.tb_next is not None
        lacks_arguments = isinstance(error, TypeError) and not arguments and not is_inside
        place = f" ({error_location(error)})" if is_inside else ""
        hint = (
            "Give an object instead of the class."
            if lacks_arguments
            else "Correct the constructor."
        )
        raise ConfigError(
            f"{cls.__module__}:{cls.__qualname__}: the constructor failed: "
            f"{type(error).__name__}: {excerpt(error)}{place}. {hint}"
        ) from error


@dataclass(frozen=True)
class ObjectSpec:
    """A class of a description with its arguments, by name or by position, before construction."""

    cls: type
    path: str
    values: dict[str, Any] | list[Any]

    def check(self, seed_parameter: str) -> None:
        """Refuse arguments that the class does not take.

        `seed_parameter` is the name of the parameter that gets the seed; its value is set later.
        """
        if inspect.isabstract(self.cls):
            raise ConfigError(
                f"{self.path!r}: expected a class of models, found an abstract class. "
                "Choose a class that is based on it."
            )
        try:
            if isinstance(self.values, dict):
                arguments_for(self.cls, self.values, {seed_parameter: None})
            else:
                inspect.signature(self.cls).bind(*self.values)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{self.path}: {error}") from error
        # `memory`, a parameter of scikit-learn's pipelines, names a folder in which fitted steps
        # are cached with pickle. Objects that settings describe must not read or write such files.
        if isinstance(folder := self.values_by_name().get("memory"), str):
            raise ConfigError(
                f"{self.path}: memory: expected none, found {excerpt(folder)!r}: a folder of "
                "pickled results, which settings neither read nor write."
            )

    def values_by_name(self) -> dict[str, Any]:
        """Arguments by name, including positional ones."""
        if isinstance(self.values, dict):
            return self.values
        return dict(inspect.signature(self.cls).bind(*self.values).arguments)


def _may_construct(cls: type) -> bool:
    """Whether settings may construct a class; bases of modules that are not loaded are skipped."""
    for path in _BASES:
        module, _, name = path.rpartition(".")
        base = getattr(sys.modules.get(module), name, None)
        if base is not None and issubclass(cls, base):
            return True
    return any(callable(getattr(cls, method, None)) for method in _METHODS)


@dataclass(frozen=True)
class Tool:
    """A package of models; `package` is also the name of the extra that installs it.

    `seed_parameter` is the name of the parameter that seeds its classes.
    """

    title: str
    package: str
    seed_parameter: str

    def module(self, name: str = "") -> Any:
        """The package or one of its modules; the error names the command that installs it."""
        try:
            return importlib.import_module(self.package + name)
        except ModuleNotFoundError as error:
            if error.name != self.package:
                raise
            raise ConfigError(
                f"{self.title} is not installed. Install it: "
                f'pip install "streameval[{self.package}]".'
            ) from error

    def read(self, description: Any) -> ObjectSpec:
        """Checked classes and arguments of a description, without constructing any object.

        See the module's docstring. Raises ConfigError if a class cannot be imported, is not an
        estimator, or does not take the arguments.
        """
        if not self._describes(description, anything_dotted=True):
            raise ConfigError(
                "a model is written as a dotted path, or as a dotted path and its parameters, for "
                f"example {self.package}.some_module.SomeClassifier; found {description!r}."
            )
        if isinstance(description, str):
            description = {description: {}}
        ((path, parameters),) = description.items()
        module, _, name = path.rpartition(".")
        if module.partition(".")[0] == self.package:
            self.module()  # only for its error, if the tool is not installed
        cls = find_class(module, name, path)
        if not _may_construct(cls):
            raise ConfigError(
                f"{path!r}: expected a class of estimators, or of their parts, found another "
                f"class. A class of your own has {' or '.join(_METHODS)}."
            )
        spec = ObjectSpec(cls, path, self._read_values(parameters or {}))
        spec.check(self.seed_parameter)
        return spec

    def build(self, description: Any, seed: int) -> Any:
        """Construct the object of a description; see the module's docstring.

        `seed` seeds the object and the objects inside, unless the description sets a seed.
        """
        return self._construct(self.read(description), seed)

    def is_random(self, description: Any) -> bool:
        """Whether a described object, or one inside, takes a seed that the description omits."""
        return self._takes_seed(self.read(description))

    def _takes_seed(self, value: Any) -> bool:
        if isinstance(value, ObjectSpec):
            has_seed = self.seed_parameter in inspect.signature(value.cls).parameters
            lacks_seed = has_seed and value.values_by_name().get(self.seed_parameter) is None
            return lacks_seed or self._takes_seed(value.values)
        if isinstance(value, Mapping):
            return any(map(self._takes_seed, value.values()))
        return isinstance(value, list | tuple) and any(map(self._takes_seed, value))

    def paths(self, description: Any, *, is_model: bool = True) -> Iterator[str]:
        """Yield the dotted path of each class in a description, without importing the classes.

        With `is_model`, the description is a model or a list of models, so any dotted path is a
        class. Without it, the description is the value of a parameter: there a text is a class only
        if it begins with the name of the package.
        """
        if self._describes(description, anything_dotted=is_model):
            if isinstance(description, str):
                yield description
                return
            ((path, description),) = description.items()
            yield path
            is_model = False  # from here on, `description` holds the parameters of the class
        if isinstance(description, Mapping):
            for value in description.values():
                yield from self.paths(value, is_model=False)
        elif isinstance(description, list | tuple):
            for value in description:
                yield from self.paths(value, is_model=is_model)

    def _construct(self, value: Any, seed: int) -> Any:
        """The value with each `ObjectSpec` in it replaced by the constructed object."""
        if isinstance(value, Mapping):
            return {key: self._construct(item, seed) for key, item in value.items()}
        if isinstance(value, list):
            return [self._construct(item, seed) for item in value]
        if not isinstance(value, ObjectSpec):
            return value
        values = self._construct(value.values, seed)
        try:
            if isinstance(values, list):
                return value.cls(*values)
            return value.cls(**arguments_for(value.cls, values, {self.seed_parameter: seed}))
        except ConfigError:
            raise
        except Exception as error:
            raise ConfigError(f"{value.path}: {type(error).__name__}: {excerpt(error)}") from error

    def _read_values(self, value: Any) -> Any:
        """The value with each description in it replaced by its `ObjectSpec`."""
        if self._describes(value):
            return self.read(value)
        if isinstance(value, Mapping):
            return {key: self._read_values(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._read_values(item) for item in value]
        return value

    def _describes(self, value: Any, *, anything_dotted: bool = False) -> bool:
        if isinstance(value, str):
            may_be_path = anything_dotted or value.startswith(f"{self.package}.")
            return may_be_path and _DOTTED.fullmatch(value) is not None
        if not isinstance(value, Mapping) or len(value) != 1:
            return False
        ((path, parameters),) = value.items()
        is_path = isinstance(path, str) and _DOTTED.fullmatch(path) is not None
        return is_path and (parameters is None or isinstance(parameters, Mapping | list))


RIVER = Tool("River", "river", seed_parameter="seed")
SKLEARN = Tool("scikit-learn", "sklearn", seed_parameter="random_state")


@contextmanager
def repeated_warnings_once() -> Iterator[None]:
    """Show at most one warning of each line of code, even if the numbers in its text vary.

    Unlike Python's filter, this also works if a library resets the warning registry.
    """
    show, seen = warnings.showwarning, set()

    def show_first(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any
    ) -> None:
        if (key := (category, filename, lineno)) not in seen:
            seen.add(key)
            show(message, category, filename, lineno, *more)

    warnings.showwarning = show_first  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = show


#: Types of objects that are not part of a model; their references lead to the whole interpreter.
_PROGRAM_TYPES = (type, ModuleType, FunctionType, BuiltinFunctionType)


def memory_of_model(model: Any) -> int:
    """Bytes of all Python objects and arrays that a model refers to, each once.

    This is a lower bound: memory of compiled extensions is missing. It includes overhead of Python:
    a number of 8 bytes takes 24, and spare capacity may differ between runs.
    """
    size, seen, pending = 0, set(), [model]
    while pending:
        new_items = []
        for item in pending:
            if id(item) not in seen and not isinstance(item, _PROGRAM_TYPES):
                seen.add(id(item))
                size += sys.getsizeof(item)
                new_items.append(item)
        # The garbage collector does not follow arrays: a view's memory belongs to its base.
        arrays = [item for item in new_items if isinstance(item, np.ndarray)]
        pending = gc.get_referents(*new_items) + [a.base for a in arrays if a.base is not None]
        pending += [item for a in arrays if a.dtype.hasobject for item in a.ravel().tolist()]
    return size
