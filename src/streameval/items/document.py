"""Description of the kinds of items for users, from their declarations.

``python -m streameval.items.document`` writes the page anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import NODEFAULT
from msgspec.inspect import Field

from streameval.base.files import write_text
from streameval.base.schema import bare, fields_of, named
from streameval.base.settings import ROOT
from streameval.items import kinds
from streameval.items.kind import Kind
from streameval.protocols.registry import forms

#: The description for people.
TEXT = ROOT / "config" / "kinds.md"

_HEAD = """\
# Kinds of tables and figures

An item of a study is a block of YAML, `items.<study>.<item>`, with the key `kind` and the settings
of its kind. A table is written to `results/tables/<study>/<item>.csv`, beside it as JSON, HTML,
Markdown and LaTeX. A figure is drawn for each stream, `figures/<study>/<item>/<stream>.svg` and
`.pdf`; its data are in `results/data/<study>/<item>/`. Items without streams, and items that read
them, are skipped.

This page is made from the kinds' own declarations: `python -m streameval.items.document`.
"""
_READS = {
    "stream": "the streams",
    "generator": "the generators of the streams",
    "source": "the streams (synthetic ones are generated anew)",
    "predictions": "the predictions of learners that run once for all items",
    "nothing": "no streams",
}


def text() -> str:
    """Return the description of all kinds as Markdown."""
    return "\n".join([_HEAD, *(part for name in kinds() for part in _section(name))])


def _section(name: str) -> Iterator[str]:
    kind = kinds()[name]
    what = " and ".join(["a figure"] * kind.is_figure + ["a table"] * kind.is_table)
    reads = f"the data of items of kind `{kind.of}`" if kind.of else _READS[kind.reads]
    where = "over simulated ones" if kind.reads == "nothing" else "over the streams"
    trains = f", and runs learners {where}" if kind.trains else ""
    yield f"## {name}\n"
    yield f"{_summary(kind)} It is {what} and reads {reads}{trains}.\n"
    yield "| setting | type | default | meaning |"
    yield "|---|---|---|---|"
    for key, field in fields_of(kind.settings).items():
        default = "required" if field.required else f"`{_flow(_default(field))}`"
        _, said = bare(field.type)
        description = said.get("description", "")
        if key == "protocol":
            description += f" A text, {' or '.join(forms())}, or a mapping with the key name."
        yield f"| `{key}` | {named(field.type)} | {default} | {description} |"
    yield ""


def _summary(kind: Kind) -> str:
    return str(kind.settings.__doc__)


def _default(field: Field) -> Any:
    found = field.default if field.default_factory is NODEFAULT else field.default_factory()
    return msgspec.to_builtins(found)


def _flow(value: Any) -> str:
    written: str = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return written.removesuffix("\n").removesuffix("\n...")


def main() -> None:
    """Write the file."""
    write_text(Path(TEXT), text())


if __name__ == "__main__":
    main()
