"""The sentences of docs/findings.md, for tests that compute what they say."""

from __future__ import annotations

from streameval.settings import ROOT

TEXT = " ".join((ROOT / "docs" / "findings.md").read_text(encoding="utf-8").split())


def said(sentence: str) -> bool:
    """Return whether the page has a sentence, wherever its lines break."""
    assert sentence in TEXT, f"docs/findings.md does not say: {sentence}"
    return True
