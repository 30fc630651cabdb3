"""Real streams that come with the package, as Parquet files; README.md says whose they are."""

from __future__ import annotations
