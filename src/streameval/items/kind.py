"""The description of a kind of item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import msgspec

from streameval.items.settings import Settings

#: What a study reads: each stream, its generator, its generator or the file that it comes from,
#: predictions for it, frames of another item, or nothing.
Reads = Literal["stream", "generator", "source", "predictions", "item", "nothing"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of item: what it needs, what computes it, and what shows it; `words` are apart.

    Parameters
    ----------
    name : str
        Its name in configurations, and that of its modules.
    settings : type of Settings
        What an item of the kind can set.
    reads : {"stream", "generator", "source", "predictions", "item", "nothing"}
        What its study reads: each stream; the registry's entry of each generated stream; that, or
        the stream itself if it comes from a file; predictions for it; the frames of the item that
        its setting ``of`` names; or nothing.
    of : str
        The kind of that item, if it reads one.
    frames : mapping of str to tuple of str
        Names and columns of the frames that its study returns, each a file for each stream. A kind
        without frames is a table, whose study returns one frame for all streams.
    columns : tuple of str
        Columns of its table, if it has one.
    times : tuple of str
        Those of the frames that hold times of this machine, which no two runs share.
    parts : mapping of str to tuple of str
        Names and columns of the frames that are computed before those of `frames`, in parts: a job
        for each of ``settings.parts()`` parts of each stream calls ``part`` of `part_module`, and
        ``study`` puts them together. For studies that take hours.
    trains : bool
        Whether its study trains learners itself, which takes a job for each stream.
    joins_streams : bool
        Whether its frames are about all streams together: its study is then given all of them at
        once, as that of a table is.
    joins_folds : bool
        Whether it can show predictions of a protocol with several folds, all together.
    pictures : tuple of str
        Names of its pictures, if it does not have one for each stream.
    table_frame : str
        The frame that is its table, of a kind that is also drawn.
    study, shown : str
        The kinds whose study it uses, and whose drawing and table; its own if empty.
    is_of_regressors : bool
        Whether its learners are regressors, and its measures those of predicted numbers.
    """

    name: str
    settings: type[Settings]
    reads: Reads
    of: str = ""
    frames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trains: bool = False
    joins_streams: bool = False
    joins_folds: bool = False
    pictures: tuple[str, ...] = ()
    table_frame: str = ""
    study: str = ""
    shown: str = ""
    is_of_regressors: bool = False

    @property
    def is_figure(self) -> bool:
        """Whether items of the kind are drawn."""
        return bool(self.frames)

    @property
    def is_table(self) -> bool:
        """Whether items of the kind have a table."""
        return bool(self.columns)

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
        return self._beside(self.study or self.name)

    @property
    def part_module(self) -> str:
        """The module that computes a part of it, with a function ``part``.

        It is not that of the study, so that an edit there does not make the parts anew.
        """
        return f"{self.study_module}_runs"

    @property
    def drawing_module(self) -> str:
        """The module that draws it, with a function ``draw``."""
        return self._beside(f"draw_{self.shown or self.name}")

    @property
    def layout_module(self) -> str:
        """The module that lays its table out, with a function ``layout``.

        It is that of the study, but for a study that trains learners: another column of the page
        is no reason to train them again.
        """
        return self._beside(f"{'table_' if self.trains else ''}{self.shown or self.name}")

    def _beside(self, name: str) -> str:
        return f"{self.module.rpartition('.')[0]}.{name}"

    def settings_from(self, plain: Mapping[str, Any]) -> Settings:
        """Return settings that were made plain data, such as the parameters of a job."""
        return msgspec.convert(plain, self.settings)


def function_of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a kind's module; importing it waits until it is needed."""
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
