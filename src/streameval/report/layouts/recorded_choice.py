"""Lay out how often tests err, as recorded."""

from __future__ import annotations

from streameval.report.layouts.test_choice import layout

__all__ = ["layout"]
