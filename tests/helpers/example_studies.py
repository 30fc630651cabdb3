"""The studies in `examples`, besides those that come with the project."""

from __future__ import annotations

from streameval.base.settings import ROOT, load_yaml

#: The kinds of their items.
KINDS = {
    item["kind"]
    for path in sorted((ROOT / "examples").rglob("*.yaml"))
    for items in load_yaml(path)["items"].values()
    for item in items.values()
}
