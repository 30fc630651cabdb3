"""Accuracies of baselines on labels with given class proportions and dependence, without drift.

Propositions 5, 6, 7 and 9 of Žliobaitė et al. (2015), Sections 4.2 and 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.run import run_learners
from streameval.evaluation.tallies import tally_of
from streameval.learners.baselines import MovingMajority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Classifier
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import prequential
from streameval.streams.generators.markov import (
    Markov,
    class_proportions,
    stationary_distribution,
    transition_matrix,
)
from streameval.streams.generators.markov import persistence as proportion_of_repeats
from streameval.streams.stream import Stream
from streameval.streams.variants import shuffled

#: Persistent minus Majority: the subject of Propositions 6, 7 and 9.
PERSISTENT_LEAD = "p_persistent - p_majority"
#: The same for the majority of the last n labels.
MEMORY_LEAD = "p_persistent - p_majority_n"
#: The gain of a limited memory; a loss if negative.
MEMORY_GAIN = "p_majority_n - p_majority"
MEMORY_QUANTITIES = (
    "p_majority_n",
    "p_persistent",
    "p_majority",
    MEMORY_LEAD,
    MEMORY_GAIN,
    "p_proved",
)
#: The columns that are measured on each stream.
QUANTITIES = (
    "p_uniform",
    "p_majority",
    "p_persistent",
    "p_random",
    "accuracy",
    "kappa",
    "kappa_temporal",
    "kappa_combined",
)
#: Differences within a stream, which vary less than differences of two means.
DIFFERENCES = {
    PERSISTENT_LEAD: ("p_persistent", "p_majority"),
    "p_majority - p_random": ("p_majority", "p_random"),
    "p_majority - p_uniform": ("p_majority", "p_uniform"),
}
#: Memory of the Majority learner, in labels (Proposition 9).
WINDOWS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
#: Memory of a reference classifier whose predictions depend on order only.
SHORT_MEMORY = 10

#: Of the Gaussian classes, for the reference classifier, Naive Bayes.
ATTRIBUTES, SEPARATION = 2, 2.0
#: Distance of the values of P(T) in a sweep, and the last one.
STEP, HIGHEST = 0.05, 0.99


def shares_text(shares: Sequence[float]) -> str:
    """Class proportions as text, as in frames: ``"0.7/0.3"``."""
    return "/".join(f"{share:g}" for share in class_proportions(shares))


def turning_marks(shares: Sequence[float]) -> tuple[float, float, float]:
    """The smallest possible P(T), the P(T) of independent labels, and P(M).

    Beyond P(M), Persistent is better than Majority.
    """
    exact = class_proportions(shares)
    majority, independent = float(exact.max()), float((exact**2).sum())
    if np.isclose(majority, independent, rtol=0.0, atol=1e-12):  # balanced, up to rounding
        majority = independent
    return max(0.0, 2.0 * majority - 1.0), independent, majority


def persistence_grid(shares: Sequence[float]) -> list[float]:
    """Values of P(T): multiples of `STEP` up to `HIGHEST`, its value for independence, P(M)."""
    lowest, *marks = turning_marks(shares)
    marks.append(HIGHEST)
    regular = [round(i * STEP, 10) for i in range(1, int(HIGHEST / STEP) + 1)]
    kept = [x for x in regular if x > lowest + STEP / 4 and not np.isclose(x, marks).any()]
    return sorted({*kept, *marks})


def run_baselines(
    shares: Sequence[float], persistences: Sequence[float], seeds: int, n: int
) -> pd.DataFrame:
    """The accuracies of the baselines (Equations 5, 6, 7, 9), and the kappas of a learner.

    M is the most frequent class of the *chain*: the largest proportion in a sample is too large on
    average and would hide the equality of Proposition 6. Streams of one seed use the same random
    numbers for all P(T).
    """
    learners = {"naive_bayes": NaiveBayes()}
    rows = []
    for persistence in persistences:
        for seed, stream in _streams(shares, persistence, seeds, n):
            predictions, _ = run_learners(stream, prequential(n), learners)
            measured = _accuracies(predictions, "naive_bayes", _majority_class(shares))
            for name, (learner, other) in DIFFERENCES.items():
                measured[name] = measured[learner] - measured[other]
            rows.append(
                {
                    "shares": shares_text(shares),
                    "persistence": persistence,
                    "seed": seed,
                    **measured,
                }
            )
    return pd.DataFrame(rows)


def turning_points(runs: pd.DataFrame) -> pd.DataFrame:
    """The P(T) beyond which Persistent stays ahead of Majority, for each seed."""
    rows = []
    for (shares, seed), part in runs.groupby(["shares", "seed"], sort=False):
        ordered = part.sort_values("persistence")
        at = ordered["persistence"].to_numpy()
        lead = ordered[PERSISTENT_LEAD].to_numpy()
        not_ahead = np.flatnonzero(lead <= 0)
        if len(not_ahead) == 0 or not_ahead[-1] == len(lead) - 1:
            raise DataError(
                f"Turning point of {shares}, seed {seed}: expected values of P(T) on both sides of "
                f"P(M), found {at[0]:g} to {at[-1]:g}. Widen the sweep."
            )
        last = not_ahead[-1]
        here, there = lead[last], lead[last + 1]
        turning = at[last] + (at[last + 1] - at[last]) * here / (here - there)
        rows.append((shares, seed, float(turning)))
    return pd.DataFrame(rows, columns=["shares", "seed", "turning_point"])


def run_orders(shares: Sequence[float], persistence: float, seeds: int, n: int) -> pd.DataFrame:
    """Accuracies in the original order minus accuracies on the same instances shuffled.

    Proposition 5 says that all differences are 0. But Equation 9 contains the distribution of the
    reference classifier's predictions, which may depend on the order of the training labels.
    """
    references: dict[str, Classifier] = {
        "naive_bayes": NaiveBayes(),
        "memory": MovingMajority(SHORT_MEMORY),
    }
    most = _majority_class(shares)
    rows = []
    for seed, stream in _streams(shares, persistence, seeds, n):
        parts = []
        for ordered in (stream, shuffled(stream, seed)):
            predictions, _ = run_learners(ordered, prequential(n), references)
            plain = _accuracies(predictions, "naive_bayes", most)
            memory = _accuracies(predictions, "memory", most)
            kept = {name: plain[name] for name in ("p_uniform", "p_majority", "p_random")}
            parts.append({**kept, "p_random_memory": memory["p_random"]})
        rows.append(
            {
                "shares": shares_text(shares),
                "persistence": persistence,
                "seed": seed,
                **{name: parts[0][name] - parts[1][name] for name in parts[0]},
            }
        )
    return pd.DataFrame(rows)


def proved_accuracy(transition: Floats, window: int) -> float:
    """The accuracy of the majority of n labels according to the proof of Proposition 9.

    It is g P(T) + (1 - g) Σ P(i)² with g = (λ₂ⁿ - 1) / (n (λ₂ - 1)), Appendix A; eigenvalues other
    than 1 must be equal. For n > 1 it is not the accuracy of a Majority learner, but the mean
    probability that a label recurs among the next n: it tends to Σ P(i)², not to P(M).
    """
    second = float(np.trace(transition) - 1.0) / (len(transition) - 1)
    fading = (second**window - 1.0) / (window * (second - 1.0))
    independent = float((stationary_distribution(transition) ** 2).sum())
    return float(fading * proportion_of_repeats(transition) + (1.0 - fading) * independent)


def run_memory(shares: Sequence[float], persistence: float, seeds: int, n: int) -> pd.DataFrame:
    """Run Majority learners with a limited memory and return their accuracies.

    The first ``max(WINDOWS)`` labels are learnt only, so that all windows are full. Of equally
    frequent classes the first is predicted, which favours it for even n.
    """
    forgetful = {f"last {window}": MovingMajority(window) for window in WINDOWS}
    tape = prequential(n + max(WINDOWS), pretrain=max(WINDOWS))
    most = _majority_class(shares)
    transition = transition_matrix(shares, persistence)
    proved = {window: proved_accuracy(transition, window) for window in WINDOWS}
    rows = []
    for seed, stream in _streams(shares, persistence, seeds, n + max(WINDOWS)):
        predictions, _ = run_learners(stream, tape, forgetful)
        for window in WINDOWS:
            measured = _accuracies(predictions, f"last {window}", most)
            rows.append(
                {
                    "shares": shares_text(shares),
                    "persistence": persistence,
                    "window": window,
                    "seed": seed,
                    "p_majority_n": measured["accuracy"],
                    "p_persistent": measured["p_persistent"],
                    "p_majority": measured["p_majority"],
                    MEMORY_LEAD: measured["p_persistent"] - measured["accuracy"],
                    MEMORY_GAIN: measured["accuracy"] - measured["p_majority"],
                    "p_proved": proved[window],
                }
            )
    return pd.DataFrame(rows)


def _streams(
    shares: Sequence[float], persistence: float, seeds: int, n: int
) -> Iterator[tuple[int, Stream]]:
    for seed in range(1, seeds + 1):
        yield seed, Markov(shares, persistence, ATTRIBUTES, seed, SEPARATION, drift=0.0).stream(n)


def _majority_class(shares: Sequence[float]) -> int:
    exact: Floats = class_proportions(shares)
    return int(exact.argmax())


def _accuracies(predictions: PredictionTable, reference: str, majority: int) -> dict[str, float]:
    """`QUANTITIES` for the predictions of a reference classifier."""
    counts = tally_of(predictions, reference)
    return {
        "p_uniform": 1.0 / counts.n_classes,
        "p_majority": float(counts.true_counts[majority] / counts.n),
        "p_persistent": float(counts.no_change_correct / counts.n),
        "p_random": float(MEASURES["chance_accuracy"].value(counts)),
        **{name: float(MEASURES[name].value(counts)) for name in QUANTITIES[4:]},
    }
