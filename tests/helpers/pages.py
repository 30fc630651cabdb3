"""The examples of pages."""

from __future__ import annotations

import re

from streameval.settings import ROOT


def blocks(page: str, language: str, section: str = "") -> list[str]:
    """Return the code of a page, or of one of its sections."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if section:
        (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
