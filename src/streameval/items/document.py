"""The kinds of items in words, from what they declare.

``python -m streameval.items.document`` writes the page anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from streameval.files import write_text
from streameval.items import kinds
from streameval.items.kind import Kind
from streameval.protocols import registry as protocols
from streameval.settings import ROOT

#: The description for people.
TEXT = ROOT / "config" / "kinds.md"

_HEAD = """\
# Kinds of tables and figures

An item of a study is a block of YAML, `items.<study>.<item>`, with the key `kind` and the settings
of its kind. A table is written to `results/tables/<study>/<item>.csv`, beside it as HTML, Markdown
and LaTeX. A figure is drawn for each stream, `figures/<study>/<item>/<stream>.svg` and `.pdf`; its
data are in `results/data/<study>/<item>/`. Items without streams, and items that read them, are
skipped.

This page is made from the kinds' own declarations: `python -m streameval.items.document`.
"""
_READS = {
    "stream": "the streams",
    "generator": "the generators of the streams",
    "source": "the streams, and regenerates synthetic ones",
    "predictions": "the predictions of learners that run once for all items",
    "item": "the data of items of kind `{of}`",
    "nothing": "no streams",
}
_WORDS = {
    "string": "text",
    "integer": "whole number",
    "null": "null",
    "boolean": "true or false",
    "object": "mapping",
}


def rules_of(kind: Kind) -> dict[str, Any]:
    """Return the JSON schema of the settings of a kind, without the key ``kind``."""
    rules = msgspec.json.schema(kind.settings)
    own: dict[str, Any] = _resolved(rules, rules["$defs"])
    if "protocol" in own["properties"]:
        own["properties"]["protocol"] = protocols.schema()
    return own


def _resolved(rules: Any, definitions: Mapping[str, Any]) -> Any:
    """Return rules with definitions in the places that refer to them."""
    if isinstance(rules, list):
        return [_resolved(rule, definitions) for rule in rules]
    if not isinstance(rules, Mapping):
        return rules
    if "$ref" in rules:
        found = definitions[rules["$ref"].rpartition("/")[2]]
        rules = {**found, **{key: rule for key, rule in rules.items() if key != "$ref"}}
    shown = {key: rule for key, rule in rules.items() if key not in ("$defs", "title")}
    return {key: _resolved(rule, definitions) for key, rule in shown.items()}


def text() -> str:
    """Return the description of all kinds as Markdown."""
    return "\n".join([_HEAD, *(part for name in kinds() for part in _section(name))])


def _section(name: str) -> Iterator[str]:
    kind = kinds()[name]
    rules = rules_of(kind)
    what = " and ".join(["a figure"] * kind.is_figure + ["a table"] * kind.is_table)
    reads = _READS[kind.reads].format(of=kind.of)
    trains = ", over which it runs learners itself" if kind.trains else ""
    yield f"## {name}\n"
    yield f"{_summary(kind)} It is {what} and reads {reads}{trains}.\n"
    yield "| setting | type | default | meaning |"
    yield "|---|---|---|---|"
    for key, rule in rules["properties"].items():
        default = "required" if key in rules["required"] else f"`{_flow(rule.get('default'))}`"
        yield f"| `{key}` | {_type(rule)} | {default} | {rule.get('description', '')} |"
    yield ""


def _summary(kind: Kind) -> str:
    return str(kind.settings.__doc__)


def _flow(value: Any) -> str:
    written: str = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return written.removesuffix("\n").removesuffix("\n...")


def _type(rule: Mapping[str, Any]) -> str:
    if "enum" in rule:
        return " or ".join(f"`{value}`" for value in rule["enum"])
    if "anyOf" in rule:
        return " or ".join(_type(part) for part in rule["anyOf"])
    kind = rule.get("type")
    if kind == "array":
        return f"list of {_type(rule['items'])}"
    if kind == "object" and "properties" in rule:
        parts = "; ".join(f"`{key}`: {_type(part)}" for key, part in rule["properties"].items())
        return f"mapping ({parts})"
    kinds = [str(kind)] if not isinstance(kind, list) else [str(one) for one in kind]
    return " or ".join(_WORDS.get(one, one) for one in kinds) + _bounds(rule)


def _bounds(rule: Mapping[str, Any]) -> str:
    low, most = rule.get("minimum"), rule.get("maximum")
    above = rule.get("exclusiveMinimum")
    found = [f"above {above}"] if above is not None else []
    found += [f"from {low}"] if low is not None else []
    found += [f"to {most:,}"] if most is not None and most < 2**31 - 1 else []
    return f" {' '.join(found)}" if found else ""


def main() -> None:
    """Write the file."""
    write_text(Path(TEXT), text())


if __name__ == "__main__":
    main()
