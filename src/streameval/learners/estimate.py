"""Estimate the remaining time of a slow run from its reports of progress."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any

#: Seconds of progress before an estimate, and the smallest remaining time that is reported.
WATCHED, WORTH = 1.0, 30.0
#: Seconds after which a single fit is reported.
FIT_WORTH = 30.0
#: Processors in use above which a fit is said to have several threads.
_SEVERAL = 1.2
#: Seconds that a run over the suggested number of rows takes.
_LOOK = 20.0


class Estimate:
    """Callback for progress that prints the remaining time once, if it is long.

    The time per event is the median over the reports of one second, so the time to compile a
    learner does not distort it.

    Parameters
    ----------
    events : int
        Number of events of the run.
    instances : int
        Number of instances of the stream, for the advice to use fewer; 0 for no advice.
    clock : callable
        Returns the seconds since some moment.
    about : str
        Name of the run at the beginning of the line; empty for none.
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
        text = f"{self.about}about {_rounded_time(each * self.left)} are left"
        rows = self.instances * _LOOK / (each * self.events)
        if rows < 2:
            return f"{text}."
        digits = 10 ** (len(str(int(rows))) - 1)
        rows = int(rows // digits * digits)
        return f"{text}; --rows {rows} gives a first look (in Python stream.first({rows}))."


class EstimateByLearner:
    """Callback for the progress of several learners in sequence, with one line per slow learner.

    Parameters
    ----------
    learners : mapping of str to learner
        In the order in which they run.
    events : callable
        Returns the number of events of each learner; called only if a learner may be slow.
    stream : str
        Name of the stream, for the line.
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
        """Record that a learner has finished."""
        self.left, self.current = self.left[1:], None


@contextmanager
def watch_fit(what: str) -> Iterator[None]:
    """Print a line when a fit has run for `FIT_WORTH` seconds, then after 4, 16, ... times as many.

    A fit is a single call without reports of progress. If its threads use several processors, which
    other runs then lack, the line says so.
    """
    ended = threading.Event()
    begun, cpu = time.perf_counter(), time.process_time()

    def tell() -> None:
        pause = FIT_WORTH
        while not ended.wait(pause):
            elapsed = time.perf_counter() - begun
            threads = (time.process_time() - cpu) / elapsed
            several = threads > _SEVERAL and "OMP_NUM_THREADS" not in os.environ
            text = f"{what} has been running for {_rounded_time(elapsed)}."
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
    """True for an adapter, which runs a model in Python; also inside a wrapper."""
    inner = getattr(learner, "learner", learner)
    return type(inner).__module__.startswith("streameval.learners.adapters.")


def _rounded_time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours"
