"""Concept drift from one stream to another, with the draws of MOA's `ConceptDriftStream`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError, error_prefix
from streameval.base.matrices import empty_matrix
from streameval.base.params import Seed, Whole
from streameval.base.seeds import generator
from streameval.compiled.java_random import java_random, next_double
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.drifts import Drift
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Stream

#: Largest position and width: Java's largest int.
LARGEST = 2**31 - 1
#: Number of rows per block in which the rows of the new concept are counted.
_ROWS_AT_ONCE = 1 << 16


@allocating_kernel
def _uniforms(n: int, random: Integers) -> Floats:
    draws = np.empty(n)
    for i in range(n):
        draws[i] = next_double(random)
    return draws


@allocating_kernel
def _probabilities(times: Integers, position: int, width: int) -> Floats:
    """Probability that each row of the stream belongs to the new concept."""
    probability = np.empty(len(times))
    for i in range(len(times)):
        since_position = times[i] + 1 - position  # MOA counts instances from one
        if width == 0:
            probability[i] = 1.0 if since_position >= 0 else 0.0
        else:
            # The factor 4 makes the slope at the position 1 / width.
            probability[i] = 1.0 / (1.0 + math.exp(-4.0 * since_position / width))
    return probability


def _mask_function(position: int, width: int, seed: int) -> Callable[[int], Flags]:
    """Function that draws a mask of the next instances: True for the new concept."""
    random, begin = java_random(seed), 0

    def draw(rows: int) -> Flags:
        nonlocal begin
        times = np.arange(begin, begin + rows)
        begin += rows
        chosen: Flags = _uniforms(rows, random) <= _probabilities(times, position, width)
        return chosen

    return draw


def _merge(is_after: Flags, before: Stream, after: Stream) -> Stream:
    """Instances of both streams in one; `is_after` marks the rows taken from `after`."""
    if before.schema != after.schema:
        raise ConfigError(
            "Generator concept_drift: both streams must have the same attributes and classes, in "
            f"number, name and kind; before ({before.name}) has {before.X.shape[1]} and "
            f"{before.n_classes}, after ({after.name}) has {after.X.shape[1]} and "
            f"{after.n_classes}."
        )
    X = empty_matrix(len(is_after), before.X.shape[1])
    y = np.empty(len(is_after), dtype=before.y.dtype)
    for stream, mask in ((before, ~is_after), (after, is_after)):
        count = int(mask.sum())
        X[mask], y[mask] = stream.X[:count], stream.y[:count]
    source = f"{before.source}; then {after.source}"
    return Stream(X, y, before.schema, name="concept_drift", source=source)


@dataclass(frozen=True)
class ConceptDrift(Generator):
    """A stream that changes from one concept to another.

    The t-th instance, counted from one, is the next instance of the new stream with probability
    ``1 / (1 + exp(-4 * (t - position) / width))``, otherwise the next instance of the old stream.
    Each stream advances only when one of its instances is taken. So if both have the same seed,
    the new stream starts with the same inputs as the old stream. Both must have the same attributes
    and classes.

    Parameters
    ----------
    before, after : Generator
        The two streams; either may be a `ConceptDrift`. In a registry, a mapping of ``generator``
        and that generator's parameters.
    position : int
        Number of the instance at which both streams are equally probable, counted from one. As in
        MOA, it may be negative: then the new stream is more probable from the start.
    width : int
        Length of the transition, at least 0. Within it, the probability of the new stream rises
        from 12 to 88 %.
    alpha : float
        If not 0, the slope of the transition as an angle of up to 90 degrees (MOA's option α):
        `width` is then the angle's cotangent, rounded down.
    seed : int
        Seed of the choice between the streams.

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà (2009), New ensemble methods for evolving data
    streams. Draws: MOA 24.07, ``ConceptDriftStream``.
    """

    before: Generator
    after: Generator
    position: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] = 0
    width: Annotated[Whole, Meta(le=LARGEST)] = 1000
    alpha: Annotated[float, Meta(ge=0, le=90)] = 0.0
    seed: Seed = 1

    name = "concept_drift"

    def _check_combination(self) -> None:
        for name in ("before", "after"):
            part = getattr(self, name)
            if not isinstance(part, Generator):
                expected = "a generator with its parameters, such as {generator: sea, function: 2}"
                raise self._parameter_error(
                    f"at {name}: expected {expected}, found {part!r}.", name
                )

    def _width(self) -> int:
        """Width of the transition: the parameter, or the width that follows from the slope."""
        if not self.alpha:
            return self.width
        return int(min(1.0 / math.tan(math.radians(self.alpha)), LARGEST))

    def _start(self, n: int) -> Draw:
        draw_mask = _mask_function(self.position, self._width(), self.seed)
        # The masks are drawn once more, block by block, to count the rows of the new stream without
        # an array as long as the stream.
        draw_counted = _mask_function(self.position, self._width(), self.seed)
        rows_after = sum(
            int(draw_counted(min(_ROWS_AT_ONCE, n - begin)).sum())
            for begin in range(0, n, _ROWS_AT_ONCE)
        )
        # Streams cannot be empty. If one of the two streams contributes no rows, a stream of one
        # instance stands in for it; `_merge` takes nothing from it.
        with error_prefix("In before"):
            stand_in_before = self.before.stream(1)
            draw_before = self.before.start(max(n - rows_after, 1))
        with error_prefix("In after"):
            stand_in_after = self.after.stream(1)
            draw_after = self.after.start(max(rows_after, 1))

        def draw(rows: int) -> Stream:
            is_after = draw_mask(rows)
            n_after = int(is_after.sum())
            before = draw_before(rows - n_after) if n_after < rows else stand_in_before
            return _merge(is_after, before, draw_after(n_after) if n_after else stand_in_after)

        return draw

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """The transition, and the drifts of both streams; see `Generator`.

        The transition begins half its width before its position. A drift of one of the two streams
        moves to the row at which the result takes that instance.
        """
        before, after = self.before.drifts(n), self.after.drifts(n)
        if before is None or after is None:
            return None
        is_after, width = _mask_function(self.position, self._width(), self.seed)(n), self._width()
        merged = {Drift(max(self.position - 1 - width // 2, 0), width)}
        for drifts, mask in ((before, ~is_after), (after, is_after)):
            # Drifts that the result never reaches get row n, and are left out below.
            rows = np.append(np.flatnonzero(mask), n)
            for drift in drifts:
                start, end = rows[
                    np.minimum([drift.start, drift.start + drift.width], len(rows) - 1)
                ]
                merged.add(Drift(int(start), int(end - start)))
        return tuple(sorted(drift for drift in merged if 0 < drift.start < n))

    def draw_from_concepts(self, n: int, times: Integers, seed: int) -> Stream:
        """Draw new instances of the mixture of both streams at `times`; see `Generator`.

        Each row has the concept that its stream has reached at that time.
        """
        width = self._width()
        # Number of instances that each stream has contributed before each row.
        used_after = np.concatenate(
            [[0], np.cumsum(_mask_function(self.position, width, self.seed)(n))]
        )
        used_before = np.arange(n + 1) - used_after
        random = generator("concept_drift", "fresh", seed)
        is_after = random.random(len(times)) <= _probabilities(times, self.position, width)
        seed_before, seed_after = random.integers(2**63, size=2).tolist()

        def draw_part(part: Generator, used: Integers, mask: Flags, part_seed: int) -> Stream:
            rows = max(int(used[n]), 1)  # streams cannot be empty, as in `_start`
            part_times = used[times[mask]] if mask.any() else np.zeros(1, dtype=np.int64)
            return part.draw_from_concepts(rows, part_times, part_seed)

        with error_prefix("In before"):
            before = draw_part(self.before, used_before, ~is_after, seed_before)
        with error_prefix("In after"):
            after = draw_part(self.after, used_after, is_after, seed_after)
        return _merge(is_after, before, after)
