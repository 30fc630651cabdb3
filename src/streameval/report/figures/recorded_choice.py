"""Which test to use, as recorded."""

from __future__ import annotations

from streameval.report.figures.test_choice import draw

__all__ = ["draw"]
