"""The description of a kind of item."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from streameval.base.errors import ConfigError
from streameval.base.other_tools import import_user_module
from streameval.base.user_code import importing_from, user_module_files
from streameval.items.settings import Settings
from streameval.items.words import TextTemplates
from streameval.learners.tasks import CLASSIFICATION, REGRESSION, Tasks

#: Inputs of studies, besides the frames of another kind.
READS = ("stream", "generator", "source", "predictions", "nothing")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of item: its settings, the inputs and outputs of its study, and its modules.

    A kind is a module with its study and a module that shows it. The module that declares a kind
    lists it in ``KINDS``.

    Parameters
    ----------
    name : str
        Its name in configurations.
    settings : type of Settings
        The settings of its items, besides the key ``kind``.
    reads : str
        Input of its study: each ``stream``, the ``generator`` of each stream, its ``source`` (the
        generator, or the stream of a file), ``predictions``, ``nothing``, or the name of a kind
        whose frames it reads.
    frames : mapping of str to tuple of str
        Columns of the frames that its study returns for each stream. A kind without frames is a
        table.
    columns : tuple of str
        Columns of its table.
    times : tuple of str
        Frames that hold times of this machine, which differ between runs.
    parts : mapping of str to tuple of str
        Columns of the frames that are computed before, for studies that take hours. A job for each
        of ``settings.parts()`` calls ``part`` of `part_module`; ``study`` puts them together.
    trains : {"", "classifiers", "regressors"}
        Learners that its study trains itself, in a job for each stream.
    predicts : tuple of {"classification", "regression"}
        Tasks of the learners whose predictions it reads. An item is about one of them.
    joins : tuple of {"streams", "folds"}
        What its study gets at once.
    pictures : tuple of str
        Names of its pictures, if these are not of streams.
    marks_drifts : bool
        True if its figures mark the known drifts of streams; see `Subject.drifts`. Figures with
        an axis over the instances of a stream do.
    by_entity : bool
        True if its baselines and intervals respect the entities of streams with groups.
    study : str
        Module with ``study``, or ``study_NAME``, in the folder of the kind; by default the module
        that declares the kind.
    show : str
        Module with ``WORDS`` and ``draw`` or ``layout``, or ``draw_NAME`` and ``layout_NAME``, in
        the folder of the kind. By default ``show`` in a package, and for a single module M.py
        ``M_show``.
    module, folder : str
        The module that declares it and the folder of modules from outside the package; set when
        they are read.
    """

    name: str
    settings: type[Settings]
    reads: str
    frames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trains: Literal["", "classifiers", "regressors"] = ""
    predicts: Tasks = (CLASSIFICATION,)
    joins: tuple[Literal["streams", "folds"], ...] = ()
    pictures: tuple[str, ...] = ()
    marks_drifts: bool = False
    by_entity: bool = False
    study: str = ""
    show: str = ""
    module: str = ""
    folder: str = ""

    @property
    def of(self) -> str:
        """The kind of the item whose frames it reads, if it reads one."""
        return "" if self.reads in READS else self.reads

    @property
    def tasks(self) -> Tasks:
        """Tasks of the learners that its items are about."""
        return (REGRESSION,) if self.trains == "regressors" else self.predicts

    @property
    def is_figure(self) -> bool:
        """Whether items of the kind are drawn."""
        return bool(self.frames)

    @property
    def is_table(self) -> bool:
        """Whether items of the kind have a table."""
        return bool(self.columns)

    @property
    def table_frame(self) -> str:
        """The frame that is its table, of a kind that is also drawn."""
        same = (name for name, columns in self.frames.items() if columns == self.columns)
        return next(same, "")

    @property
    def place(self) -> dict[str, str]:
        """Where it is declared: the arguments of `streameval.items.kind_at`."""
        return {"module": self.module, "name": self.name, "folder": self.folder}

    @property
    def study_module(self) -> str:
        """The module that computes it, with a function ``study``."""
        return self._beside(self.study) if self.study else self.module

    @property
    def part_module(self) -> str:
        """The module that computes a part of it, with a function ``part``.

        An edit of the module of the study computes no part again.
        """
        return f"{self.study_module}_runs"

    @property
    def show_module(self) -> str:
        """The module that shows it: words, ``draw`` and ``layout``."""
        if self.show:
            return self._beside(self.show)
        return f"{self.module}.show" if self._is_package else f"{self.module}_show"

    @property
    def _is_package(self) -> bool:
        return hasattr(sys.modules[self.module], "__path__")

    def code(self, module: str) -> list[Path]:
        """The files of one of its modules, with the files that a user's module imports.

        A kind of the package has none: jobs name its modules.
        """
        return user_module_files([self.module, module], self.folder) if self.folder else []

    def _beside(self, name: str) -> str:
        folder = self.module if self._is_package else self.module.rpartition(".")[0]
        return f"{folder}.{name}".removeprefix(".")

    def settings_from(self, plain: Mapping[str, Any]) -> Settings:
        """Settings from plain data, such as the parameters of a job."""
        return msgspec.convert(plain, self.settings)


#: The functions of a kind.
FunctionName = Literal["study", "pooled", "part", "draw", "layout"]


def function_of(kind: Kind, name: FunctionName) -> Callable[..., Any]:
    """A function of a kind's modules; importing them waits until it is needed.

    A module of several kinds names the kind too: ``draw_lags``, ``layout_rejections``.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or lacks the function.
    """
    modules = {"part": kind.part_module, "draw": kind.show_module, "layout": kind.show_module}
    module = _imported(kind, modules.get(name, kind.study_module))
    function = getattr(module, f"{name}_{kind.name}", None) or getattr(module, name, None)
    if not callable(function):
        raise ConfigError(
            f"the kind {kind.name!r}: expected a function {name} or {name}_{kind.name} in "
            f"{module.__file__}, found none. Define it there."
        )

    def call(*arguments: Any) -> Any:
        with importing_from(kind.folder):  # for imports inside functions
            return function(*arguments)

    return call if kind.folder else function


def texts_of(kind: Kind) -> TextTemplates:
    """The texts about the items of a kind.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or lacks them.
    """
    module = _imported(kind, kind.show_module)
    words = getattr(module, "WORDS", None)
    if not isinstance(words, Mapping) or not isinstance(words.get(kind.name), TextTemplates):
        raise ConfigError(
            f"the kind {kind.name!r}: expected WORDS, a mapping with TextTemplates for "
            f"{kind.name!r}, in {module.__file__}, found none. Define it there."
        )
    templates: TextTemplates = words[kind.name]
    return templates


def _imported(kind: Kind, name: str) -> Any:
    return import_user_module(name, kind.folder) if kind.folder else import_module(name)
