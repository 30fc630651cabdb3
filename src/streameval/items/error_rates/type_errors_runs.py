"""Runs of two learners, or one learner twice, on folds (Bifet et al. 2015, Section 4.1).

The results are counts of correct predictions by fold, and mean differences in bins of time. The
tests in `type_errors` read only these, so that a further test needs no new runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.seeds import generator
from streameval.evaluation.error_simulation import Noise
from streameval.evaluation.folds import (
    RANDOM_SEED_LIMIT,
    SAME_LEARNER,
    SWAPPED_PREDICTIONS,
    Counts,
    seed_of_fold,
)
from streameval.items.error_rates import COUNT_COLUMNS, PARTS
from streameval.items.inputs import StreamInput
from streameval.learners.learner import Classifier
from streameval.protocols.folds import SCHEMES, Folds, RandomAllotment
from streameval.significance.e_process import e_process
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec
from streameval.streams.stream import Stream


def part(stream_input: StreamInput[Any], number: int) -> dict[str, pd.DataFrame]:
    """The frames of a part of the runs: ``counts``, ``series``, ``anytime``, ``costs``."""
    settings = stream_input.settings
    learners = list(stream_input.learners().values())
    frames_of_part: dict[str, list[pd.DataFrame]] = {name: [] for name in PARTS}
    for run in settings.runs_of(number):
        stream = _stream_of_run(stream_input, run)
        for scheme in settings.schemes:
            for name, frame in _one_run(stream, learners, settings, scheme, run).items():
                frames_of_part[name].append(frame.assign(scheme=scheme, run=run))
        stream_input.announce(f"run {run + 1} of {settings.runs}")
    return {
        name: pd.concat(frames, ignore_index=True)[[*PARTS[name]]]
        for name, frames in frames_of_part.items()
    }


def _stream_of_run(stream_input: StreamInput[Any], run: int) -> Stream:
    """The instances of a run; only generated streams differ between runs."""
    settings, spec = stream_input.settings, stream_input.spec
    if spec is None:
        stream = stream_input.labelled_stream
        return stream.take(slice(0, settings.instances[-1]))
    return redrawn_stream(spec, settings.instances[-1], run)


def redrawn_stream(spec: GeneratorSpec, n: int, run: int) -> Stream:
    """A stream of `n` new instances from the same concepts; see `redrawn_entry`."""
    return synthesise(redrawn_entry(spec, n, run))


def redrawn_entry(spec: GeneratorSpec, n: int, run: int) -> GeneratorSpec:
    """The registry entry of a stream of `n` new instances from the same concepts.

    Drifts are at the same fractions of the stream, or at the same instances if the entry has no
    number of rows.
    """
    scale = n / spec.rows if spec.rows else 1.0
    seed = int(generator("draws", spec.id, run).integers(RANDOM_SEED_LIMIT))
    parameters = _redrawn_parameters(spec.generator, spec.parameters, scale, seed)
    return replace(spec, parameters=parameters, rows=n)


def _redrawn_parameters(name: str, parameters: Any, scale: float, seed: int) -> dict[str, Any]:
    """Parameters with other seeds, and with times of drifts multiplied by `scale`."""
    changed = dict(parameters) | {"seed": seed}
    if name == "concept_drift":  # the generator with parameters in instances
        changed["position"] = max(round(parameters["position"] * scale), 1)
        changed["width"] = max(round(parameters["width"] * scale), 1)
    for key, value in parameters.items():
        if isinstance(value, dict) and "generator" in value:
            concept_parameters = {k: v for k, v in value.items() if k != "generator"}
            # Each concept has a seed of its own, so that concepts do not share random numbers.
            concept_seed = int(generator("draws", seed, key).integers(RANDOM_SEED_LIMIT))
            changed[key] = {
                "generator": value["generator"],
                **_redrawn_parameters(value["generator"], concept_parameters, scale, concept_seed),
            }
    return changed


def _one_run(
    stream: Stream, learners: Sequence[Classifier], settings: Any, scheme: str, run: int
) -> dict[str, pd.DataFrame]:
    """The frames of a run by a scheme, without the columns ``run`` and ``scheme``."""
    key = ("type errors", settings.seed, stream.name, scheme, run)
    alternatives = make_alternatives(settings.noise, settings.drift_noise)
    n = len(stream)
    lengths = sorted({min(length, n) for length in settings.instances})
    comparison = compare_folds(
        stream,
        SCHEMES[scheme](n, settings.folds, allotment=RandomAllotment(key), tested="all"),
        (learners[0], learners[-1]),
        seeds_of_models(key, settings.fold_seeds == "own"),
        key=key,
        alternatives=alternatives,
        lengths=lengths,
        bins=settings.bins,
    )
    folds, bins = range(settings.folds), range(comparison.series.shape[-1])
    counts = dict(zip(COUNT_COLUMNS, comparison.counts, strict=True))
    return {
        "counts": _long_frame(counts, alternatives, instances=lengths, fold=folds),
        "series": _long_frame({"difference": comparison.series}, alternatives, bin=bins),
        "anytime": _long_frame({"p_value": comparison.anytime}, alternatives),
        "costs": pd.DataFrame({"seconds": [comparison.seconds.sum()]}),
    }


def _long_frame(
    values: Mapping[str, NDArray[Any]],
    alternatives: Sequence[Alternative],
    **dimensions: Iterable[int],
) -> pd.DataFrame:
    """A row for each element of arrays of shape (readings, alternatives, *dimensions)."""
    keys = {
        "reading": READINGS,
        "alternative": [alternative.name for alternative in alternatives],
        **dimensions,
    }
    index = pd.MultiIndex.from_product(list(keys.values()), names=list(keys))
    columns = {name: array.ravel() for name, array in values.items()}
    return index.to_frame(index=False).assign(**columns)


#: Readings of the paper, which differ in the predictions of a fold's model that count: those for
#: instances that it does not learn, or those for instances that it learns afterwards. The paper
#: calls the latter prequential versions.
READINGS = ("held_out", "learnt")
#: Number of looks: times at which the e-process is evaluated.
LOOKS = 100


@dataclass(frozen=True)
class Alternative:
    """A change of the second learner's predictions: each is replaced with probability `level`.

    With `in_drift` only predictions for the instances of `drift_parts` are replaced.
    """

    name: str
    level: float = 0.0
    in_drift: bool = False


def make_alternatives(
    noise: Sequence[float], drift_noise: Sequence[float] = ()
) -> list[Alternative]:
    """Alternatives with unchanged, swapped and noisy predictions of the second learner."""
    return [
        Alternative(SAME_LEARNER),
        Alternative(SWAPPED_PREDICTIONS),
        *(Alternative(f"noise {level:g}", level) for level in noise),
        *(Alternative(f"drift {level:g}", level, in_drift=True) for level in drift_noise),
    ]


def drift_parts(n: int) -> Flags:
    """Whether instances are in the first tenth of the second, third or fourth quarter of `n`."""
    quarter = max(n // 4, 1)
    i = np.arange(n)
    return (i >= quarter) & (i % quarter < max(quarter // 10, 1)) & (i < 4 * quarter)


class FoldComparison(NamedTuple):
    """Results of two learners on the same folds."""

    #: Shape (2 readings, alternatives, lengths, folds).
    counts: Counts
    #: Mean difference between the proportions of models that are right, by bin of time; 0 in an
    #: empty bin. Shape (2, alternatives, bins).
    series: NDArray[np.float32]
    #: P-values of the e-process over single instances, of shape (2, alternatives).
    anytime: Floats
    #: CPU seconds of each learner.
    seconds: Floats


def compare_folds(
    stream: Stream,
    folds: Folds,
    learners: Sequence[Classifier],
    seeds: Callable[[int, int], int],
    *,
    key: tuple[str | int, ...],
    alternatives: Sequence[Alternative] = (Alternative(SAME_LEARNER),),
    lengths: Sequence[int] = (),
    bins: int = 100,
) -> FoldComparison:
    """Run two learners, or one learner twice, over the same folds and count correct predictions.

    As in the paper, predictions of untrained models count; `streameval.compare` leaves them out.

    Parameters
    ----------
    stream : Stream
        The stream.
    folds : Folds
        Folds that test every instance; `READINGS` says which predictions count.
    learners : sequence of Classifier
        The two learners.
    seeds : callable
        Returns the seed of a model, given the number of the learner, 0 or 1, and of the fold.
    key : tuple
        Key of the random numbers for swapping and noise.
    alternatives : sequence of Alternative
        The changes of the second learner's predictions.
    lengths : sequence of int
        Numbers of instances after which counts are taken; by default only at the end.
    bins : int
        Largest number of bins of time for the differences.
    """
    n = len(stream)
    ends = np.asarray(lengths or [n])
    swaps = generator(*key, "coins").random(n) < 0.5
    in_drift = drift_parts(n)
    shape = (len(READINGS), len(alternatives))
    counts = np.zeros((len(Counts._fields), *shape, len(ends), len(folds)), np.int64)
    # By instance: the number of models whose predictions count, and the sum of their differences.
    n_models, difference_sums = np.zeros((2, *shape, n), np.int16)
    seconds = np.zeros(2)
    for fold in range(len(folds)):
        runs = [
            learner.run(stream, folds[fold], seeds(i, fold)) for i, learner in enumerate(learners)
        ]
        seconds += [predictions.seconds for predictions in runs]
        first_labels, second_labels = (predictions.label for predictions in runs)
        first_correct = first_labels == stream.y
        noise = Noise(second_labels, stream.n_classes, generator(*key, "noise", fold))
        is_learnt = folds.weight[fold] > 0
        for a, alternative in enumerate(alternatives):
            noisy = noise.noisy(alternative.level, in_drift if alternative.in_drift else None)
            second_correct = (second_labels if alternative.level == 0 else noisy) == stream.y
            first, second = first_correct, second_correct
            if alternative.name == SWAPPED_PREDICTIONS:
                first = np.where(swaps, second_correct, first_correct)
                second = np.where(swaps, first_correct, second_correct)
            for r, is_tested in enumerate((~is_learnt, is_learnt)):  # in the order of READINGS
                correctness = _Correctness(is_tested, first, second)
                counts[:, r, a, :, fold] = correctness.counts(ends)
                n_models[r, a] += is_tested
                difference_sums[r, a] += correctness.differences()
    has_models = n_models > 0
    difference = np.divide(
        difference_sums, n_models, out=np.zeros(n_models.shape), where=has_models
    )
    series = _bin_means(difference, has_models, min(bins, n))
    return FoldComparison(Counts(*counts), series, _anytime(difference, has_models), seconds)


class _Correctness(NamedTuple):
    """Which instances are tested, and which each learner predicts correctly; each of shape (n,)."""

    is_tested: Flags
    first: Flags
    second: Flags

    def counts(self, ends: Integers) -> Integers:
        """The `Counts` of the instances before each end, of shape (4, ends)."""
        is_tested, first, second = self
        starts = np.concatenate(([0], ends[:-1]))
        only_first, only_second = is_tested & first & ~second, is_tested & ~first & second
        fields = (is_tested, is_tested & first, only_first, only_second)
        parts = [slice(a, b) for a, b in zip(starts, ends, strict=True)]
        sums = [[np.count_nonzero(flags[part]) for part in parts] for flags in fields]
        sums_so_far: Integers = np.cumsum(sums, axis=1)
        return sums_so_far

    def differences(self) -> NDArray[np.int8]:
        """1 where only the first learner is right, -1 where only the second is, otherwise 0."""
        return (self.first.view(np.int8) - self.second.view(np.int8)) * self.is_tested


def _anytime(difference: Floats, is_tested: Flags) -> Floats:
    """P-values of e-processes; 1 without tested instances."""
    shape = difference.shape[:-1]
    p_values = np.ones(shape)
    for index in np.ndindex(shape):
        if is_tested[index].any():
            # The p-value is 1 / the largest e-value, whose logarithm is in `either`.
            logarithms = e_process(difference[index][is_tested[index]], looks=LOOKS).either
            p_values[index] = np.exp(-max(logarithms.max(), 0.0))
    return p_values


def _bin_means(difference: Floats, is_tested: Flags, bins: int) -> NDArray[np.float32]:
    """Mean differences of the tested instances in each bin of time; 0 in an empty bin."""
    starts = np.arange(bins) * is_tested.shape[-1] // bins
    n_tested = np.add.reduceat(is_tested, starts, axis=-1, dtype=np.int64)
    sums = np.add.reduceat(difference, starts, axis=-1, dtype=np.float64)
    return (sums / np.maximum(n_tested, 1)).astype(np.float32)


def seeds_of_models(key: tuple[str | int, ...], by_fold: bool) -> Callable[[int, int], int]:
    """The seeds of the models of two learners.

    With `by_fold` each fold has its own seed; otherwise the folds of a learner share a seed.
    """

    def seed(learner: int, fold: int) -> int:
        name = (*key, "learner", learner)
        return (
            seed_of_fold(name, fold)
            if by_fold
            else int(generator(*name).integers(RANDOM_SEED_LIMIT))
        )

    return seed
