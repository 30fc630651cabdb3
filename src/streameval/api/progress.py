"""Progress of a run: a bar, and an estimate of the time left if learners may be slow."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from streameval.base.values import flag_of
from streameval.learners.estimate import Estimate, may_be_slow
from streameval.learners.learner import Progress
from streameval.view import notebook


@contextmanager
def progress_bar(
    progress: bool | None,
    events: Callable[[], int],
    learners: Iterable[Any] = (),
    instances: int = 0,
) -> Iterator[Progress | None]:
    """Show a bar while learners run, and a message after one second if the run will take long.

    `progress` is as for `streameval.evaluate`: True shows a bar, False nothing; None shows a bar if
    the error output is a terminal. `events` returns the number of events of the run; it is called
    only if needed. The time is estimated if some learners are not compiled. `instances` is the
    length of the stream, for the advice to use fewer.
    """
    shows_bar = sys.stderr.isatty() if progress is None else flag_of(progress, "progress")
    is_silent = progress is not None and not shows_bar
    estimates = not is_silent and any(map(may_be_slow, learners))
    if not shows_bar and not estimates:
        yield None
        return
    total = events()
    estimate = Estimate(total, instances) if estimates else None
    if not shows_bar:
        yield estimate
        return
    with notebook.without_tqdm_advice():  # about installing widgets
        from tqdm.auto import tqdm
    # Notebooks show error output on a red background, which stays after the bar has gone.
    out = sys.stdout if "ipykernel.zmqshell" in sys.modules else None
    # The bar counts events; without delays, each instance is one event of a model.
    with tqdm(total=total, unit=" instances", unit_scale=True, leave=False, file=out) as meter:

        def update(n_events: int) -> None:
            meter.update(n_events)
            if estimate is not None:
                estimate(n_events)

        yield update
