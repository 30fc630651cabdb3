"""Streams and learners that a configuration adds to those of the registries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streameval.errors import ConfigError, DataError
from streameval.learners import registry as learner_registry
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.configuration import Configuration
from streameval.plain_data import Id, checked, fields_of
from streameval.streams.readers.content import READER_OF, content_name
from streameval.streams.registry import FileSpec, StreamId, StreamSpec, checked_row, spec_from


def own_streams(configuration: Configuration) -> dict[str, StreamSpec]:
    """Return the streams that a configuration describes itself.

    An entry is one of the registry, or shorter: the reader follows from the ending of the file,
    whose path starts at the configuration's own file, and options of the reader may stand beside
    the other keys.

    Raises
    ------
    ConfigError
        If an entry is wrong, or its file is not there.
    """
    found = {}
    for name, row in configuration.content["streams"].items():
        where, place = configuration.where("streams", name), f"streams.{name}"
        full = {"title": name, **row}
        if "generator" not in row:
            full = _full_row(full, configuration.folder_of("streams", name), where, place)
        checked(name, StreamId, where, ("streams",))
        row = checked_row(full, where, ("streams", name))
        try:
            found[name] = spec_from(name, row)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from error
    return found


def _full_row(row: dict[str, Any], folder: Path, where: str, place: str) -> dict[str, Any]:
    """Return the entry of a file as the registry has it."""
    if not isinstance(row.get("file"), str):
        raise ConfigError(
            f"{where}: at {place}: expected the key file, a path from the folder of this file, or "
            f"the key generator; found {', '.join(key for key in row if key != 'title')}."
        )
    options = {key: value for key, value in row.items() if _is_option(key, value)}
    row = {key: value for key, value in row.items() if key not in options}
    row["options"] = {**row.get("options", {}), **options}
    if "addresses" in row:  # it is kept with the raw files
        return row
    path = (folder / row["file"]).absolute()
    if not path.is_file():
        raise ConfigError(f"{where}: at {place}.file: expected a file, found none at {path}.")
    row["file"] = str(path)
    if "reader" not in row:
        row["reader"] = _reader_of(path, where, place)
    return row


def _is_option(key: str, value: object) -> bool:
    # Of CSV files, `classes` can name the classes; in the registry it is their number.
    return key not in fields_of(FileSpec) or (key == "classes" and isinstance(value, list))


def _reader_of(path: Path, where: str, place: str) -> str:
    try:
        ending = Path(content_name(path)).suffix.lower()
    except DataError as error:
        raise ConfigError(f"{where}: at {place}.file: {error}") from error
    if ending not in READER_OF:
        raise ConfigError(
            f"{where}: at {place}.file: expected a file ending in {', '.join(READER_OF)}, also "
            f"with .gz, .bz2, .xz or .zip behind, found {path.name}. Or name its reader: "
            "`reader: csv`."
        )
    return READER_OF[ending]


def own_learners(configuration: Configuration) -> dict[str, LearnerSpec]:
    """Return the learners that a configuration describes itself.

    A class of one's own, ``module:Class``, and files of predictions are looked for from the folder
    of the configuration's own file.

    Raises
    ------
    ConfigError
        If a row is wrong.
    """
    found = {}
    for name, row in configuration.content["learners"].items():
        folder = configuration.folder_of("learners", name).absolute()
        checked(name, Id, configuration.where, ("learners", name))
        row = learner_registry.checked_row(
            {"title": name, **row}, configuration.where, ("learners", name)
        )
        if row["learner"] == PredictionsFile.name:
            row["parameters"] = _from_folder(row["parameters"], folder)
        found[name] = LearnerSpec(id=name, folder=str(folder), **row)
    return found


def _from_folder(parameters: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    file = parameters.get("file")
    return {**parameters, "file": str(folder / file)} if isinstance(file, str) else {**parameters}
