"""The jobs that draw the figures of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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
        items = [one for one in plan.items.values() if one.study == study]
        items = [one for one in items if one.kind.is_figure and shown_in(plan, one)]
        for part in _parts(items, [len(pictures(plan, item)) for item in items]):
            tasks = [_drawing(plan, item) for item in part]
            frames = [found for task in tasks for found in task["frames"].values()]
            modules = [(item.kind.module, item.kind.drawing_module) for item in part]
            names = [item.name for item in part]
            work.append(
                Work(
                    f"draw_{study}_{names[0]}".replace(".", "_"),
                    f"Figures of {study}: {', '.join(names)}",
                    tasks,
                    {"frames": [path for found in frames for path in found.values()]},
                    [figure_folder(item) for item in part],
                    modules_of(*modules),
                    part,
                )
            )
    return work


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
    hidden = () if item.settings.shows_times() else item.kind.times
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
