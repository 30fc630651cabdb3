"""Playing learners over a stream and measuring their answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally, tally
from streameval.measures.windows import fading_tallies, window_tallies
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

#: The learners that κ_t and κ_m compare with. They are played along with any others.
COMPARATORS = ("no_change", "majority")
#: How the ids of learners in a wrapper end; and those of one learner alone and in its wrappers.
CORRECTED, AUGMENTED = "_corrected", "_augmented"
FORMS = ("", CORRECTED, AUGMENTED)
# Positions times classes that are counted at once, so that many classes fit into the memory.
_MOST_COUNTS = 2**22


@dataclass(frozen=True)
class Answers:
    """What several learners answered to the predict events of one tape.

    Parameters
    ----------
    true : ndarray of int32, shape (p,)
        True class codes.
    predicted : dict of str to ndarray of int16, shape (p,)
        Answers by learner id; `COMPARATORS` are among them.
    n_classes : int
        Declared number of classes.
    """

    true: NDArray[np.int32]
    predicted: Mapping[str, NDArray[np.int16]]
    n_classes: int

    def tally(self, learner: str) -> Tally:
        """Count all answers of a learner."""
        return tally(self.true, self.predicted[learner], self.n_classes, **self._comparators())

    def window_tallies(self, learner: str, window: int, at: NDArray[np.int64]) -> Tally:
        """Count a learner's last `window` answers at each of the positions `at`."""
        return window_tallies(
            self.true,
            self.predicted[learner],
            self.n_classes,
            window=window,
            at=at,
            **self._comparators(),
        )

    def faded_tallies(self, learner: str, alpha: float, at: NDArray[np.int64]) -> Tally:
        """Count a learner's answers at positions `at`, the newest of which weighs `alpha`.

        A weight is 1 - `alpha` times that of the prediction after it.
        """
        return fading_tallies(
            self.true,
            self.predicted[learner],
            self.n_classes,
            alpha=1.0 - alpha,
            at=at,
            **self._comparators(),
        )

    def _comparators(self) -> dict[str, NDArray[np.int16]]:
        return {name: self.predicted[name] for name in COMPARATORS}


def play_all(
    stream: Stream,
    tape: Tape,
    learners: Mapping[str, Learner],
    seed: int = 1,
    announce: Callable[[str, Predictions], object] | None = None,
) -> tuple[Answers, pd.DataFrame]:
    """Play several learners over the same tape.

    Parameters
    ----------
    stream, tape : Stream, Tape
        What to play.
    learners : mapping of str to Learner
        By id; `COMPARATORS` must be among them.
    seed : int
        Seed of the randomised ones.
    announce : callable, optional
        Called with a learner's id and predictions as soon as it has finished.

    Returns
    -------
    Answers
        What they answered.
    pandas.DataFrame
        What it cost: columns learner, instances, seconds (CPU), model_bytes.
    """
    predicted, costs = {}, []
    for name, learner in learners.items():
        predictions = learner.play(stream, tape, seed)
        predicted[name] = predictions.label
        costs.append((name, len(tape), predictions.seconds, predictions.model_bytes))
        if announce is not None:
            announce(name, predictions)
    columns = ["learner", "instances", "seconds", "model_bytes"]
    answers = Answers(stream.y[tape.predict_rows], predicted, stream.n_classes)
    return answers, pd.DataFrame(costs, columns=columns)


def overall_measures(answers: Answers, learners: Sequence[str] | None = None) -> pd.DataFrame:
    """Return all measures over all answers.

    Returns
    -------
    pandas.DataFrame
        Columns learner, measure, value (fraction, NaN where undefined), reason.
    """
    rows = []
    for learner in learners or answers.predicted:
        counts = answers.tally(learner)
        for name, measure in MEASURES.items():
            rows.append(
                (learner, name, float(measure.value(counts)), measure.reason(counts).item())
            )
    return pd.DataFrame(rows, columns=["learner", "measure", "value", "reason"])


def windowed_measures(
    answers: Answers,
    learners: Sequence[str],
    measures: Sequence[str],
    window: int,
    points: int,
) -> pd.DataFrame:
    """Return measures over a sliding window.

    Parameters
    ----------
    answers : Answers
        What the learners answered.
    learners, measures : sequence of str
        Which to look at.
    window : int
        Length of the window in predictions.
    points : int
        At most that many positions, evenly spaced from the first full window to the end.

    Returns
    -------
    pandas.DataFrame
        Columns instance (predictions made), learner, measure, value, reason.
    """
    at = positions(len(answers.true), window, points)
    portions = np.array_split(at, math.ceil(len(at) * answers.n_classes / _MOST_COUNTS) or 1)
    parts = []
    for learner in learners:
        frames: dict[str, list[pd.DataFrame]] = {name: [] for name in measures}
        for portion in portions:
            counts = answers.window_tallies(learner, window, portion)
            for name in measures:
                columns = {
                    "instance": portion,
                    "learner": learner,
                    "measure": name,
                    "value": MEASURES[name].value(counts),
                    "reason": MEASURES[name].reason(counts),
                }
                frames[name].append(pd.DataFrame(columns))
        parts += [frame for name in measures for frame in frames[name]]
    return pd.concat(parts, ignore_index=True)


def by_stream(
    frames: Mapping[str, pd.DataFrame], simulated: Collection[str], columns: Sequence[str]
) -> pd.DataFrame:
    """Put the frames of several streams below each other.

    Parameters
    ----------
    frames : mapping of str to pandas.DataFrame
        By stream.
    simulated : collection of str
        Which of the streams are generated.
    columns : sequence of str
        Columns of the result: stream, simulated, and those of the frames.
    """
    parts = [
        part.assign(stream=name, simulated=name in simulated)[list(columns)]
        for name, part in frames.items()
    ]
    return pd.concat(parts or [pd.DataFrame(columns=list(columns))], ignore_index=True)


def positions(n: int, window: int, points: int) -> NDArray[np.int64]:
    """Return at most `points` positions from the first full window to the last prediction."""
    return np.unique(np.linspace(min(window, n), n, min(points, n)).round().astype(np.int64))
