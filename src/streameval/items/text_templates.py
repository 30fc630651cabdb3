"""Texts about the items of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, kw_only=True)
class TextTemplates:
    """Texts about the items of a kind, with names of settings in braces, as in `str.format`.

    Parameters
    ----------
    menu_entry : str
        Entry in the menu of the pages.
    caption : str
        Caption of the figures of streams, or of the table.
    title : str
        Title of the table; a kind without a table has none.
    evaluation : str
        Evaluation protocol of a study that trains learners itself.
    pictures : mapping of str to str
        Captions of the pictures of a kind whose pictures are not of streams.
    """

    menu_entry: str
    caption: str = ""
    title: str = ""
    evaluation: str = ""
    pictures: Mapping[str, str] = field(default_factory=dict)

    def with_prefix(self, text: str, *, title: str, menu_entry: str) -> TextTemplates:
        """Texts of a similar kind, with `text` before each caption."""
        pictures = {name: f"{text} {caption}" for name, caption in self.pictures.items()}
        caption = f"{text} {self.caption}"
        return replace(self, title=title, menu_entry=menu_entry, caption=caption, pictures=pictures)
