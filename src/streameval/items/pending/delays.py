"""Substitutes for the previous label while it is pending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.measuring import overall_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.running import run_learners
from streameval.items.inputs import StreamInput
from streameval.items.pending.settings import DelaysSettings
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import delayed
from streameval.significance.stream_mean import stream_mean
from streameval.streams.stream import Stream

#: What a learner is given besides an instance: nothing, the latest label that has arrived, its own
#: prediction for the instance before, or the two together.
OPTIONS: dict[str, Callable[..., Learner]] = {
    "ordinary": lambda learner: learner,
    "older_label": TemporallyAugmented,
    "predicted_label": PredictionAugmented,
    "both": partial(PredictionAugmented, older=True),
}

MEASURED = ("accuracy", "kappa", "kappa_temporal")
_COLUMNS = ["delay", "learner", "option", "measure", "value", "reason", "gain", "low", "high"]

#: Called with delay, learner, option and predictions as soon as they are there.
Announce = Callable[[int, str, str, Predictions], object]


def study(given: StreamInput[DelaysSettings]) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``delays``; see `delay_study`."""

    def announce(delay: int, learner: str, option: str, predictions: Predictions) -> None:
        given.announce(f"delay {delay}, {learner}, {option}: {predictions.seconds:.2f} s")

    learners, delays = given.learners(), given.settings.delays
    return {"delays": delay_study(given.labelled_stream, learners, delays, announce=announce)}


def delay_study(
    stream: Stream,
    learners: Mapping[str, Learner],
    delays: Iterable[int],
    *,
    seed: int = 1,
    announce: Announce | None = None,
) -> pd.DataFrame:
    """Compare the options that Žliobaitė et al. (2015) leave open for labels that are delayed.

    Parameters
    ----------
    stream : Stream
        Instances, each learnt the same number of instances after it was predicted.
    learners : mapping of str to Learner
        By id: learners of the package that are not wrapped. No-Change and Majority run
        along under these names, also if they are not among them.
    delays : iterable of int
        Instances that arrive between an instance and the moment when its label is known, at least
        0; see `delayed`. With 0 a label is known before the next prediction.
    seed : int
        Seed of the randomised learners.
    announce : callable, optional
        Called with delay, learner, option and predictions as soon as they are there.

    Returns
    -------
    pandas.DataFrame
        Columns delay, learner, option (see `OPTIONS`), measure (see `MEASURED`), value
        (fraction, NaN where undefined), reason, gain, low, high. The last three are, in rows of
        accuracy, what the option gains over "ordinary" and its 95 % interval over the instances,
        which respects dependence (`stream_mean`, NaN where it gives none); NaN elsewhere. It says
        nothing of other seeds or streams. The learners "no_change" and "majority" have the option
        "ordinary" only. No-Change repeats the latest label that has arrived under the same delay,
        here and where κ_t compares with it.

    Raises
    ------
    ConfigError
        If a delay is negative, or a learner cannot be stopped after every event.

    References
    ----------
    Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
    streaming data with temporal dependence, Section 8.
    """
    players: dict[str, Learner] = {NoChange.name: NoChange(), Majority.name: Majority()}
    roles = {name: (name, "ordinary") for name in players}
    for name, learner in learners.items():
        if name not in COMPARATORS:
            players |= {f"{name}:{option}": give(learner) for option, give in OPTIONS.items()}
            roles |= {f"{name}:{option}": (name, option) for option in OPTIONS}
    parts = []
    for delay in sorted(set(delays)):
        tape, tell = delayed(len(stream), delay), _teller(announce, delay, roles)
        table, _ = run_learners(stream, tape, players, seed, tell)
        values = overall_measures(table, measures=MEASURED).assign(delay=delay)
        values[["gain", "low", "high"]] = _gains(table, values)
        values[["learner", "option"]] = values["learner"].map(roles).tolist()
        parts.append(values[_COLUMNS])
    return pd.concat(parts or [pd.DataFrame(columns=_COLUMNS)], ignore_index=True)


def _gains(table: PredictionTable, values: pd.DataFrame) -> NDArray[np.float64]:
    """Return gain over the same learner without anything, and ends of its interval, row by row."""
    correct = {name: labels == table.true for name, labels in table.predicted.items()}
    gains = np.full((len(values), 3), np.nan)
    for row, (player, measure) in enumerate(values[["learner", "measure"]].to_numpy()):
        ordinary = f"{player.partition(':')[0]}:ordinary"
        if measure == "accuracy" and ordinary in correct and player != ordinary:
            gains[row] = stream_mean(correct[player] - correct[ordinary].astype(np.float64))[:3]
    return gains


def _teller(
    announce: Announce | None, delay: int, roles: Mapping[str, tuple[str, str]]
) -> Callable[[str, Predictions], object] | None:
    """Return the callback for `run_learners`."""
    if announce is None:
        return None
    return lambda player, predictions: announce(delay, *roles[player], predictions)
