"""Evaluations of streams in pieces, which may be longer than the memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import checked
from streameval.api.learners import Learners, named
from streameval.api.progress import bar
from streameval.evaluation.in_pieces import Counted, run_in_pieces
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.running import with_comparators
from streameval.measures.registry import MEASURES
from streameval.protocols.protocol import Protocol, piecewise
from streameval.streams.pieces import StreamPieces

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.differences import Difference


class PiecesResult:
    """What is known after an evaluation in pieces: all of a `Result` that needs no prediction.

    Attributes
    ----------
    stream : StreamPieces
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        The names of the learners, the baselines included.
    """

    #: See `Result`: labels come at once, and there is one model.
    delays = None
    has_folds = False

    def __init__(self, stream: StreamPieces, protocol: str, found: Counted) -> None:
        self.stream, self.protocol, self._found = stream, protocol, found
        self.learners = list(found.tallies)

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return measures and costs as plain numbers; see `Result.to_dict`."""
        found: dict[str, dict[str, float | int | None]] = {}
        for learner, tally in self._found.tallies.items():
            values = {
                name: float(MEASURES[name].value(tally))
                for name in checked(names, MEASURES, "measure")
            }
            found[learner] = {
                name: None if math.isnan(value) else value for name, value in values.items()
            }
        for cost in self._found.costs:
            found[cost.learner] |= cost.as_dict()
        return found

    def reasons(self, *names: str) -> pd.DataFrame:
        """Return why measures are undefined; see `Result.reasons`."""
        import pandas as pd

        wanted = checked(names, MEASURES, "measure")
        return pd.DataFrame(
            {
                learner: {name: str(MEASURES[name].reason(tally).item()) for name in wanted}
                for learner, tally in self._found.tallies.items()
            }
        ).T.rename_axis("learner")

    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Return by how much each learner is more accurate than the baselines; see `Result`."""
        return self._found.over


def evaluate_in_pieces(
    stream: StreamPieces,
    learners: Learners,
    protocol: Protocol,
    *,
    size: int | None = None,
    seed: int = 1,
    progress: bool | None = None,
    keep: Callable[[PredictionTable], object] | None = None,
) -> PiecesResult:
    """Run learners over a stream in pieces; see `evaluate`.

    Parameters
    ----------
    stream : StreamPieces
        The stream.
    learners, seed, progress
        See `evaluate`.
    protocol : Protocol
        One that takes instances in their order.
    size, keep
        See `run_in_pieces`.
    """
    in_order = piecewise(protocol)
    made: dict[str, Any] = {
        name: recipe.make(stream.smoothing) for name, recipe in named(learners).items()
    }
    runs = with_comparators(made)
    with bar(progress, lambda: len(runs) * len(stream), made.values(), len(stream)) as update:
        found = run_in_pieces(stream, in_order, made, seed, size, progress=update, keep=keep)
    return PiecesResult(stream, str(protocol), found)
