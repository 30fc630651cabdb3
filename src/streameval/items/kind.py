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

    `reads` is what its study reads: each ``stream``, its ``generator``'s entry, its ``source``
    (that, or the stream of a file), ``predictions``, ``nothing``, or the frames of another kind. A
    kind without `frames`, which are for each stream, is a table, with `columns`; `times` are the
    frames that no two runs share. `parts` are frames computed before, for studies that take hours:
    a job for each of ``settings.parts()`` calls ``part`` of `part_module`, and ``study`` puts them
    together. `trains` says what its study trains itself, in a job for each stream, and `joins` what
    it is given at once. `by_entity` says that it is about entities where a stream has groups: its
    baselines are those of the entity, and its intervals respect them, or it has none. `pictures`
    are those that are not of a stream. `study` and `drawing` are modules, if others than ``NAME``
    (of a table: ``tables``) and ``draw_NAME``.
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
    by_entity: bool = False
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
