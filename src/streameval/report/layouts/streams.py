"""How tables name streams."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.report.frames import as_flags

_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """Return what a table calls a stream."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def stream_notes(table: pd.DataFrame, what: str) -> tuple[str, ...]:
    """Return the notes below a table of streams."""
    return (_SIMULATED,) if as_flags(table["simulated"], what).any() else ()
