"""Running and measuring learners over a stream in pieces, in constant memory.

Each piece is taken once: all learners run over it, then its predictions are counted and forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.differences import Difference
from streameval.evaluation.measurements import positions, window_rows
from streameval.evaluation.predictions import PredictionTable, check_ids
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.run import Cost
from streameval.evaluation.task import CLASSES
from streameval.learners.baselines import with_comparators
from streameval.learners.class_order import in_learnt_order
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.measures.counting import added, no_counts, tally_of
from streameval.measures.tally import Tally
from streameval.protocols.protocol import PiecewiseProtocol, Protocol, piecewise
from streameval.protocols.tape import Tape
from streameval.significance.series import ByRuns, least_worth
from streameval.significance.stream_mean import MeanInPieces
from streameval.streams.pieces import StreamPieces
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd


class Counted(NamedTuple):
    """Counts, differences and costs of learners after all pieces of a stream, by learner.

    The comparators are among them; `over` has the difference from each.
    """

    predictions: int
    tallies: dict[str, Tally]
    over: dict[str, dict[str, Difference]]
    costs: list[Cost]
    before_first_label: int = 0


def run_in_pieces(
    stream: StreamPieces,
    protocol: Protocol,
    learners: Mapping[str, Learner],
    seed: int = 1,
    size: int | None = None,
    *,
    progress: Progress | None = None,
    keep: Callable[[PredictionTable], object] | None = None,
) -> Counted:
    """Run several learners over a stream of classes, with the results of `run_learners`.

    By default a piece has so many instances that their inputs take 4 MiB. `keep` is called with the
    predictions of each piece, `progress` with instances completed.
    """
    check_ids(learners)
    in_order = piecewise(protocol)
    if stream.schema.classes is None:
        raise ConfigError(
            f"A stream in pieces: expected classes to predict, found the numeric target "
            f"{stream.schema.target!r} of {stream.name!r}: errors are averaged over all instances "
            "at once. Use fewer instances (--rows) that fit into the memory."
        )
    made, now = with_comparators(learners), _Now(in_order)
    runs = {
        name: in_learnt_order(learner, stream.schema, iter(now), seed)
        for name, learner in made.items()
    }
    n = in_order.predictions(len(stream))
    counts = {name: _Counts(n, stream.n_classes, name) for name in made}
    for piece in stream.pieces(size or stream.rows_of_piece):
        now.go_on(piece)
        found: dict[str, Predictions] = {}
        for name, run in runs.items():
            found[name] = _next(run, now.offset)
            counts[name].cost(found[name])
            if progress is not None:
                progress(len(piece))
        rows = now.tape.predict_rows
        table = PredictionTable(
            now.stream.y[rows],
            {name: one.label for name, one in found.items()},
            stream.n_classes,
            rows + np.int64(now.offset),
            stream=stream.name,
            protocol=str(protocol),
        )
        if now.offset < in_order.before_first_label:
            table = table.part(table.instances >= in_order.before_first_label)
        for one in counts.values():
            one.add(table)
        if keep is not None:
            keep(table)
    return Counted(
        n,
        {name: tally_of(one.counts, stream.n_classes) for name, one in counts.items()},
        {name: one.over() for name, one in counts.items()},
        [
            Cost(name, len(stream), one.seconds, one.model_bytes, one.fits)
            for name, one in counts.items()
        ],
        in_order.before_first_label,
    )


def _next(run: Iterator[Predictions], offset: int) -> Predictions:
    """Return the predictions of the next piece; errors name its place in the stream."""
    try:
        return next(run)
    except DataError as error:
        if not offset:
            raise
        raise DataError(f"{error} Rows are counted from instance {offset:,} on.") from error


def check_in_pieces(protocol: Protocol, learners: Iterable[Learner]) -> None:
    """Refuse protocols and learners that need the whole stream at once, before it is read.

    Raises ConfigError as `run_in_pieces` does.
    """
    piecewise(protocol)
    for learner in learners:
        learner.play_over(())


class _Now:
    """The current piece, behind the instances before it that its events refer to."""

    def __init__(self, protocol: PiecewiseProtocol) -> None:
        self._protocol, self._reach = protocol, protocol.reach
        self._before: Stream | None = None
        self._end = 0

    def go_on(self, piece: Stream) -> None:
        """Take the next piece."""
        begin, self._end = self._end, self._end + len(piece)
        self.tape = self._protocol.piece(begin, self._end)
        self.offset = max(begin - self._reach, 0)
        if self._before is not None and self._reach:
            X, y = (
                np.concatenate([before[-self._reach :], now])
                for before, now in ((self._before.X, piece.X), (self._before.y, piece.y))
            )
            piece = replace(piece, X=X, y=y, source_rows=None, _digest=[])
        self.stream = self._before = piece

    def __iter__(self) -> Iterator[tuple[Stream, Tape]]:
        while True:
            yield self.stream, self.tape


@dataclass
class _Counts:
    """The counts of a learner's predictions so far."""

    n: int
    n_classes: int
    learner: str
    seconds: float = 0.0
    model_bytes: int = 0
    fits: int | None = None
    counts: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.counts = no_counts(self.n_classes)
        self._over = {one: MeanInPieces(self.n) for one in COMPARATORS if one != self.learner}
        self._errors = {name: ByRuns() for name in (self.learner, *self._over)}

    def cost(self, found: Predictions) -> None:
        """Add the costs of a piece."""
        self.seconds, self.model_bytes = self.seconds + found.seconds, found.model_bytes
        self.fits = found.size.get("fits")

    def add(self, table: PredictionTable) -> None:
        """Count the predictions of a piece."""
        given = table.predicted
        comparators = {name: given[name] for name in COMPARATORS}
        added(self.counts, table.true, given[self.learner], table.n_classes, **comparators)
        right = (given[self.learner] == table.true).view(np.int8)
        for other, mean in self._over.items():
            mean.add(right - (given[other] == table.true).view(np.int8))
        for name, errors in self._errors.items():
            errors.add(given[name] != table.true)

    def over(self) -> dict[str, Difference]:
        """Return the differences from the comparators."""
        if not self.n:
            nothing = Difference(np.nan, np.nan, np.nan, 0, CLASSES.nothing_compared)
            return dict.fromkeys(self._over, nothing)
        differences = {}
        for name, mean in self._over.items():
            errors = self._errors[self.learner], self._errors[name]
            interval = mean.interval(tested=False, behind=least_worth(errors))
            differences[name] = Difference.of(interval, self.n)
        return differences


class WindowsInPieces:
    """Measures over a sliding window of predictions that come in pieces, as `windowed`.

    ``instance`` is the number of instances that have arrived, as in `Result.curve`.
    """

    def __init__(
        self, predictions: int, measures: Sequence[str], window: int, points: int = 500
    ) -> None:
        self._at = positions(predictions, window, points)
        self._measures, self._window, self._end = measures, window, 0
        self._recent: PredictionTable | None = None
        self._parts: dict[tuple[str, str], list[pd.DataFrame]] = {}

    def add(self, table: PredictionTable) -> None:
        """Take the predictions of the next piece."""
        begin, self._end = self._end, self._end + len(table)
        instances = table.instances
        if self._recent is not None:
            table = _behind(self._recent, table)
        at = self._at[(self._at > begin) & (self._at <= self._end)]
        for learner in table.predicted if len(at) else ():
            here, ends = at - (self._end - len(table)), instances[at - begin - 1] + 1
            found = window_rows(table, learner, self._measures, self._window, here)
            for name, rows in found.items():
                self._parts.setdefault((learner, name), []).append(rows.assign(instance=ends))
        last = np.zeros(len(table), dtype=bool)
        last[-self._window :] = True
        self._recent = table.part(last)

    def frame(self) -> pd.DataFrame:
        """Return the measures, after all predictions."""
        import pandas as pd

        return pd.concat(
            [part for parts in self._parts.values() for part in parts], ignore_index=True
        )


def _behind(one: PredictionTable, other: PredictionTable) -> PredictionTable:
    """Return the predictions of two pieces, without their places."""
    predicted = {
        name: np.concatenate([labels, other.predicted[name]])
        for name, labels in one.predicted.items()
    }
    return PredictionTable(np.concatenate([one.true, other.true]), predicted, one.n_classes)
