"""An estimate of the time that a slow run takes, from the reports of its progress."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any

#: Seconds that are watched before an estimate, and the least time left that is worth a line.
WATCHED, WORTH = 1.0, 30.0
#: Seconds after which a single fit is worth a line.
FIT_WORTH = 30.0
#: Processors in use from which on a fit has several threads.
_SEVERAL = 1.2
#: Seconds that a first look may take.
_LOOK = 20.0


class Estimate:
    """Reports of progress, from which a line is written once if much time is left.

    The time of an event is the median over the reports of a second: the one-off time to compile a
    learner is no part of it.

    Parameters
    ----------
    events : int
        How many there will be.
    instances : int
        Those of the stream, for the advice to use fewer; 0 for none.
    clock : callable
        Returns the seconds since some moment.
    about : str
        What runs, for the line; by default what the caller has begun.
    """

    def __init__(
        self,
        events: int,
        instances: int,
        clock: Callable[[], float] = time.perf_counter,
        about: str = "",
    ) -> None:
        self.left, self.events, self.instances, self.clock = events, events, instances, clock
        self.about = about
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
        text = f"{self.about}about {_shown(each * self.left)} are left"
        rows = self.instances * _LOOK / (each * self.events)
        if rows < 2:
            return f"{text}."
        digits = 10 ** (len(str(int(rows))) - 1)
        rows = int(rows // digits * digits)
        return f"{text}; --rows {rows} gives a first look (in Python stream.first({rows}))."


class EstimateByLearner:
    """Reports of learners that run one after the other; of each slow one a line says what it takes.

    Parameters
    ----------
    learners : mapping of str to learner
        In the order in which they run.
    events : callable
        Returns how many each has; it is called where one may be slow.
    stream : str
        What they run over, for the line.
    """

    def __init__(self, learners: Mapping[str, Any], events: Callable[[], int], stream: str) -> None:
        self.left, self.events, self.stream = [*learners.items()], events, stream
        self.current: Estimate | None = None

    def __call__(self, done: int) -> None:
        """Count events that are done."""
        if self.left and may_be_slow(self.left[0][1]):
            if self.current is None:
                about = f"{self.left[0][0]} on {self.stream}: "
                self.current = Estimate(self.events(), 0, about=about)
            self.current(done)

    def end(self) -> None:
        """Say that a learner has finished."""
        self.left, self.current = self.left[1:], None


@contextmanager
def watch_fit(what: str) -> Iterator[None]:
    """Write a line when a fit has run for `FIT_WORTH` seconds, and after four times as many again.

    A fit is a single call, during which there is no progress to estimate the time by. The line says
    so where its threads use several processors, which they take from other runs.
    """
    ended = threading.Event()
    begun, cpu = time.perf_counter(), time.process_time()

    def tell() -> None:
        pause = FIT_WORTH
        while not ended.wait(pause):
            elapsed = time.perf_counter() - begun
            threads = (time.process_time() - cpu) / elapsed
            several = threads > _SEVERAL and "OMP_NUM_THREADS" not in os.environ
            text = f"{what} has been running for {_shown(elapsed)}."
            if several:
                text += (
                    f" Its threads use {threads:.1f} processors: where other programs run, they "
                    "hold each other up, and OMP_NUM_THREADS=1 in the environment is faster."
                )
            print(f"streameval: {text}", file=sys.stderr)
            pause *= 4

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def may_be_slow(learner: Any) -> bool:
    """Return whether a learner, perhaps in a wrapper, is run by an adapter in Python."""
    inner = getattr(learner, "learner", learner)
    return type(inner).__module__.startswith("streameval.learners.adapters.")


def _shown(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours"
