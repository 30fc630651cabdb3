"""Tables of results are as wide as in a terminal of 120 columns, whatever the one of the tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
