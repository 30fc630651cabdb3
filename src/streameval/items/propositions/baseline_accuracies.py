"""Accuracies of baselines on labels with given class proportions and dependence, without drift.

Propositions 5, 6, 7 and 9 of Žliobaitė et al. (2015), Sections 4.2 and 5.2. As there, P(T) is the
probability that a label repeats, and P(M) the proportion of the most frequent class.
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
#: Persistent minus Majority with a memory of the last n labels (Proposition 9).
MEMORY_LEAD = "p_persistent - p_majority_n"
#: Majority of the last n labels minus Majority of all labels.
MEMORY_GAIN = "p_majority_n - p_majority"
#: Quantities of the frame ``memory``; for ``p_proved`` see `proved_accuracy`.
MEMORY_QUANTITIES = (
    "p_majority_n",
    "p_persistent",
    "p_majority",
    MEMORY_LEAD,
    MEMORY_GAIN,
    "p_proved",
)
#: Measures of each stream.
STREAM_MEASURES = ("accuracy", "kappa", "kappa_temporal", "kappa_combined")
#: Quantities that are measured on each stream.
QUANTITIES = (
    "p_uniform",
    "p_majority",
    "p_persistent",
    "p_random",
    *STREAM_MEASURES,
)
#: Differences within a stream, which vary less than differences of two means.
DIFFERENCES = {
    PERSISTENT_LEAD: ("p_persistent", "p_majority"),
    "p_majority - p_random": ("p_majority", "p_random"),
    "p_majority - p_uniform": ("p_majority", "p_uniform"),
}
#: Numbers of labels that Majority learners remember (Proposition 9).
WINDOWS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
#: Number of labels that the second reference classifier of `run_orders` remembers. Its predictions
#: depend on the order of labels only.
SHORT_MEMORY = 10

#: Number of inputs, with Gaussian classes, for the reference classifier Naive Bayes.
ATTRIBUTES = 2
#: Distance of the class means of these inputs, in standard deviations.
SEPARATION = 2.0
#: Distance between values of P(T) in a sweep.
SWEEP_STEP = 0.05
#: The last value of P(T) in a sweep.
SWEEP_END = 0.99


def shares_text(shares: Sequence[float]) -> str:
    """Class proportions as text, as in frames: ``"0.7/0.3"``."""
    return "/".join(f"{proportion:g}" for proportion in class_proportions(shares))


def persistence_landmarks(shares: Sequence[float]) -> tuple[float, float, float]:
    """Three values of P(T): the smallest possible, that of independent labels, and P(M).

    The smallest possible one is max(0, 2 P(M) - 1), as `transition_matrix` says. Above P(M),
    Persistent is better than Majority.
    """
    proportions = class_proportions(shares)
    majority, independent = float(proportions.max()), float((proportions**2).sum())
    if np.isclose(majority, independent, rtol=0.0, atol=1e-12):  # balanced, up to rounding
        majority = independent
    return max(0.0, 2.0 * majority - 1.0), independent, majority


def persistence_grid(shares: Sequence[float]) -> list[float]:
    """Values of P(T) for a sweep: landmarks, `SWEEP_END`, and multiples of `SWEEP_STEP`."""
    lowest, *marks = persistence_landmarks(shares)
    marks.append(SWEEP_END)
    multiples = [round(i * SWEEP_STEP, 10) for i in range(1, int(SWEEP_END / SWEEP_STEP) + 1)]
    # A chain needs more than the smallest possible P(T).
    others = [
        x for x in multiples if x > lowest + SWEEP_STEP / 4 and not np.isclose(x, marks).any()
    ]
    return sorted({*others, *marks})


def run_baselines(
    shares: Sequence[float], persistences: Sequence[float], seeds: int, n: int
) -> pd.DataFrame:
    """The accuracies of the baselines (Equations 5, 6, 7, 9), and the kappas of Naive Bayes.

    M is the most frequent class by the probabilities of the chain. The most frequent class of a
    sample has too large a proportion on average, which would hide the equality of Proposition 6.
    Streams of a seed use the same random numbers for all P(T).
    """
    learners = {"naive_bayes": NaiveBayes()}
    rows = []
    for persistence in persistences:
        for seed, stream in _streams(shares, persistence, seeds, n):
            predictions, _ = run_learners(stream, prequential(n), learners)
            quantities = _accuracies(predictions, "naive_bayes", _majority_class(shares))
            for name, (first, second) in DIFFERENCES.items():
                quantities[name] = quantities[first] - quantities[second]
            rows.append(
                {
                    "shares": shares_text(shares),
                    "persistence": persistence,
                    "seed": seed,
                    **quantities,
                }
            )
    return pd.DataFrame(rows)


def turning_points(runs: pd.DataFrame) -> pd.DataFrame:
    """The P(T) above which Persistent stays ahead of Majority, for each seed."""
    rows = []
    for (shares, seed), part in runs.groupby(["shares", "seed"], sort=False):
        ordered = part.sort_values("persistence")
        persistences = ordered["persistence"].to_numpy()
        leads = ordered[PERSISTENT_LEAD].to_numpy()
        not_ahead = np.flatnonzero(leads <= 0)
        if len(not_ahead) == 0 or not_ahead[-1] == len(leads) - 1:
            raise DataError(
                f"Turning point of {shares}, seed {seed}: expected values of P(T) on both sides of "
                f"P(M), found {persistences[0]:g} to {persistences[-1]:g}. Widen the sweep."
            )
        # Linear interpolation of the lead between the last P(T) without a lead and the next one.
        last = not_ahead[-1]
        lead_before, lead_after = leads[last], leads[last + 1]
        step = persistences[last + 1] - persistences[last]
        turning = persistences[last] + step * lead_before / (lead_before - lead_after)
        rows.append((shares, seed, float(turning)))
    return pd.DataFrame(rows, columns=["shares", "seed", "turning_point"])


def run_orders(shares: Sequence[float], persistence: float, seeds: int, n: int) -> pd.DataFrame:
    """Accuracies in the original order minus accuracies on the same instances shuffled.

    By Proposition 5 all differences are 0. But Equation 9 contains the distribution of the
    reference classifier's predictions, which may depend on the order of the training labels.
    """
    references: dict[str, Classifier] = {
        "naive_bayes": NaiveBayes(),
        "memory": MovingMajority(SHORT_MEMORY),
    }
    majority = _majority_class(shares)
    rows = []
    for seed, stream in _streams(shares, persistence, seeds, n):
        by_order = []
        for ordered in (stream, shuffled(stream, seed)):
            predictions, _ = run_learners(ordered, prequential(n), references)
            naive_bayes = _accuracies(predictions, "naive_bayes", majority)
            memory = _accuracies(predictions, "memory", majority)
            by_order.append(
                {
                    **{name: naive_bayes[name] for name in ("p_uniform", "p_majority", "p_random")},
                    "p_random_memory": memory["p_random"],
                }
            )
        original, random_order = by_order
        rows.append(
            {
                "shares": shares_text(shares),
                "persistence": persistence,
                "seed": seed,
                **{name: original[name] - random_order[name] for name in original},
            }
        )
    return pd.DataFrame(rows)


def proved_accuracy(transition: Floats, window: int) -> float:
    """The accuracy of the majority of n labels according to the proof of Proposition 9.

    It is g P(T) + (1 - g) Σ P(i)² with g = (λ₂ⁿ - 1) / (n (λ₂ - 1)), Appendix A. All eigenvalues
    other than 1 must equal λ₂. For n > 1 it is not the accuracy of a Majority learner but the mean
    probability that a label recurs among the next n labels: its limit is Σ P(i)², not P(M).
    """
    # The trace is the sum of the eigenvalues: 1 and k - 1 times λ₂.
    second = float(np.trace(transition) - 1.0) / (len(transition) - 1)
    fading = (second**window - 1.0) / (window * (second - 1.0))
    independent = float((stationary_distribution(transition) ** 2).sum())
    return float(fading * proportion_of_repeats(transition) + (1.0 - fading) * independent)


def run_memory(shares: Sequence[float], persistence: float, seeds: int, n: int) -> pd.DataFrame:
    """Run Majority learners with a limited memory and return their accuracies.

    The first ``max(WINDOWS)`` labels are only learnt, so that all windows are full. Among equally
    frequent classes the first is predicted, which favours it for even n.
    """
    learners = {f"last {window}": MovingMajority(window) for window in WINDOWS}
    tape = prequential(n + max(WINDOWS), pretrain=max(WINDOWS))
    majority = _majority_class(shares)
    transition = transition_matrix(shares, persistence)
    proved = {window: proved_accuracy(transition, window) for window in WINDOWS}
    rows = []
    for seed, stream in _streams(shares, persistence, seeds, n + max(WINDOWS)):
        predictions, _ = run_learners(stream, tape, learners)
        for window in WINDOWS:
            quantities = _accuracies(predictions, f"last {window}", majority)
            rows.append(
                {
                    "shares": shares_text(shares),
                    "persistence": persistence,
                    "window": window,
                    "seed": seed,
                    "p_majority_n": quantities["accuracy"],
                    "p_persistent": quantities["p_persistent"],
                    "p_majority": quantities["p_majority"],
                    MEMORY_LEAD: quantities["p_persistent"] - quantities["accuracy"],
                    MEMORY_GAIN: quantities["accuracy"] - quantities["p_majority"],
                    "p_proved": proved[window],
                }
            )
    return pd.DataFrame(rows)


def _streams(
    shares: Sequence[float], persistence: float, seeds: int, n: int
) -> Iterator[tuple[int, Stream]]:
    """Yield each seed and its stream of `n` instances without drift."""
    for seed in range(1, seeds + 1):
        yield seed, Markov(shares, persistence, ATTRIBUTES, seed, SEPARATION, drift=0.0).stream(n)


def _majority_class(shares: Sequence[float]) -> int:
    proportions: Floats = class_proportions(shares)
    return int(proportions.argmax())


def _accuracies(predictions: PredictionTable, reference: str, majority: int) -> dict[str, float]:
    """`QUANTITIES` for the predictions of a reference classifier."""
    counts = tally_of(predictions, reference)
    return {
        "p_uniform": 1.0 / counts.n_classes,
        "p_majority": float(counts.true_counts[majority] / counts.n),
        "p_persistent": float(counts.no_change_correct / counts.n),
        "p_random": float(MEASURES["chance_accuracy"].value(counts)),
        **{name: float(MEASURES[name].value(counts)) for name in STREAM_MEASURES},
    }
