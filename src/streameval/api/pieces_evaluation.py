"""Running learners over a stream that comes in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import checked
from streameval.api.learners import Learners, by_name, made_for
from streameval.api.progress import bar
from streameval.api.result import CHOSEN
from streameval.api.result_view import DisplayOptions, ResultView
from streameval.base.errors import ConfigError
from streameval.base.values import defined
from streameval.evaluation.in_pieces import Counted, WindowsInPieces, run_in_pieces
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.task import CLASSES
from streameval.evaluation.tuning import Tuned
from streameval.evaluation.verdict_words import region_of
from streameval.measures.registry import MEASURES
from streameval.protocols.protocol import Protocol, nothing_to_score, piecewise
from streameval.streams.pieces import StreamPieces

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels
    from streameval.evaluation.differences import Difference
    from streameval.measures.tally import Tally


_DRAWN = CHOSEN[CLASSES.measure].drawn


class PiecesResult(ResultView):
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

    #: See `Result`: labels are classes, and come at once, and there is one model.
    task = CLASSES
    delays = None
    has_folds = False
    #: No learner is tuned on a stream in pieces.
    tuned: Mapping[str, Tuned] = {}
    pretrain = 0
    before_first_label = 0

    def __init__(
        self,
        stream: StreamPieces,
        protocol: str,
        found: Counted,
        named: Iterable[str],
        windows: WindowsInPieces | None = None,
    ) -> None:
        self.stream, self.protocol, self._found, self._windows = stream, protocol, found, windows
        self.learners, self.named = list(found.tallies), list(named)
        self.before_first_label = found.before_first_label

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return measures and costs as plain numbers; see `Result.to_dict`."""
        found: dict[str, dict[str, float | int | None]] = {}
        for learner, tally in self._found.tallies.items():
            found[learner] = {
                name: defined(float(MEASURES[name].value(tally)))
                for name in checked(names, MEASURES, "measure")
            }
        for cost in self._found.costs:
            found[cost.learner] |= cost.as_dict()
        return found

    def measured_labels(self, learner: str) -> int:
        """Return how many labels measures are over; see `Result.measured_labels`."""
        return self._found.predictions

    def missing(self, learner: str) -> int:
        """Return the number of instances that a learner did not predict; see `Result.missing`."""
        return int(self.tally(learner).predicted_counts[-1])

    def tally(self, learner: str) -> Tally:
        """Return the counts of a learner's predictions; see `Result.tally`."""
        return self._found.tallies[learner]

    def _why(self, names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        return {
            learner: {name: str(MEASURES[name].reason(tally).item()) for name in names}
            for learner, tally in self._found.tallies.items()
        }

    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Return by how much each learner is more accurate than the baselines; see `Result`."""
        return self._found.over

    @property
    def rope(self) -> float:
        """Region of practical equivalence; see `Result`."""
        found = self.to_dict("accuracy")
        values = {one: found[one]["accuracy"] for one in COMPARATORS}
        known = {one: value for one, value in values.items() if value is not None}
        return region_of(known, CLASSES).rope

    def _draw(self, shown: DisplayOptions) -> Axes | Panels:
        return self.plot()

    def plot(self) -> Axes | Panels:
        """Draw measures over a sliding window, whose length was given; see `Result.plot`."""
        from streameval.drawing.results import draw_curves

        if self._windows is None:
            raise ConfigError("window: expected a number of predictions to draw, found none.")
        curves = self._windows.frame()
        return draw_curves(curves, _DRAWN, self.learners, self.stream.name, MEASURES)


def evaluate_in_pieces(
    stream: StreamPieces,
    learners: Learners,
    protocol: Protocol,
    *,
    size: int | None = None,
    window: int | None = None,
    seed: int = 1,
    progress: bool | None = None,
    keep: Callable[[PredictionTable], object] | None = None,
) -> PiecesResult:
    """Run learners over a stream in pieces; see `evaluate`.

    For learners, seed and progress see `evaluate`, for `size` and `keep` `run_in_pieces`. The
    protocol takes instances in their order.
    """
    in_order = piecewise(protocol)
    if 0 < len(stream) <= in_order.before_first_label:
        raise nothing_to_score(stream.name, len(stream))
    windows = None
    if window is not None:
        windows = WindowsInPieces(in_order.predictions(len(stream)), _DRAWN, window)
    takers = [*([] if windows is None else [windows.add]), *([] if keep is None else [keep])]

    def take(table: PredictionTable) -> None:
        for taker in takers:
            taker(table)

    made: dict[str, Any] = made_for(stream, by_name(learners))
    events = len(made) * len(stream)
    with bar(progress, lambda: events, made.values(), len(stream)) as update:
        found = run_in_pieces(stream, in_order, made, seed, size, progress=update, keep=take)
    return PiecesResult(stream, str(protocol), found, by_name(learners), windows)
