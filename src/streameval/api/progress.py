"""Progress of a run: a bar, and where learners may be slow an estimate of the time left."""

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
def bar(
    wanted: bool | None, events: Callable[[], int], learners: Iterable[Any] = (), instances: int = 0
) -> Iterator[Progress | None]:
    """Show a bar while learners run, and after a second a line if it will take long.

    By default a bar is `wanted` where the error output is a terminal. `events` returns the number
    of events of the run; it is called if there is a bar or an estimate. The time is estimated if
    some of the learners are not compiled, and so may be slow. The `instances` of the stream are for
    the advice to use fewer.
    """
    shows = sys.stderr.isatty() if wanted is None else flag_of(wanted, "progress")
    if (wanted is not None and not shows) or not (estimates := any(map(may_be_slow, learners))):
        estimates = False
    if not shows and not estimates:
        yield None
        return
    total = events()
    say = Estimate(total, instances) if estimates else None
    if not shows:
        yield say
        return
    with notebook.without_tqdm_advice():
        from tqdm.auto import tqdm
    # What a notebook shows of the error output is red, also where a bar has been.
    out = sys.stdout if "ipykernel.zmqshell" in sys.modules else None
    with tqdm(total=total, unit=" instances", unit_scale=True, leave=False, file=out) as meter:

        def update(done: int) -> None:
            meter.update(done)
            if say is not None:
                say(done)

        yield update
