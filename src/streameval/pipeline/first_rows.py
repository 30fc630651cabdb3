"""Items about the first rows of their streams: the key `rows` of an item.

Such an item is about parts of its streams, as entries ``{of: ID, rows: N}`` describe them. An entry
of the configuration that describes the same part is used; otherwise the part has an id of its own,
so that all items with as many rows share its jobs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import Struct

from streameval.base.errors import ConfigError, unknown
from streameval.base.params import Count
from streameval.base.schema import check_data, fields_of
from streameval.items.kind import Kind
from streameval.items.settings import ALL
from streameval.pipeline.configuration import Configuration, first_rows_of, known_kinds
from streameval.streams.registry import GeneratorSpec, StreamSpec

#: The key of an item.
ROWS = "rows"


class _Rows(Struct):
    """The value of the key of an item."""

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
        If the key is no positive number, the kind of an item has no streams, or none with rows of
        its own, or a stream has fewer rows; says in which file, item and key.
    """
    items = configuration.content["items"]
    if not any(
        isinstance(item, Mapping) and ROWS in item for of in items.values() for item in of.values()
    ):
        return configuration, dict(registry)
    kinds, streams = known_kinds(configuration), dict(registry)
    entries = dict(configuration.content["streams"])
    places, changed = dict[str, tuple[str, ...]](), dict[str, dict[str, Any]]()
    for study, of_study in items.items():
        changed[study] = dict(of_study)
        for name, item in of_study.items():
            if not isinstance(item, Mapping) or item.get("kind") not in kinds or ROWS not in item:
                continue
            keys = ("items", study, name)
            rows = _rows_of(configuration, keys, item, kinds[item["kind"]])
            parts = {}
            for stream in item["streams"]:
                at = configuration.at(*keys, ROWS)
                parts[stream] = _part(stream, rows, streams, entries, at)
                places.setdefault(parts[stream], (*keys, ROWS))
            for spec in map(streams.__getitem__, parts.values()):
                if isinstance(spec, GeneratorSpec) and spec.stands_for in parts:
                    streams[spec.id] = replace(spec, stands_for=parts[spec.stands_for])
            changed[study][name] = _renamed(item, parts, kinds[item["kind"]])
    added = {name: place for name, place in places.items() if name not in registry}
    content = {**configuration.content, "items": changed, "streams": entries}
    return replace(configuration, content=content, parts=added), streams


def _rows_of(
    configuration: Configuration, keys: tuple[str, ...], item: Mapping[str, Any], kind: Kind
) -> int:
    """The checked number of rows of an item."""
    at = partial(configuration.at, *keys)
    plain = check_data({ROWS: item[ROWS]}, _Rows, configuration.where, keys)
    names = fields_of(kind.settings)
    if kind.reads == "generator" and "instances" in names:
        raise ConfigError(
            f"{at(ROWS)}: expected no key rows, since the kind {kind.name} draws as many instances "
            "as its setting instances says. Set that one."
        )
    if "streams" not in names:
        raise ConfigError(
            f"{at(ROWS)}: expected an item with streams, found the kind {kind.name}, which has "
            "none. Leave the key out, or set it in the item that this one is about."
        )
    streams = item.get("streams")
    if not isinstance(streams, list | tuple) or ALL in streams:
        raise ConfigError(
            f"{at('streams')}: expected a list of streams, as the item has the key rows, found "
            f"{streams!r}. Name them."
        )
    rows: int = plain[ROWS]
    return rows


def _part(
    stream: str,
    rows: int,
    streams: dict[str, StreamSpec],
    entries: dict[str, Any],
    at: str,
) -> str:
    """The id of the first rows of a stream, whose entry is added if there is none."""
    if stream not in streams:
        raise ConfigError(f"{at}: there is {unknown('stream', stream, streams)}")
    whole = streams[stream]
    if whole.rows is not None and rows > whole.rows:
        raise ConfigError(
            f"{at}: expected at most {whole.rows:,}, the rows of {stream!r}, found {rows:,}. Set a "
            "smaller number, or write an item without rows for this stream."
        )
    if rows == whole.rows:
        return stream
    entry = {"of": stream, ROWS: rows}
    for name, described in entries.items():
        if {key: value for key, value in described.items() if key != "title"} == entry:
            return str(name)
    name = f"{stream.replace('.', '_')}_first_{rows}"
    if name in streams:
        raise ConfigError(
            f"{at}: expected no other stream with the id {name!r}, which is that of the first "
            f"{rows:,} rows of {stream!r}, found one. Give it another id."
        )
    entries[name] = entry
    streams[name] = first_rows_of(whole, name, rows)
    return name


def _renamed(item: Mapping[str, Any], parts: Mapping[str, str], kind: Kind) -> dict[str, Any]:
    """An item about parts of its streams; other settings may name streams, too."""
    content = {key: value for key, value in item.items() if key != ROWS}
    for key in ("streams", *kind.settings.naming_streams):
        value = content.get(key)
        if isinstance(value, Mapping):
            content[key] = {parts.get(name, name): setting for name, setting in value.items()}
        elif isinstance(value, list | tuple):
            content[key] = [parts.get(name, name) for name in value]
    return content
