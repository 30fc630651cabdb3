"""The subcommands that list registries, and ``warm-up``, which compiles what they list."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from streameval import settings
from streameval.learners.registry import load_learners
from streameval.streams.registry import StreamSpec, load_registry
from streameval.view.text import in_columns

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


_MOST_PROCESSES = 4

#: Parameters that have no default.
_PARAMETERS = {
    "concept_drift": {
        "before": {"generator": "sea"},
        "after": {"generator": "sea", "function": 2},
        "position": 5,
        "width": 2,
    },
    "markov": {"priors": [0.5, 0.5], "persistence": 0.6, "attributes": 2},
}


def add_to(commands: Subparsers) -> None:
    """Add the subcommands to the command's parser."""
    streams = commands.add_parser(
        "streams",
        examples=("streameval streams", "streameval streams | grep elec2"),
        description="List the streams of the registry, by the ids that other commands take. Their "
        "numbers of instances, inputs and classes are those of the whole stream.",
    )
    streams.set_defaults(run=_list_streams)
    learners = commands.add_parser(
        "learners",
        examples=("streameval learners", "streameval learners | grep forest"),
        description="List the learners of the registry, by the ids that --learner takes, with "
        "their targets and parameters.",
    )
    learners.set_defaults(run=_list_learners)
    detectors = commands.add_parser(
        "detectors",
        examples=("streameval detectors", "streameval detectors | grep hddm"),
        description="List the drift detectors, how they are written, what inputs they take, and "
        "their parameters in order. The last ones ignore their inputs: others must beat them.",
    )
    detectors.set_defaults(run=_list_detectors)
    warm_up = commands.add_parser(
        "warm-up",
        examples=(
            "streameval warm-up",
            "streameval warm-up hoeffding_tree knn",
        ),
        description="Compile learners into the disk cache for all later runs, and print the "
        "seconds that each took. A learner that is already compiled takes almost no time.",
    )
    warm_up.add_argument(
        "learners",
        metavar="L",
        nargs="*",
        help="ids from `streameval learners`; by default all learners and all other compiled code",
    )
    warm_up.set_defaults(run=_warm_up)


def _list_streams(options: argparse.Namespace) -> None:
    registry = load_registry(check_options=False)
    head = ("ID", "INSTANCES", "INPUTS", "CLASSES", "WHAT")
    rows = [head, *map(_stream_row, registry.values())]
    print("\n".join(in_columns(rows, right=(1, 2, 3))))


def _stream_row(spec: StreamSpec) -> tuple[str, ...]:
    numbers = [f"{n:,}" if n is not None else "?" for n in (spec.rows, spec.columns, spec.classes)]
    return (spec.id, *numbers, spec.title)


def _list_learners(options: argparse.Namespace) -> None:
    learners = load_learners(settings.locate("config/learners.yaml"))
    rows = [("ID", "WHAT", "PREDICTS", "PARAMETERS")]
    for spec in learners.values():
        parameters = ", ".join(f"{key}={value}" for key, value in spec.parameters.items())
        wrapper = f", in {spec.wrapper}" if spec.wrapper else ""
        predicts = "numbers" if spec.is_regressor else "classes" if spec.is_classifier else "either"
        rows.append((spec.id, spec.title, predicts, (parameters or "defaults") + wrapper))
    print("\n".join(in_columns(rows)))


def _list_detectors(options: argparse.Namespace) -> None:
    from streameval.detectors.registry import DETECTORS

    rows = [("NAME", "WHAT", "TAKES", "PARAMETERS")]
    for name, detector in DETECTORS.items():
        words = [
            one.name if one.is_required else f"{one.name}={str(one.default).lower()}"
            for one in detector.declared()
        ]
        rows.append((name, detector.title, detector.takes.text, ", ".join(words) or "none"))
    print("\n".join(in_columns(rows)))


def _warm_up(options: argparse.Namespace) -> None:
    from tqdm import tqdm  # here, and below: lists do without compiled code

    from streameval.api.learners import spec_of
    from streameval.pipeline.warm_up import learner_parts, warm_up

    chosen = {name: spec_of(name) for name in options.learners}
    everything = load_learners(settings.locate("config/learners.yaml"))
    parts = learner_parts(chosen or everything) | ({} if chosen else other_parts())
    # A few processes are worth it only for many learners: each compiles what these have in common.
    processes = min(os.cpu_count() or 1, _MOST_PROCESSES) if len(parts) > 2 else 1
    total = 0.0
    with tqdm(total=len(parts), unit=" parts", disable=None, leave=False) as bar:
        for name, seconds in warm_up(parts, processes):
            bar.update()
            tqdm.write(f"{name:<32}{seconds:>12.2f} s")
            total += seconds
    print(f"{'all':<32}{total:>12.2f} s")


def other_parts() -> dict[str, Callable[[], object]]:
    """Return functions that compile the wrappers, folds, measures, generators and detectors."""
    from streameval.detectors.registry import DETECTORS
    from streameval.pipeline.warm_up import INSTANCES
    from streameval.protocols.folds import InTurn, bootstrap_validation
    from streameval.streams.generators import GENERATORS

    parts: dict[str, Callable[[], object]] = {
        "wrapper temporal_correction": _correct,
        "folds": partial(bootstrap_validation, INSTANCES, allotment=InTurn()),
        "measures": _measure,
        "measures of scores": _measure_scores,
    }
    parts |= {f"generator {name}": partial(_generate, name) for name in GENERATORS}
    return parts | {f"detector {name}": partial(_detect, name) for name in DETECTORS}


def _generate(name: str) -> None:
    import numpy as np

    from streameval.pipeline.warm_up import INSTANCES
    from streameval.streams.generators import make_generator

    generator = make_generator(name, _PARAMETERS.get(name, {}))
    generator.stream(INSTANCES)
    generator.fresh(INSTANCES, np.arange(INSTANCES), seed=1)


def _detect(name: str) -> None:
    from streameval.detectors.registry import DETECTORS
    from streameval.pipeline.warm_up import INSTANCES

    detector = DETECTORS[name]
    detector(*(1 for one in detector.declared() if one.is_required)).run([0.0] * INSTANCES)


def _correct() -> None:
    from streameval.learners.baselines import NoChange
    from streameval.learners.wrappers.temporal_correction import TemporalCorrection
    from streameval.pipeline.warm_up import INSTANCES
    from streameval.protocols.prequential import prequential
    from streameval.streams.generators.sea import Sea

    TemporalCorrection(NoChange()).play(Sea().stream(INSTANCES), prequential(INSTANCES))


def _measure() -> None:
    import numpy as np

    from streameval.measures.counting import tally
    from streameval.measures.fading import algorithm_1
    from streameval.measures.moa import moa_evaluate
    from streameval.measures.windows import fading_tallies, window_tallies
    from streameval.pipeline.warm_up import INSTANCES
    from streameval.streams.generators.sea import Sea

    labels, at = Sea().stream(INSTANCES).y, np.array([INSTANCES])
    baselines = {"no_change": labels, "majority": labels}
    tally(labels, labels, 2, **baselines)
    window_tallies(labels, labels, 2, window=5, at=at, **baselines)
    fading_tallies(labels, labels, 2, fading=0.1, at=at, **baselines)
    algorithm_1(labels, labels, 2, smoothing=0.1, at=at)
    moa_evaluate(labels, labels, 2, at=at)


def _measure_scores() -> None:
    import numpy as np

    from streameval.measures.forecasts import checked_forecasts
    from streameval.measures.scores import faded_scores, overall_scores
    from streameval.pipeline.warm_up import INSTANCES

    scores = np.full((INSTANCES, 2), 0.5, dtype=np.float32)  # as learners give them
    forecasts = checked_forecasts(np.arange(INSTANCES) % 2, scores)
    overall_scores(forecasts)
    faded_scores(forecasts, ["brier"], fading=0.1, at=np.array([INSTANCES]))
