"""Runs of a learner against itself on folds (Bifet et al. 2015, Section 4.1).

Kept are counts of correct predictions by fold, and mean differences in bins of time. All tests read
these, in `type_errors`, so that for another test no learner runs again.
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
from streameval.evaluation.folds import SAME, SEEDS, SWAPPED, Counts, seed_of_fold
from streameval.items.error_rates import PARTS
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
        stream = _drawn(stream_input, run)
        for scheme in settings.schemes:
            for name, frame in _one_run(stream, learners, settings, scheme, run).items():
                frames_of_part[name].append(frame.assign(scheme=scheme, run=run))
        stream_input.announce(f"run {run + 1} of {settings.runs}")
    return {
        name: pd.concat(frames, ignore_index=True)[[*PARTS[name]]]
        for name, frames in frames_of_part.items()
    }


def _drawn(stream_input: StreamInput[Any], run: int) -> Stream:
    """The instances of a run."""
    settings, spec = stream_input.settings, stream_input.spec
    if spec is None:
        stream = stream_input.labelled_stream
        return stream.take(slice(0, settings.instances[-1]))
    return drawn_stream(spec, settings.instances[-1], run)


def drawn_stream(spec: GeneratorSpec, n: int, run: int) -> Stream:
    """A generated stream of other length, drawn anew for a run; see `drawn_entry`."""
    return synthesise(drawn_entry(spec, n, run))


def drawn_entry(spec: GeneratorSpec, n: int, run: int) -> GeneratorSpec:
    """The entry of a generated stream of `n` instances, drawn anew, of the same concepts."""
    share = n / spec.rows if spec.rows else 1.0
    seed = int(generator("draws", spec.id, run).integers(SEEDS))
    parameters = _changed(spec.generator, spec.parameters, share, seed)
    return replace(spec, parameters=parameters, rows=n)


def _changed(name: str, parameters: Any, share: float, seed: int) -> dict[str, Any]:
    """Parameters with other draws, and drifts at a share of their times."""
    changed = dict(parameters) | {"seed": seed}
    if name == "concept_drift":
        changed["position"] = max(round(parameters["position"] * share), 1)
        changed["width"] = max(round(parameters["width"] * share), 1)
    for key, part in parameters.items():
        if isinstance(part, dict) and "generator" in part:
            inner = {k: value for k, value in part.items() if k != "generator"}
            # Concepts must not share their draws, as they would if all had one seed.
            own_seed = int(generator("draws", seed, key).integers(SEEDS))
            changed[key] = {
                "generator": part["generator"],
                **_changed(part["generator"], inner, share, own_seed),
            }
    return changed


def _one_run(
    stream: Stream, learners: Sequence[Classifier], settings: Any, scheme: str, run: int
) -> dict[str, pd.DataFrame]:
    """The frames of a run by a scheme, without columns for the two."""
    key = ("type errors", settings.seed, stream.name, scheme, run)
    about = alternatives(settings.noise, settings.drift_noise)
    n = len(stream)
    lengths = sorted({min(length, n) for length in settings.instances})
    comparison = compare_folds(
        stream,
        SCHEMES[scheme](n, settings.folds, allotment=RandomAllotment(key), tested="all"),
        (learners[0], learners[-1]),
        seeds_of_models(key, settings.fold_seeds == "own"),
        key=key,
        about=about,
        lengths=lengths,
        bins=settings.bins,
    )
    folds, bins = range(settings.folds), range(comparison.series.shape[-1])
    return {
        "counts": _long(comparison.counts._asdict(), about, instances=lengths, fold=folds),
        "series": _long({"difference": comparison.series}, about, bin=bins),
        "anytime": _long({"p_value": comparison.anytime}, about),
        "costs": pd.DataFrame({"seconds": [comparison.seconds.sum()]}),
    }


def _long(
    values: Mapping[str, NDArray[Any]], about: Sequence[Alternative], **levels: Iterable[int]
) -> pd.DataFrame:
    """A row for each place in arrays of shape (readings, alternatives, *levels)."""
    places = {
        "reading": READINGS,
        "alternative": [alternative.name for alternative in about],
        **levels,
    }
    index = pd.MultiIndex.from_product(list(places.values()), names=list(places))
    columns = {name: array.ravel() for name, array in values.items()}
    return index.to_frame(index=False).assign(**columns)


#: Which predictions of a fold's model count: for instances that it does not learn, or for those
#: that it learns, made before. The paper's names for the second are the prequential versions.
READINGS = ("held_out", "learnt")
#: How often the e-process is looked at.
LOOKS = 100

Truths = Flags


@dataclass(frozen=True)
class Alternative:
    """A change of the second learner's predictions: some are replaced, with probability `level`.

    With `in_drift`, only those that follow a quarter of the stream, within a tenth of that quarter.
    """

    name: str
    level: float = 0.0
    in_drift: bool = False


def alternatives(noise: Sequence[float], drift_noise: Sequence[float] = ()) -> list[Alternative]:
    """The null hypothesis, the null hypothesis by swapping, and the alternatives with noise."""
    return [
        Alternative(SAME),
        Alternative(SWAPPED),
        *(Alternative(f"noise {level:g}", level) for level in noise),
        *(Alternative(f"drift {level:g}", level, True) for level in drift_noise),
    ]


def drift_parts(n: int) -> Truths:
    """The instances that follow the end of the first, second or third quarter."""
    quarter = max(n // 4, 1)
    at = np.arange(n)
    return (at >= quarter) & (at % quarter < max(quarter // 10, 1)) & (at < 4 * quarter)


class TestedRun(NamedTuple):
    """Kept results of a run.

    `counts` is of shape (2 readings, alternatives, lengths, folds). `series`, (2, alternatives,
    bins), is the mean difference between the proportions of models that are right, 0 in an empty
    bin; `anytime` are p-values of the e-process of single instances, (2, alternatives); `seconds`
    of CPU.
    """

    counts: Counts
    series: NDArray[np.float32]
    anytime: Floats
    seconds: Floats


def compare_folds(
    stream: Stream,
    folds: Folds,
    learners: Sequence[Classifier],
    seeds: Callable[[int, int], int],
    *,
    key: tuple[str | int, ...],
    about: Sequence[Alternative] = (Alternative(SAME),),
    lengths: Sequence[int] = (),
    bins: int = 100,
) -> TestedRun:
    """Run two learners, maybe one twice, over the same folds and count.

    `folds` test every instance; which ones count is decided afterwards. As in the paper, those of
    untrained models do, which `streameval.compare` leaves out. `seeds` returns the seed of a model,
    given 0 or 1 for the learner, and the fold; `key` names the draws of coins and noise; counts are
    taken after `lengths` instances, by default at the end.
    """
    n = len(stream)
    ends = np.asarray(lengths or [n])
    swaps = generator(*key, "coins").random(n) < 0.5
    in_drift = drift_parts(n)
    shape = (len(READINGS), len(about))
    counts = np.zeros((4, *shape, len(ends), len(folds)), np.int64)
    models, balance = np.zeros((*shape, n), np.int16), np.zeros((*shape, n), np.int16)
    seconds = np.zeros(2)
    for fold in range(len(folds)):
        played = [
            learner.run(stream, folds[fold], seeds(which, fold))
            for which, learner in enumerate(learners)
        ]
        seconds += [predictions.seconds for predictions in played]
        first, second = (predictions.label for predictions in played)
        right = first == stream.y
        draws = Noise(second, stream.n_classes, generator(*key, "noise", fold))
        learns = folds.weight[fold] > 0
        for a, alternative in enumerate(about):
            labels = draws.at(alternative.level, in_drift if alternative.in_drift else None)
            other = (second if alternative.level == 0 else labels) == stream.y
            ours, theirs = right, other
            if alternative.name == SWAPPED:
                ours, theirs = np.where(swaps, other, right), np.where(swaps, right, other)
            for r, tests in enumerate((~learns, learns)):
                mark = _Marks(tests, ours, theirs)
                counts[:, r, a, :, fold] = mark.counted(ends)
                models[r, a] += mark.tests
                balance[r, a] += mark.balance()
    difference = np.divide(balance, models, out=np.zeros(models.shape), where=models > 0)
    series = _binned(difference, models > 0, min(bins, n))
    return TestedRun(Counts(*counts), series, _anytime(difference, models > 0), seconds)


class _Marks(NamedTuple):
    """Correctness of both learners on each instance, and whether it counts; each of shape (n,)."""

    tests: Truths
    first: Truths
    second: Truths

    def counted(self, ends: Integers) -> Integers:
        """The `Counts` of the instances before each end, shape (4, ends)."""
        tests, first, second = self
        starts = np.concatenate(([0], ends[:-1]))
        what = (tests, tests & first, tests & first & ~second, tests & ~first & second)
        parts = [slice(a, b) for a, b in zip(starts, ends, strict=True)]
        sums = [[np.count_nonzero(flags[part]) for part in parts] for flags in what]
        sums_so_far: Integers = np.cumsum(sums, axis=1)
        return sums_so_far

    def balance(self) -> NDArray[np.int8]:
        """1 where only the first is right, -1 where only the second is."""
        return (self.first.view(np.int8) - self.second.view(np.int8)) * self.tests


def _anytime(difference: Floats, tests: Truths) -> Floats:
    shape = difference.shape[:-1]
    p_values = np.ones(shape)
    for place in np.ndindex(shape):
        if tests[place].any():
            values = e_process(difference[place][tests[place]], looks=LOOKS).either
            p_values[place] = np.exp(-max(values.max(), 0.0))
    return p_values


def _binned(difference: Floats, tests: Truths, bins: int) -> NDArray[np.float32]:
    starts = np.arange(bins) * tests.shape[-1] // bins
    tested = np.add.reduceat(tests, starts, axis=-1, dtype=np.int64)
    sums = np.add.reduceat(difference, starts, axis=-1, dtype=np.float64)
    return (sums / np.maximum(tested, 1)).astype(np.float32)


def seeds_of_models(key: tuple[str | int, ...], by_fold: bool) -> Callable[[int, int], int]:
    """The seeds of the models of two learners.

    With `by_fold` each fold has its own seed; otherwise the folds of a learner share one.
    """

    def seed(learner: int, fold: int) -> int:
        name = (*key, "learner", learner)
        return seed_of_fold(name, fold) if by_fold else int(generator(*name).integers(SEEDS))

    return seed
