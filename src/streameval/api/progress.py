"""The bar that shows how far a run is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from streameval.learners.learner import Progress


@contextmanager
def bar(wanted: bool | None, events: Callable[[], int]) -> Iterator[Progress | None]:
    """Show a bar while learners run.

    Parameters
    ----------
    wanted : bool, optional
        By default where the error output is a terminal.
    events : callable
        Returns the number of events of the run; called if there is a bar.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(total=events(), unit=" instances", unit_scale=True, leave=False) as shown:
        yield shown.update
