"""Description of the kinds of items for users, from their declarations.

``python -m streameval.items.document`` writes the page of the package's kinds. With the
argument FOLDER it writes the page of the kinds that the studies in that folder name.
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
from streameval.items import kinds, kinds_of_studies
from streameval.items.kind import ItemKind
from streameval.protocols.registry import protocol_forms

#: The folder of the page of the package's kinds.
FOLDER = ROOT / "config"
#: The file name of pages of kinds.
PAGE = "kinds.md"

_HEAD = """\
# Kinds of tables and figures

An item of a study is a block of YAML, `items.<study>.<item>`, with the key `kind` and the settings
of its kind. A table is written to `results/tables/<study>/<item>.csv`, beside it as JSON, HTML,
Markdown and LaTeX. A figure is drawn for each stream, `figures/<study>/<item>/<stream>.svg` and
`.pdf`; its data are in `results/data/<study>/<item>/`. Items with an empty list of streams are
skipped, as are items that read the data of a skipped item.

The key `rows` limits an item with `streams` to that number of first rows of each stream.

This page is generated from the kinds' declarations: `python -m streameval.items.document`.
"""
_HEAD_OF_FOLDER = """\
# Kinds of the studies in `{folder}`

The studies in this folder name the modules of these kinds, `kinds: [...]`. They are used like the
kinds of the package, which `config/kinds.md` describes. A study in another folder finds the modules
if `PYTHONPATH` has this folder.

This page is generated from the kinds' declarations: `python -m streameval.items.document {folder}`.
"""
#: Texts for the values of `ItemKind.reads` that are not names of kinds.
_READS = {
    "stream": "the streams",
    "generator": "the generators of the streams",
    "source": "the streams (synthetic streams are generated again)",
    "predictions": "the predictions of learners that run once for all items",
    "nothing": "no streams",
}


def kinds_page(folder: Path = FOLDER) -> str:
    """Description of the kinds of the package, or of a folder, as Markdown."""
    if folder == FOLDER:
        head, kinds_by_name = _HEAD, kinds()
    else:
        head, kinds_by_name = _HEAD_OF_FOLDER.format(folder=folder.name), kinds_of_studies(folder)
    return "\n".join([head, *(line for kind in kinds_by_name.values() for line in _section(kind))])


def _section(kind: ItemKind) -> Iterator[str]:
    """Yield the lines about a kind."""
    outputs = " and ".join(["a figure"] * kind.is_figure + ["a table"] * kind.is_table)
    reads = _READS.get(kind.reads) or f"the data of items of kind `{kind.source_kind}`"
    where = "over simulated ones" if kind.reads == "nothing" else "over the streams"
    trains = f", and runs learners {where}" if kind.trains else ""
    yield f"## {kind.name}\n"
    yield f"{kind.settings.__doc__} It is {outputs} and reads {reads}{trains}.{_targets(kind)}\n"
    yield "| setting | type | default | meaning |"
    yield "|---|---|---|---|"
    for key, field in fields_of(kind.settings).items():
        default = "required" if field.required else f"`{_yaml(_default(field))}`"
        _, annotations = without_annotations(field.type)
        description = annotations.get("description", "")
        if key == "protocol":
            description += (
                f" A text, {' or '.join(protocol_forms())}, or a mapping with the key name."
            )
        yield f"| `{key}` | {type_name(field.type)} | {default} | {description} |"
    yield ""


def _targets(kind: ItemKind) -> str:
    """The sentence on the targets of streams, for a kind that has both tasks."""
    if len(kind.tasks) == 1:
        return ""
    return " Its streams all have classes, or all have a numeric target."


def _default(field: Field) -> Any:
    value = field.default if field.default_factory is NODEFAULT else field.default_factory()
    return msgspec.to_builtins(value)


def _yaml(value: Any) -> str:
    """YAML of a value on one line, without the "..." that ends a document."""
    line: str = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return line.removesuffix("\n").removesuffix("\n...")


def main(arguments: Sequence[str]) -> None:
    """Write the page of the kinds in a folder, by default of the package's kinds."""
    folder = Path(arguments[0]).resolve() if arguments else FOLDER
    write_text(folder / PAGE, kinds_page(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
