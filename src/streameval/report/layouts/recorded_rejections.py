"""Lay out how often tests reject, as recorded."""

from __future__ import annotations

from streameval.report.layouts.rejections import layout

__all__ = ["layout"]
