"""The jobs that draw the figures of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from streameval.errors import ConfigError, near
from streameval.pipeline import captions
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan
from streameval.pipeline.work import Work, frame_files, modules_of, shown_in

#: Pictures that one job draws, at about one a second: figures that can be drawn need not wait long
#: for others' frames, and two cores share the last ones.
MOST_PICTURES = 8


def drawings(plan: Plan) -> list[Work]:
    """Return the jobs that draw: one for the figures of a study, several if they are many."""
    work = []
    for study in plan.studies:
        items = [item for item in drawn(plan).values() if item.study == study]
        parts = _parts(items, [len(pictures(plan, item)) for item in items])
        for number, part in enumerate(parts, 1):
            name = f"draw_{study}_{number}" if len(parts) > 1 else f"draw_{study}"
            about = f"Figures of {study}: {', '.join(item.name for item in part)}"
            work.append(_work(name, about, part, [_drawing(plan, item) for item in part]))
    return work


def drawn(plan: Plan) -> dict[str, Item]:
    """Return the items that are drawn, by their ids."""
    items = plan.items.items()
    return {name: one for name, one in items if one.kind.is_figure and shown_in(plan, one)}


def alone(plan: Plan, figure: str, picture: str = "") -> Work:
    """Return the job that draws one figure, or one of its pictures.

    Raises
    ------
    ConfigError
        If it has no such picture.
    """
    item = drawn(plan)[figure]
    task, known = _drawing(plan, item), pictures(plan, item)
    if picture:
        if picture not in known:
            raise ConfigError(
                f"Figure {figure}: there is no picture {picture!r}. Known are {', '.join(known)}. "
                f"{near(picture, known)}".rstrip()
            )
        task["pictures"] = [picture]
        if picture in task["frames"]:
            task["frames"] = {picture: task["frames"][picture]}
    return _work("draw_figure", f"Figure {figure}", [item], [task])


def _work(name: str, about: str, items: list[Item], tasks: list[dict[str, Any]]) -> Work:
    frames = [found for task in tasks for found in task["frames"].values()]
    return Work(
        name.replace(".", "_"),
        about,
        tasks,
        {"frames": [path for found in frames for path in found.values()]},
        [figure_folder(item) for item in items],
        modules_of(*((item.kind.module, item.kind.drawing_module) for item in items)),
        items,
        "draw",
    )


def _parts(items: Iterable[Item], sizes: Iterable[int]) -> list[list[Item]]:
    """Return items in their order, in parts of at most `MOST_PICTURES` or of one item."""
    parts: list[list[Item]] = []
    room = 0
    for item, size in zip(items, sizes, strict=True):
        room -= size
        if room < 0:
            parts.append([])
            room = MOST_PICTURES - size
        parts[-1].append(item)
    return parts


def figure_folder(item: Item) -> str:
    """Return the folder of an item's pictures."""
    return f"figures/{item.id}"


def pictures(plan: Plan, item: Item) -> list[str]:
    """Return the names of an item's pictures."""
    return list(item.kind.pictures) or plan.streams_of(item)


def _drawing(plan: Plan, item: Item) -> dict[str, Any]:
    hidden = () if item.shows_times else item.kind.times
    frames = {
        stream: {
            name: path for name, path in frame_files(item, stream).items() if name not in hidden
        }
        for stream in shown_in(plan, item)
    }
    streams = {
        stream: {"title": plan.title(stream), "simulated": plan.is_simulated(stream)}
        for stream in shown_in(plan, item)
        if stream
    }
    return {
        "item": item.id,
        "kind": item.kind.place,
        "settings": item.plain(),
        "frames": frames,
        "streams": streams,
        "folder": figure_folder(item),
        "pictures": pictures(plan, item),
    }


def captions_of(plan: Plan, item: Item) -> dict[str, str]:
    """Return what stands below an item's pictures, by their names."""
    return {
        name: captions.figure_caption(item, name, _is_simulated(plan, item, name))
        for name in pictures(plan, item)
    }


def labels_of(plan: Plan, item: Item) -> Callable[[Any], dict[str, str]]:
    """Return what tells the report's labels of an item's pictures from the wildcard ``shown``."""
    labels = {
        name: captions.figure_label(item, name, _is_simulated(plan, item, name))
        for name in pictures(plan, item)
    }

    def of(wildcards: Any) -> dict[str, str]:
        return labels[wildcards.shown]

    return of


def _is_simulated(plan: Plan, item: Item, picture: str) -> bool:
    return picture not in item.kind.pictures and plan.is_simulated(picture)
