"""Description of the kinds of items for users, from their declarations.

``python -m streameval.items.document`` writes the page of the package's kinds anew, and
``python -m streameval.items.document FOLDER`` that of the kinds which the studies in a folder name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import NODEFAULT
from msgspec.inspect import Field

from streameval.base.files import write_text
from streameval.base.schema import fields_of, type_name, without_annotations
from streameval.base.settings import ROOT
from streameval.items import kinds, kinds_beside
from streameval.items.kind import Kind
from streameval.protocols.registry import forms

#: The folder of the page of the package's kinds, and the name of pages of kinds.
FOLDER, PAGE = ROOT / "config", "kinds.md"

_HEAD = """\
# Kinds of tables and figures

An item of a study is a block of YAML, `items.<study>.<item>`, with the key `kind` and the settings
of its kind. A table is written to `results/tables/<study>/<item>.csv`, beside it as JSON, HTML,
Markdown and LaTeX. A figure is drawn for each stream, `figures/<study>/<item>/<stream>.svg` and
`.pdf`; its data are in `results/data/<study>/<item>/`. Items without streams, and items that read
them, are skipped.

The key `rows` limits an item with `streams` to that number of first rows of each stream.

This page is made from the kinds' own declarations: `python -m streameval.items.document`.
"""
_HEAD_OF_FOLDER = """\
# Kinds of the studies in `{folder}`

The studies in this folder name the modules of these kinds, `kinds: [...]`. They are used as those
of the package, which `config/kinds.md` describes. A study in another folder finds the modules if
`PYTHONPATH` has this folder.

This page is made from the kinds' own declarations: `python -m streameval.items.document {folder}`.
"""
_READS = {
    "stream": "the streams",
    "generator": "the generators of the streams",
    "source": "the streams (synthetic ones are generated anew)",
    "predictions": "the predictions of learners that run once for all items",
    "nothing": "no streams",
}


def text(folder: Path = FOLDER) -> str:
    """Description of the kinds of the package, or of a folder, as Markdown."""
    if folder == FOLDER:
        head, described = _HEAD, kinds()
    else:
        head, described = _HEAD_OF_FOLDER.format(folder=folder.name), kinds_beside(folder)
    return "\n".join([head, *(part for kind in described.values() for part in _section(kind))])


def _section(kind: Kind) -> Iterator[str]:
    what = " and ".join(["a figure"] * kind.is_figure + ["a table"] * kind.is_table)
    reads = (
        f"the data of items of kind `{kind.source_kind}`"
        if kind.source_kind
        else _READS[kind.reads]
    )
    where = "over simulated ones" if kind.reads == "nothing" else "over the streams"
    trains = f", and runs learners {where}" if kind.trains else ""
    yield f"## {kind.name}\n"
    yield f"{_summary(kind)} It is {what} and reads {reads}{trains}.{_targets(kind)}\n"
    yield "| setting | type | default | meaning |"
    yield "|---|---|---|---|"
    for key, field in fields_of(kind.settings).items():
        default = "required" if field.required else f"`{_flow(_default(field))}`"
        _, said = without_annotations(field.type)
        description = said.get("description", "")
        if key == "protocol":
            description += f" A text, {' or '.join(forms())}, or a mapping with the key name."
        yield f"| `{key}` | {type_name(field.type)} | {default} | {description} |"
    yield ""


def _targets(kind: Kind) -> str:
    """The sentence on targets of streams, if several are possible."""
    if len(kind.tasks) == 1:
        return ""
    return " Its streams all have classes, or all have a numeric target."


def _summary(kind: Kind) -> str:
    return str(kind.settings.__doc__)


def _default(field: Field) -> Any:
    value = field.default if field.default_factory is NODEFAULT else field.default_factory()
    return msgspec.to_builtins(value)


def _flow(value: Any) -> str:
    written: str = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return written.removesuffix("\n").removesuffix("\n...")


def main(arguments: Sequence[str]) -> None:
    """Write the page of the kinds in a folder, by default of the package's kinds."""
    folder = Path(arguments[0]).resolve() if arguments else FOLDER
    write_text(folder / PAGE, text(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
