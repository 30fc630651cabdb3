"""Docstrings in the style of numpydoc, as Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

_HEAD = re.compile(r"^(\S.*)\n-{3,}\n", re.MULTILINE)
_FIELDS = {"Attributes", "Parameters", "Raises", "Returns", "Warns", "Yields"}


def sections(thing: Any) -> dict[str, str]:
    """The sections of a docstring by their heads; the text in front is that of ""."""
    head, *rest = _HEAD.split(inspect.getdoc(thing) or "")
    return {"": head.strip(), **dict(zip(rest[::2], map(str.rstrip, rest[1::2]), strict=True))}


def summary(thing: Any) -> str:
    """The first paragraph of a docstring in one line."""
    return " ".join(sections(thing)[""].partition("\n\n")[0].split())


def fields(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and description of each entry of a section such as Parameters."""
    for entry in re.split(r"\n(?=\S)", text):
        first, _, rest = entry.partition("\n")
        name, _, kind = first.partition(" : ")
        yield name, kind, inspect.cleandoc(rest) if rest else ""


def parameters(thing: type) -> dict[str, str]:
    """Descriptions of each parameter, from the docstrings of a class and of its bases."""
    texts: dict[str, str] = {}
    for base in reversed(thing.__mro__):
        for names, _, text in fields(sections(base).get("Parameters", "")):
            texts.update(dict.fromkeys(names.split(", "), " ".join(text.split())))
    return texts


def as_markdown(thing: Any) -> str:
    """A docstring as Markdown, for readers of plain text."""
    parts = []
    for head, text in sections(thing).items():
        parts += [f"**{head}**"] * bool(head)
        if head in _FIELDS:
            entries = [
                f"- `{name}`"
                + f" ({kind})" * bool(kind)
                + f": {' '.join(description.split())}" * bool(description)
                for name, kind, description in fields(text)
            ]
            parts.append("\n".join(entries))
        elif head == "Examples":
            parts.append(f"```python\n{text}\n```")
        else:
            parts.append(text)
    return "\n\n".join(parts) + "\n"
