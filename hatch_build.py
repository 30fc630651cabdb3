"""The first page as a package index shows it, where relative links and pictures lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: A picture and the caption below it.
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n\n\*.*?\*\n\n", re.DOTALL | re.MULTILINE)
_RELATIVE = re.compile(r"\[([^\]]*)\]\((?![a-z]+:)[^)]*\)")
_MENU = re.compile(r"^## Documentation\n.*", re.DOTALL | re.MULTILINE)
_INSTEAD = """\
## Documentation

It comes with the sources, in the folder `docs`; `make docs` builds it as HTML.
"""


class Readme(MetadataHookInterface):
    """What the built package says about itself."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": standing_alone(text)}


def standing_alone(text: str) -> str:
    """Return the first page without what needs the other files of the project."""
    return _RELATIVE.sub(r"\1", _MENU.sub(_INSTEAD, _PICTURE.sub("", text)))
