"""Progress of a run: a bar, and an estimate of the time that a slow run takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from streameval import notebook
from streameval.learners.learner import Progress
from streameval.values import flag_of

#: Seconds that are watched before an estimate, and the least time left that is worth a line.
WATCHED, WORTH = 1.0, 30.0
#: Seconds that a first look may take.
_LOOK = 20.0


@contextmanager
def bar(
    wanted: bool | None,
    events: Callable[[], int],
    learners: Iterable[Any] = (),
    instances: int = 0,
) -> Iterator[Progress | None]:
    """Show a bar while learners run, and after a second a line if it will take long.

    By default a bar is `wanted` where the error output is a terminal. `events` returns the number
    of events of the run; it is called if there is a bar or an estimate. The time is estimated if
    some of the learners are not compiled, and so may be slow. The `instances` of the stream are for
    the advice to use fewer.
    """
    shows = sys.stderr.isatty() if wanted is None else flag_of(wanted, "progress")
    if (wanted is not None and not shows) or not (estimates := any(map(_may_be_slow, learners))):
        estimates = False
    if not shows and not estimates:
        yield None
        return
    total = events()
    say = Estimate(total, instances) if estimates else None
    if not shows:
        yield say
        return
    with notebook.without_advice():
        from tqdm.auto import tqdm
    # What a notebook shows of the error output is red, also where a bar has been.
    out = sys.stdout if "ipykernel.zmqshell" in sys.modules else None
    with tqdm(total=total, unit=" instances", unit_scale=True, leave=False, file=out) as shown:

        def update(done: int) -> None:
            shown.update(done)
            if say is not None:
                say(done)

        yield update


class Estimate:
    """Reports of progress, from which a line is written once if much time is left.

    The time of an event is the median over the reports of a second: the one-off time to compile a
    learner is no part of it.

    Parameters
    ----------
    events : int
        How many there will be.
    instances : int
        Those of the stream; 0 if unknown.
    clock : callable
        Returns the seconds since some moment.
    """

    def __init__(
        self, events: int, instances: int, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.left, self.events, self.instances, self.clock = events, events, instances, clock
        self.last = clock()
        self.each: list[float] = []
        self.watched, self.is_said = 0.0, False

    def __call__(self, done: int) -> None:
        """Count events that are done."""
        self.left -= done
        if self.is_said or done <= 0:
            return
        now = self.clock()
        gap, self.last = now - self.last, now
        self.each.append(gap / done)
        self.watched += gap
        if self.watched < WATCHED or len(self.each) < 3:
            return
        each = median(self.each)
        self.each, self.watched = [], 0.0
        if each * self.left >= WORTH:
            self.is_said = True
            print(f"streameval: {self._text(each)}", file=sys.stderr)

    def _text(self, each: float) -> str:
        text = f"about {_shown(each * self.left)} are left"
        rows = self.instances * _LOOK / (each * self.events)
        if rows < 2:
            return f"{text}."
        digits = 10 ** (len(str(int(rows))) - 1)
        rows = int(rows // digits * digits)
        return f"{text}; --rows {rows} gives a first look (in Python stream.first({rows}))."


def _may_be_slow(learner: Any) -> bool:
    """Return whether a learner, perhaps in a wrapper, is run by an adapter in Python."""
    inner = getattr(learner, "learner", learner)
    return type(inner).__module__.startswith("streameval.learners.adapters.")


def _shown(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours"
