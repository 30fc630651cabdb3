"""The studies in `examples`, besides those that come with the project."""

from __future__ import annotations

from typing import Any

from streameval.base.settings import ROOT, load_yaml


def items() -> list[dict[str, Any]]:
    """Their items, as the files have them."""
    return [
        item
        for path in sorted((ROOT / "examples").rglob("*.yaml"))
        for of_study in load_yaml(path)["items"].values()
        for item in of_study.values()
    ]


#: The kinds of their items.
KINDS = {item["kind"] for item in items()}
