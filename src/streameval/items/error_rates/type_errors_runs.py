"""Runs of a learner against itself on folds (Bifet et al. 2015, Section 4.1).

Apart from what is made of them in `type_errors`, so that for another test no learner runs again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.fold_runs import (
    READINGS,
    Alternative,
    Counts,
    Pair,
    Run,
    alternatives,
    compare_folds,
    seeds_of_models,
)
from streameval.evaluation.folds import SEEDS
from streameval.items.inputs import StreamInput
from streameval.learners.learner import Learner
from streameval.protocols.folds import SCHEMES, AtRandom
from streameval.seeds import generator
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec
from streameval.streams.stream import Stream

#: Columns that tell the cells of a study apart, and those that count.
CELL = ["scheme", "reading", "alternative", "instances"]
COUNTED = list(Counts._fields)


def part(given: StreamInput[Any], number: int) -> dict[str, pd.DataFrame]:
    """Return the frames of a part of the runs: ``counts``, ``series``, ``anytime``, ``costs``."""
    settings = given.settings
    learners = list(given.learners().values())
    about = alternatives(settings.noise, settings.drift_noise)
    counts, series, anytime, costs = [], [], [], []
    for run in settings.runs_of(number):
        stream = _drawn(given, run)
        for scheme in settings.schemes:
            found, lengths = _one_run(stream, learners, about, settings, scheme, run)
            cell = {"scheme": scheme, "run": run}
            numbers, bins = found.counts._asdict(), range(found.series.shape[-1])
            folds = range(settings.folds)
            long = _long(numbers, about, instances=lengths, fold=folds)
            counts.append(long.assign(**cell))
            series.append(_long({"difference": found.series}, about, bin=bins).assign(**cell))
            anytime.append(_long({"p_value": found.anytime}, about).assign(**cell))
            costs.append({**cell, "seconds": found.seconds.sum()})
        given.announce(f"run {run + 1} of {settings.runs}")
    return {
        "counts": pd.concat(counts, ignore_index=True)[[*CELL, "run", "fold", *COUNTED]],
        "series": pd.concat(series, ignore_index=True)[
            ["scheme", "reading", "alternative", "run", "bin", "difference"]
        ],
        "anytime": pd.concat(anytime, ignore_index=True)[
            ["scheme", "reading", "alternative", "run", "p_value"]
        ],
        "costs": pd.DataFrame(costs)[["scheme", "run", "seconds"]],
    }


def _drawn(given: StreamInput[Any], run: int) -> Stream:
    """Return the instances of a run."""
    settings, spec = given.settings, given.spec
    if spec is None:
        stream = given.labelled_stream
        return stream.take(slice(0, settings.instances[-1]))
    draw = run if settings.draws == "anew" else None
    return drawn_stream(spec, settings.instances[-1], draw, settings.scaled_drift)


def drawn_stream(spec: GeneratorSpec, n: int, run: int | None, scaled_drift: bool) -> Stream:
    """Return a generated stream of other length, drawn anew for a run.

    Parameters
    ----------
    spec : GeneratorSpec
        Its entry of the registry.
    n : int
        Number of instances.
    run : int, optional
        Which draw; the concepts are those of the entry. None for the instances of the entry.
    scaled_drift : bool
        Whether drifts come at the same shares of the stream.
    """
    share = n / spec.rows if scaled_drift and spec.rows else 1.0
    seed = None if run is None else int(generator("draws", spec.id, run).integers(SEEDS))
    parameters = _changed(spec.generator, spec.parameters, share, seed)
    return synthesise(replace(spec, parameters=parameters, rows=n))


def _changed(name: str, parameters: Any, share: float, seed: int | None) -> dict[str, Any]:
    """Return parameters with other draws, and drifts at a share of their times."""
    changed = dict(parameters) | ({} if seed is None else {"seed": seed})
    if name == "concept_drift":
        changed["position"] = max(round(parameters["position"] * share), 1)
        changed["width"] = max(round(parameters["width"] * share), 1)
    for key, part in parameters.items():
        if isinstance(part, dict) and "generator" in part:
            inner = {k: value for k, value in part.items() if k != "generator"}
            # Concepts must not share their draws, as they would if all had one seed.
            own = None if seed is None else int(generator("draws", seed, key).integers(SEEDS))
            changed[key] = {
                "generator": part["generator"],
                **_changed(part["generator"], inner, share, own),
            }
    return changed


def _one_run(
    stream: Stream,
    learners: Sequence[Learner],
    about: Sequence[Alternative],
    settings: Any,
    scheme: str,
    run: int,
) -> tuple[Run, list[int]]:
    key = ("type errors", settings.seed, stream.name, scheme, run)
    n = len(stream)
    lengths = sorted({min(length, n) for length in settings.instances})
    folds = SCHEMES[scheme](n, settings.folds, allotment=AtRandom(key), tested="all")
    pair = Pair(learners[0], learners[-1], seeds_of_models(key, settings.fold_seeds == "own"))
    found = compare_folds(
        stream,
        folds,
        pair,
        key=key,
        about=about,
        noise=settings.noise_filter,
        block=settings.block,
        lengths=lengths,
        bins=settings.bins,
    )
    return found, lengths


def _long(
    values: Mapping[str, NDArray[Any]], about: Sequence[Alternative], **levels: Iterable[int]
) -> pd.DataFrame:
    """Return a row for each place in arrays of shape (readings, alternatives, *levels)."""
    places = {"reading": READINGS, "alternative": [one.name for one in about], **levels}
    index = pd.MultiIndex.from_product(list(places.values()), names=list(places))
    columns = {name: array.ravel() for name, array in values.items()}
    return index.to_frame(index=False).assign(**columns)
