"""Forecast the cost of long studies, measured before they start.

A run is tried at lengths of 1 : 2 : 4, after a short one that shows the costs which do not grow.
The rest, per instance, is a line in the logarithm of the length, as trees grow deeper so; at least
the smallest of the three. Its error is the largest change when one of them is left out. Times are
CPU seconds of one core.
"""

from __future__ import annotations

import heapq
import resource
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pandas as pd

from streameval.base.errors import StreamevalError
from streameval.base.settings import RAW
from streameval.items.inputs import StreamInput
from streameval.items.kind import function_of
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan
from streameval.pipeline.work import shown_in, stream_file, studies
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec, GeneratorSpec, StreamSpec
from streameval.view.text import in_columns

#: CPU seconds for all probes together.
SECONDS = 90.0
#: Jobs should take from so many minutes to so many.
SHORT, LONG = 2.0, 10.0
#: Length of the shortest probe, and at most this part of a run.
_TINY, _TINY_PART = 100, 20
#: Parts of the time for a stream: at least the first goes to a probe that says how long the others
#: can be; of these the longest gets the second. All take 2.5 times as long as it, 1 + 1/2 + 1/4 and
#: the two shorter ones once more for their memory.
_FIRST, _OTHERS = 0.08, 0.6 / 2.5
#: Copies of a run's frames while those of a job are put together.
_COPIES = 3


class RunCost(NamedTuple):
    """The cost of one run: CPU seconds with their error, and memory."""

    seconds: float
    error: float
    megabytes: float


@dataclass(frozen=True)
class Forecast:
    """The cost of an item for a stream: numbers of runs of its jobs, one run, and the request."""

    item: str
    stream: str
    runs: tuple[int, ...]
    run: RunCost
    asks_minutes: int
    asks_mb: int

    @property
    def minutes(self) -> float:
        """Minutes of the longest job."""
        return max(self.runs) * self.run.seconds / 60

    @property
    def hours(self) -> float:
        """Core-hours of all jobs."""
        return sum(self.runs) * self.run.seconds / 3600

    @property
    def error(self) -> float:
        """Error of the core-hours."""
        return sum(self.runs) * self.run.error / 3600

    @property
    def asks_enough(self) -> bool:
        """Whether a job asks a cluster for at least twice its cost."""
        enough_time = self.asks_minutes >= 2 * self.minutes
        return enough_time and self.asks_mb >= 2 * self.run.megabytes


def forecasts(plan: Plan, seconds: float = SECONDS) -> Iterator[Forecast | tuple[str, str, str]]:
    """Yield the measured cost of each item in parts, stream by stream.

    Where there is none, yield item, stream, and why.
    """
    wanted = [
        (item, stream)
        for item in plan.items.values()
        if item.kind.parts and item.is_wanted
        for stream in shown_in(plan, item)
    ]
    asked = {
        (task["item"], task["name"]): work
        for work in studies(plan)
        for task in work.tasks
        if "part" in task
    }
    for item in {item.id: item for item, _ in wanted}.values():
        for stream in item.streams:
            if stream in plan.left_out:
                yield item.id, stream, plan.left_out[stream]
    for item, stream in wanted:
        with TemporaryDirectory() as folder:
            try:
                rows = {name: plan.learners[name] for name in item.learners}
                mirror = plan.config["data"]["mirror"]
                spec = plan.registry[stream]
                given = given_alone(spec, item.settings, rows, Path(folder), mirror)
            except StreamevalError as error:
                yield item.id, stream, str(error)
                continue
            length = item.settings.rows(spec.rows or len(given.stream))
            parts = item.in_parts.parts()
            runs = tuple(len(item.in_parts.runs_of(part)) for part in range(parts))
            cost = measured(item, given, length, max(runs), seconds / len(wanted))
        work = asked[item.id, stream]
        yield Forecast(item.id, stream, runs, cost, work.minutes, work.megabytes)


def measured(
    item: Item, given: StreamInput[Any], length: int, runs: int, seconds: float
) -> RunCost:
    """Return the cost of one run, measured by probes that take so many CPU `seconds`.

    `length` counts the instances of a run, `runs` those of a job; kernels are compiled already.
    """

    def probe(instances: int) -> dict[str, pd.DataFrame]:
        settings = item.in_parts.probe(instances)
        fresh = replace(given, settings=settings)  # a job reads its stream anew
        found: dict[str, pd.DataFrame] = function_of(item.kind, "part")(fresh, 0)
        return found

    tiny = min(_TINY, max(length // _TINY_PART, 2))
    probe(tiny)  # loads kernels, and compiles what is not compiled yet
    base = _megabytes()  # not the peak, which may be that of another stream
    fixed = min(_seconds(probe, tiny) for _ in range(2))
    # A length whose time is not lost in that of the rest, or all of it.
    some, spent = 5 * tiny, _seconds(probe, min(5 * tiny, length)) - fixed
    while spent < _FIRST * seconds and some < length:
        some = min(4 * some, length)
        spent = _seconds(probe, some) - fixed
    each = max(spent, 1e-6) / max(some - tiny, 1)
    longest = min(length, max(round(_OTHERS * seconds / each), 4 * (tiny + 1)))
    lengths = [max(longest // part, tiny + 1) for part in (4, 2, 1)]
    times = [_seconds(probe, n) - fixed for n in lengths]
    cost, error = extrapolated([n - tiny for n in lengths], times, length - tiny)
    peaks = [_peak(probe, n) for n in lengths[:2]]
    growth = max(peaks[1] - peaks[0], 0.0) / max(lengths[1] - lengths[0], 1)
    kept = sum(frame.memory_usage().sum() for frame in probe(tiny).values()) / 1e6
    megabytes = base + peaks[1] + growth * (length - lengths[1]) + _COPIES * runs * kept
    return RunCost(fixed + cost, error, megabytes)


def extrapolated(
    lengths: Sequence[float], seconds: Sequence[float], length: float
) -> tuple[float, float]:
    """Return the seconds of a run of some length, and their error, extrapolated from shorter runs.

    There are three or more runs.
    """
    each = np.asarray(seconds) / np.asarray(lengths)
    at, asked = np.log2(lengths), np.log2(max(length, 1))

    def line(kept: Any) -> float:
        if len(np.unique(at[kept])) == 1:
            return float(each[kept].mean())
        slope, height = np.polyfit(at[kept], each[kept], 1)
        return max(float(height + slope * asked), float(each[kept].min()))

    everything = np.arange(len(each))
    found = line(everything)
    others = [line(np.delete(everything, one)) for one in everything]
    return length * found, length * max(abs(one - found) for one in others)


def _seconds(probe: Callable[[int], object], instances: int) -> float:
    start = time.process_time()
    probe(instances)
    return time.process_time() - start


def _peak(probe: Callable[[int], object], instances: int) -> float:
    """Return the peak memory of a probe, in megabytes."""
    tracemalloc.start()
    try:
        probe(instances)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _megabytes() -> float:
    """Return the memory of this process, or its peak where the system reports no other."""
    told = Path("/proc/self/statm")
    if told.is_file():
        return int(told.read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def hours_on(found: Sequence[Forecast], cores: int) -> float:
    """Return the hours until all jobs are done on some cores, the longest jobs first."""
    jobs = sorted((one.run.seconds * n for one in found for n in one.runs), reverse=True)
    ends = [0.0] * cores
    for job in jobs:
        heapq.heappush(ends, heapq.heappop(ends) + job)
    return max(ends) / 3600


def advice(found: Sequence[Forecast]) -> list[str]:
    """Return advice on jobs that are too long, too short, or ask for too little."""
    said = []
    for item in dict.fromkeys(one.item for one in found):
        of_item = [one for one in found if one.item == item]
        longest = max(of_item, key=lambda one: one.minutes)
        if not SHORT <= longest.minutes <= LONG:
            a_run = longest.run.seconds / 60
            fits = min(max(int(LONG / a_run), 1), sum(longest.runs))
            if fits != max(longest.runs):
                said.append(
                    f"{item}: the longest job takes {longest.minutes:.2g} minutes "
                    f"({longest.stream}). With runs_per_job: {fits} it takes {fits * a_run:.2g}; "
                    f"{SHORT:g} to {LONG:g} are best."
                )
        said += [
            f"{item}, {one.stream}: a job asks a cluster for {one.asks_minutes:,} minutes and "
            f"{one.asks_mb:,} MB, less than twice what it takes."
            for one in of_item
            if not one.asks_enough
        ]
    return said


def page(found: Sequence[Forecast], cores: int) -> str:
    """Return the table of forecasts with their sum."""
    head = ("item", "stream", "jobs", "runs", "min/job", "MB/job", "core-hours", "±")
    rows = [
        (
            *(one.item, one.stream, f"{len(one.runs):,}", f"{sum(one.runs):,}"),
            *(f"{one.minutes:.2f}", f"{one.run.megabytes:,.0f}"),
            *(f"{one.hours:.3f}", f"{one.error:.3f}"),
        )
        for one in found
    ]
    hours, error = (sum(getattr(one, name) for one in found) for name in ("hours", "error"))
    jobs = f"{sum(len(one.runs) for one in found):,}"
    rows.append(("all", "", jobs, "", "", "", f"{hours:.3f}", f"{error:.3f}"))
    on = "1 core" if cores == 1 else f"{cores} cores"
    lines = in_columns([head, *rows], right=range(2, len(head)))
    return "\n".join([*lines, "", f"On {on}: {hours_on(found, cores):.2f} hours."])


def without_missing(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration that names missing streams instead of stopping."""
    changed: dict[str, Any] = msgspec.to_builtins(config)
    changed["data"]["missing"] = "skip"
    return changed


def given_alone(
    spec: StreamSpec, settings: Any, rows: Mapping[str, LearnerSpec], folder: Path, mirror: str = ""
) -> StreamInput[Any]:
    """Return the input of a study for a stream, whose file must be here: no host is asked.

    The file is converted to `folder`, unless a run here has done so.
    """
    is_file = isinstance(spec, FileSpec)
    file = Path(stream_file(spec.id))
    if isinstance(spec, FileSpec) and not file.is_file():
        raw = fetch(spec, RAW, mirror_folder(mirror), offline=True)
        file = folder / file.name
        write_stream(convert(spec, raw), file)
    return StreamInput(
        settings=settings,
        rows=rows,
        name=spec.id,
        simulated=isinstance(spec, GeneratorSpec) and spec.stands_for is not None,
        smoothing=spec.smoothing,
        file=str(file) if is_file else "",
        spec=spec if isinstance(spec, GeneratorSpec) else None,
    )
