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

#: Seconds of progress that an estimate needs.
MIN_SECONDS_SEEN = 1.0
#: Smallest remaining time in seconds that is reported.
MIN_SECONDS_LEFT = 30.0
#: Seconds after which a single fit is reported.
MIN_FIT_SECONDS = 30.0
#: Mean number of processors in use above which a fit has several threads. The thread that reports
#: adds little to the one processor of a fit with a single thread.
_SEVERAL_PROCESSORS = 1.2
#: Seconds that a run over the suggested number of rows takes.
_SECONDS_OF_SHORT_RUN = 20.0


class Estimate:
    """Callback for progress that prints the remaining time once, if it is long.

    The time per event is a median over at least one second of reports, so the time to compile a
    learner does not distort it.

    Parameters
    ----------
    n_events : int
        Number of events of the run.
    n_instances : int
        Number of instances of the stream, for the advice to use fewer; 0 for no advice.
    clock : callable
        Function that returns the time in seconds.
    prefix : str
        Beginning of the line, which names the run; empty for none.
    """

    def __init__(
        self,
        n_events: int,
        n_instances: int,
        clock: Callable[[], float] = time.perf_counter,
        prefix: str = "",
    ) -> None:
        self.n_events, self.n_instances, self.clock, self.prefix = (
            n_events,
            n_instances,
            clock,
            prefix,
        )
        self.n_events_left = n_events
        self.last_report = clock()
        self.seconds_per_event: list[float] = []
        self.seconds_seen, self.is_printed = 0.0, False

    def __call__(self, n_done: int) -> None:
        """Count `n_done` completed events."""
        self.n_events_left -= n_done
        if self.is_printed or n_done <= 0:
            return
        now = self.clock()
        elapsed, self.last_report = now - self.last_report, now
        self.seconds_per_event.append(elapsed / n_done)
        self.seconds_seen += elapsed
        # A median of fewer than three reports does not remove the time to compile.
        if self.seconds_seen < MIN_SECONDS_SEEN or len(self.seconds_per_event) < 3:
            return
        per_event = median(self.seconds_per_event)
        self.seconds_per_event, self.seconds_seen = [], 0.0  # the next median is of later reports
        if per_event * self.n_events_left >= MIN_SECONDS_LEFT:
            self.is_printed = True
            print(f"streameval: {self._text(per_event)}", file=sys.stderr)

    def _text(self, per_event: float) -> str:
        text = f"{self.prefix}about {_rounded_time(per_event * self.n_events_left)} are left"
        rows = self.n_instances * _SECONDS_OF_SHORT_RUN / (per_event * self.n_events)
        if rows < 2:  # no advice: one row is no stream
            return f"{text}."
        power_of_ten = 10 ** (len(str(int(rows))) - 1)
        rows = int(rows // power_of_ten * power_of_ten)  # one significant digit
        return f"{text}; --rows {rows} gives a first look (in Python stream.first({rows}))."


class EstimateByLearner:
    """Callback for the progress of several learners in sequence, with one line per slow learner.

    Parameters
    ----------
    learners : mapping of str to learner
        In the order in which they run.
    count_events : callable
        Function that returns the number of events per learner; called only if a learner may be
        slow.
    stream : str
        Name of the stream, for the line.
    """

    def __init__(
        self, learners: Mapping[str, Any], count_events: Callable[[], int], stream: str
    ) -> None:
        self.remaining, self.count_events, self.stream = [*learners.items()], count_events, stream
        self.estimate: Estimate | None = None

    def __call__(self, n_done: int) -> None:
        """Count `n_done` completed events."""
        if not self.remaining:
            return
        name, learner = self.remaining[0]
        if may_be_slow(learner):
            if self.estimate is None:
                prefix = f"{name} on {self.stream}: "
                self.estimate = Estimate(self.count_events(), n_instances=0, prefix=prefix)
            self.estimate(n_done)

    def end_learner(self) -> None:
        """Record that the current learner has finished or failed."""
        self.remaining, self.estimate = self.remaining[1:], None


@contextmanager
def watch_fit(fit_name: str) -> Iterator[None]:
    """Print a line when a fit has run for `MIN_FIT_SECONDS`; repeat it after ever longer pauses.

    A fit is a single call without reports of progress. If it uses several processors, which other
    runs then lack, the line says so.
    """
    ended = threading.Event()
    start_time, start_cpu_time = time.perf_counter(), time.process_time()

    def report() -> None:
        pause = MIN_FIT_SECONDS
        while not ended.wait(pause):
            elapsed = time.perf_counter() - start_time
            processors = (time.process_time() - start_cpu_time) / elapsed
            text = f"{fit_name} has been running for {_rounded_time(elapsed)}."
            if processors > _SEVERAL_PROCESSORS and "OMP_NUM_THREADS" not in os.environ:
                text += (
                    f" Its threads use {processors:.1f} processors. If other programs run, too, "
                    "they slow each other down, and OMP_NUM_THREADS=1 in the environment is faster."
                )
            print(f"streameval: {text}", file=sys.stderr)
            pause *= 4

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        ended.set()
        reporter.join()


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
