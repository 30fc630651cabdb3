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
from streameval.items.text_templates import TextTemplates
from streameval.learners.tasks import CLASSIFICATION, REGRESSION, Tasks

#: Values of `ItemKind.reads`, besides names of kinds.
INPUTS = ("stream", "generator", "source", "predictions", "nothing")


@dataclass(frozen=True, kw_only=True)
class ItemKind:
    """A kind of table or figure: its settings, the inputs and outputs of its study, its modules.

    An item is a table or figure of a study, as configured. One module of a kind computes its data,
    another one lays out the table or draws the figure. The data of a figure are frames: data frames
    with fixed columns, each saved as a CSV file. The module that declares a kind lists it in
    ``KINDS``.

    Parameters
    ----------
    name : str
        Its name in configurations.
    settings : type of Settings
        The settings of its items, besides the key ``kind``.
    reads : str
        Input of the study for each stream: the ``stream``; its ``generator``; its ``source``, which
        is the generator, or the stream itself if it comes from a file; or the ``predictions`` for
        it. Otherwise ``nothing``, or the name of a kind whose frames the study reads.
    frames : mapping of str to tuple of str
        Columns of the frames that its study returns for each stream. A kind without frames is a
        table.
    columns : tuple of str
        Columns of its table.
    times : tuple of str
        Frames with times that were measured on this machine. They differ between runs, so they are
        in a folder of their own and only shown on request.
    parts : mapping of str to tuple of str
        Columns of the frames of a part, for studies that take hours and are computed in parts. A
        job for each of ``settings.parts()`` calls ``part`` of `part_module`; ``study`` joins them.
    trains : {"", "classifiers", "regressors"}
        Learners that its study trains, in a job for each stream.
    predicts : tuple of {"classification", "regression"}
        Tasks of the learners whose predictions it reads. An item is about one task.
    joins : tuple of {"streams", "folds"}
        What one call of its study covers: all streams instead of one; the predictions of all folds
        instead of one run.
    pictures : tuple of str
        Names of its pictures. Empty if it has a picture for each stream.
    marks_drifts : bool
        True if its figures mark the known drifts of streams; see `Subject.drifts`. It is True for
        figures with an axis over the instances of a stream.
    by_entity : bool
        True if its baselines and intervals take each entity of a stream with groups as a series.
        Other kinds refuse such streams.
    study : str
        Module with ``study``, or ``study_NAME``, in the folder of the kind; by default the module
        that declares the kind.
    show : str
        Module with ``TEXTS`` and ``draw`` or ``layout``, or ``draw_NAME`` and ``layout_NAME``, in
        the folder of the kind. By default ``show`` in a package, and for a single module M.py
        ``M_show``.
    module, folder : str
        The module that declares it, and the folder of modules from outside the package. Set by
        `streameval.items.kinds_in`.
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
    def source_kind(self) -> str:
        """Name of the kind whose frames it reads; "" if it reads no frames of another kind."""
        return "" if self.reads in INPUTS else self.reads

    @property
    def tasks(self) -> Tasks:
        """Tasks of the learners that its items are about."""
        # `predicts` is about predictions, and remains at its default if the study trains learners.
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
        """Name of the frame that is also its table; "" if no frame has the table's columns."""
        names = (name for name, columns in self.frames.items() if columns == self.columns)
        return next(names, "")

    @property
    def import_arguments(self) -> dict[str, str]:
        """Arguments with which `streameval.items.kind_at` imports it."""
        return {"module": self.module, "name": self.name, "folder": self.folder}

    @property
    def study_module(self) -> str:
        """The module that computes it, with a function ``study``."""
        return self._sibling(self.study) if self.study else self.module

    @property
    def part_module(self) -> str:
        """The module that computes a part of it, with a function ``part``.

        Its name ends in ``_runs``. It is separate from `study_module` so that edits of that module
        do not rerun the parts.
        """
        return f"{self.study_module}_runs"

    @property
    def show_module(self) -> str:
        """The module that shows it: ``TEXTS``, ``draw`` and ``layout``."""
        if self.show:
            return self._sibling(self.show)
        return f"{self.module}.show" if self._is_package else f"{self.module}_show"

    @property
    def _is_package(self) -> bool:
        return hasattr(sys.modules[self.module], "__path__")

    def code(self, module: str) -> list[Path]:
        """Python files that one of its modules depends on: those that are outside the package.

        Empty for a kind of the package, whose modules the jobs name themselves.
        """
        return user_module_files([self.module, module], self.folder) if self.folder else []

    def _sibling(self, name: str) -> str:
        """Full name of a module in the folder of the kind."""
        folder = self.module if self._is_package else self.module.rpartition(".")[0]
        return f"{folder}.{name}".removeprefix(".")

    def settings_from(self, values: Mapping[str, Any]) -> Settings:
        """Settings from their values by name, such as the parameters of a job."""
        return msgspec.convert(values, self.settings)


#: Names of the functions that the modules of a kind may have. ``pool_counts`` sums the counts of
#: all parts, for a record of them.
FunctionName = Literal["study", "pool_counts", "part", "draw", "layout"]


def function_of(kind: ItemKind, name: FunctionName) -> Callable[..., Any]:
    """A function of a kind's modules, which are imported only now.

    A module of several kinds has the kind in the name: ``draw_lags``, ``layout_rejections``.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or lacks the function.
    """
    modules = {"part": kind.part_module, "draw": kind.show_module, "layout": kind.show_module}
    module = _import(kind, modules.get(name, kind.study_module))
    function = getattr(module, f"{name}_{kind.name}", None) or getattr(module, name, None)
    if not callable(function):
        raise ConfigError(
            f"the kind {kind.name!r}: expected a function {name} or {name}_{kind.name} in "
            f"{module.__file__}, found none. Define it there."
        )

    def call(*arguments: Any) -> Any:
        with importing_from(kind.folder):  # for imports inside the user's function
            return function(*arguments)

    return call if kind.folder else function


def texts_of(kind: ItemKind) -> TextTemplates:
    """The texts about the items of a kind.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or lacks the texts.
    """
    module = _import(kind, kind.show_module)
    texts = getattr(module, "TEXTS", None)
    if not isinstance(texts, Mapping) or not isinstance(texts.get(kind.name), TextTemplates):
        raise ConfigError(
            f"the kind {kind.name!r}: expected TEXTS, a mapping with TextTemplates for "
            f"{kind.name!r}, in {module.__file__}, found none. Define it there."
        )
    templates: TextTemplates = texts[kind.name]
    return templates


def _import(kind: ItemKind, name: str) -> Any:
    return import_user_module(name, kind.folder) if kind.folder else import_module(name)
