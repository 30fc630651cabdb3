"""Warnings of other libraries, each shown once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def shown_once() -> Iterator[None]:
    """Show each warning once: a model that warns does so for each of many instances.

    Warnings of one line of code are the same one, though numbers in their texts may vary, and also
    where a library resets what has been shown.
    """
    show, seen = warnings.showwarning, set()

    def first(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any
    ) -> None:
        if (place := (category, filename, lineno)) not in seen:
            seen.add(place)
            show(message, category, filename, lineno, *more)

    warnings.showwarning = first  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = show
