"""The description of a kind of item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import msgspec

from streameval.items.settings import Settings

#: What studies read, but for those that read the frames of another item: each stream, its
#: generator, its generator or the file that it comes from, predictions for it, or nothing.
READS = ("stream", "generator", "source", "predictions", "nothing")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of item: what it needs, what computes it, and what shows it; `words` are apart.

    Parameters
    ----------
    name : str
        Its name in configurations, and that of its modules.
    settings : type of Settings
        What an item of the kind can set.
    reads : str
        What its study reads: each ``stream``; the ``generator``, the registry's entry of each
        generated stream; its ``source``, which is that or the stream itself if it comes from a
        file; ``predictions`` for it; ``nothing``; or the name of a kind: the frames of the item
        that its setting ``of`` names.
    frames : mapping of str to tuple of str
        Names and columns of the frames that its study returns, each a file for each stream. A kind
        without frames is a table, whose study returns one frame for all streams.
    columns : tuple of str
        Columns of its table, if it has one; those of one of its frames, if it is drawn too.
    times : tuple of str
        Those of the frames that hold times of this machine, which no two runs share.
    parts : mapping of str to tuple of str
        Names and columns of the frames that are computed before those of `frames`, in parts: a job
        for each of ``settings.parts()`` parts of each stream calls ``part`` of `part_module`, and
        ``study`` puts them together. For studies that take hours.
    trains : {"", "classifiers", "regressors"}
        What its study trains itself, which takes a job for each stream.
    joins : tuple of {"streams", "folds"}
        What it shows together: frames about all streams, whose study is given all of them at once,
        as that of a table is; and predictions of a protocol with several folds.
    pictures : tuple of str
        Names of its pictures, if it does not have one for each stream.
    study, drawing : str
        The modules of its study and of its drawing, if others than ``NAME`` (of a table that is
        not drawn: ``tables``) and ``draw_NAME``.
    """

    name: str
    settings: type[Settings]
    reads: str
    frames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trains: Literal["", "classifiers", "regressors"] = ""
    joins: tuple[Literal["streams", "folds"], ...] = ()
    pictures: tuple[str, ...] = ()
    study: str = ""
    drawing: str = ""

    @property
    def of(self) -> str:
        """The kind of the item whose frames it reads, if it reads one."""
        return "" if self.reads in READS else self.reads

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
        found = (name for name, columns in self.frames.items() if columns == self.columns)
        return next(found, "")

    @property
    def module(self) -> str:
        """The module that describes it and its family."""
        return self.settings.__module__

    @property
    def place(self) -> str:
        """Where it is described, FAMILY.NAME; see `streameval.items.kind_at`."""
        return f"{self.module.split('.')[-2]}.{self.name}"

    @property
    def study_module(self) -> str:
        """The module that computes it, with a function ``study``."""
        return self._beside(self.study or (self.name if self.is_figure else _TABLES))

    @property
    def part_module(self) -> str:
        """The module that computes a part of it, with a function ``part``.

        It is not that of the study, so that an edit there does not make the parts anew.
        """
        return f"{self.study_module}_runs"

    @property
    def drawing_module(self) -> str:
        """The module that draws it, with a function ``draw``."""
        return self._beside(self.drawing or f"draw_{self.name}")

    @property
    def layout_module(self) -> str:
        """The module that lays its table out, with a function ``layout``.

        It is not that of a study with frames: another column of the page computes none again.
        """
        return self._beside(_TABLES)

    def _beside(self, name: str) -> str:
        return f"{self.module.rpartition('.')[0]}.{name}"

    def settings_from(self, plain: Mapping[str, Any]) -> Settings:
        """Return settings that were made plain data, such as the parameters of a job."""
        return msgspec.convert(plain, self.settings)


#: The module of a family with its tables.
_TABLES = "tables"


def function_of(kind: Kind, name: Literal["study", "pooled", "part", "draw", "layout"]) -> Any:
    """Return a function of a kind's module; importing it waits until it is needed.

    A module of several kinds names the kind too: ``draw_order``, ``layout_rejections``.
    """
    modules = {"part": kind.part_module, "draw": kind.drawing_module, "layout": kind.layout_module}
    module = import_module(modules.get(name, kind.study_module))
    return getattr(module, f"{name}_{kind.name}", None) or getattr(module, name)
