"""Changing configurations and registries."""

from __future__ import annotations

from pathlib import Path

import yaml

from streameval.base import settings


def put(config: dict, path: str, value: object) -> dict:
    *parents, key = path.split(".")
    place = config
    for parent in parents:
        place = place.setdefault(parent, {})
    place[key] = value
    return config


def add_row(config: dict, folder: Path, row: dict) -> None:
    """Put a row "mine" into a copy of the registry of learners that the run then uses."""
    rows = settings.load_yaml(settings.ROOT / "config" / "learners.yaml")
    rows["mine"] = {"title": "Mine"} | row
    (folder / "learners.yaml").write_text(yaml.safe_dump(rows), encoding="utf-8")
    config["registries"]["learners"] = "learners.yaml"


def add_stream(config: dict, folder: Path, entry: dict) -> None:
    """Put an entry "mine" into a copy of the registry of streams that the run then uses."""
    content = settings.load_yaml(settings.ROOT / "config" / "streams.yaml")
    content["streams"]["mine"] = {"title": "Mine"} | entry
    (folder / "streams.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    config["registries"]["streams"] = "streams.yaml"
