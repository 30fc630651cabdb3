"""Items about the first rows of their streams: the key `rows` of an item.

Such an item is about parts of its streams, as described by entries ``{of: ID, rows: N}``. If the
configuration has an entry for the same part, that entry is used. Otherwise the part gets an id made
of the stream and the number of rows, so that all items with this number share its jobs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import Struct

from streameval.base.errors import ConfigError, unknown_name_text
from streameval.base.params import Count
from streameval.base.schema import check_data, fields_of
from streameval.items.kind import ItemKind
from streameval.items.settings import ALL
from streameval.pipeline.configuration import Configuration, first_rows_of, known_kinds
from streameval.streams.registry import GeneratorSpec, StreamSpec

#: The key of an item with the number of rows of its streams.
ROWS = "rows"


class _Rows(Struct):
    """The value of the key `rows` of an item."""

    rows: Count


def with_first_rows(
    configuration: Configuration, registry: Mapping[str, StreamSpec]
) -> tuple[Configuration, dict[str, StreamSpec]]:
    """A configuration whose items name parts of streams, and all streams with these parts.

    Parameters
    ----------
    configuration : Configuration
        Its items may have the key `rows`.
    registry : mapping of str to StreamSpec
        The streams that items can name.

    Raises
    ------
    ConfigError
        If `rows` is not a positive integer, the kind of an item has no streams or sets the number
        of instances itself, or a stream has fewer rows. The message names file, item and key.
    """
    items = configuration.content["items"]
    if not any(
        isinstance(item, Mapping) and ROWS in item
        for items_of_study in items.values()
        for item in items_of_study.values()
    ):
        return configuration, dict(registry)
    kinds, streams = known_kinds(configuration), dict(registry)
    entries = dict(configuration.content["streams"])
    keys_of_part, changed_items = dict[str, tuple[str, ...]](), dict[str, dict[str, Any]]()
    for study, items_of_study in items.items():
        changed_items[study] = dict(items_of_study)
        for name, item in items_of_study.items():
            # `items_of` refuses items without a known kind.
            if not isinstance(item, Mapping) or item.get("kind") not in kinds or ROWS not in item:
                continue
            keys = ("items", study, name)
            rows = _rows_of(configuration, keys, item, kinds[item["kind"]])
            parts = {}
            for stream in item["streams"]:
                place = configuration.place_of(*keys, ROWS)
                parts[stream] = _part(stream, rows, streams, entries, place)
                keys_of_part.setdefault(parts[stream], (*keys, ROWS))
            # A part of a stand-in stands for the part of the real stream.
            for spec in map(streams.__getitem__, parts.values()):
                if isinstance(spec, GeneratorSpec) and spec.stands_for in parts:
                    streams[spec.id] = replace(spec, stands_for=parts[spec.stands_for])
            changed_items[study][name] = _with_parts(item, parts, kinds[item["kind"]])
    rows_settings = {name: keys for name, keys in keys_of_part.items() if name not in registry}
    content = {**configuration.content, "items": changed_items, "streams": entries}
    return replace(configuration, content=content, rows_settings=rows_settings), streams


def _rows_of(
    configuration: Configuration, keys: tuple[str, ...], item: Mapping[str, Any], kind: ItemKind
) -> int:
    """The number of rows of an item, checked."""
    place_of = partial(configuration.place_of, *keys)
    content = check_data({ROWS: item[ROWS]}, _Rows, configuration.file_name_of, keys)
    names = fields_of(kind.settings)
    if kind.reads == "generator" and "instances" in names:
        raise ConfigError(
            f"{place_of(ROWS)}: expected no key rows, since the kind {kind.name} draws as many "
            "instances as its setting instances says. Set instances instead."
        )
    if "streams" not in names:
        raise ConfigError(
            f"{place_of(ROWS)}: expected an item with streams, found the kind {kind.name}, which "
            "has none. Leave the key out, or set it in the item that this one is about."
        )
    streams = item.get("streams")
    if not isinstance(streams, list | tuple) or ALL in streams:
        raise ConfigError(
            f"{place_of('streams')}: expected a list of streams, as the item has the key rows, "
            f"found {streams!r}. Name them."
        )
    rows: int = content[ROWS]
    return rows


def _part(
    stream: str,
    rows: int,
    streams: dict[str, StreamSpec],
    entries: dict[str, Any],
    place: str,
) -> str:
    """The id of the first rows of a stream; adds their entry if the configuration has none."""
    if stream not in streams:
        raise ConfigError(f"{place}: there is {unknown_name_text('stream', stream, streams)}")
    spec = streams[stream]
    if spec.rows is not None and rows > spec.rows:
        raise ConfigError(
            f"{place}: expected at most {spec.rows:,}, the rows of {stream!r}, found {rows:,}. Set "
            "a smaller number, or write an item without rows for this stream."
        )
    if rows == spec.rows:
        return stream
    entry = {"of": stream, ROWS: rows}
    for name, other in entries.items():
        if {key: value for key, value in other.items() if key != "title"} == entry:
            return str(name)
    name = f"{stream.replace('.', '_')}_first_{rows}"
    if name in streams:
        raise ConfigError(
            f"{place}: expected no other stream with the id {name!r}, which the first {rows:,} "
            f"rows of {stream!r} get, found one. Give that stream another id."
        )
    entries[name] = entry
    streams[name] = first_rows_of(spec, name, rows)
    return name


def _with_parts(
    item: Mapping[str, Any], parts: Mapping[str, str], kind: ItemKind
) -> dict[str, Any]:
    """An item whose streams are replaced by their parts, also in its other settings."""
    content = {key: value for key, value in item.items() if key != ROWS}
    for key in ("streams", *kind.settings.stream_name_settings):
        value = content.get(key)
        if isinstance(value, Mapping):
            content[key] = {parts.get(name, name): setting for name, setting in value.items()}
        elif isinstance(value, list | tuple):
            content[key] = [parts.get(name, name) for name in value]
    return content
