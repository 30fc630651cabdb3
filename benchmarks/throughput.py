"""Instances per second of MOA, River and streameval on the same streams, in the same run.

Needs the extra ``benchmark`` (``pip install -e .[benchmark]``) and Java; MOA's jar is that of
an installed capymoa, or the one that the environment variable MOA_JAR names.

    python benchmarks/throughput.py                      # all streams that can be had
    python benchmarks/throughput.py --streams rbf --repetitions 9

Every figure is CPU time of one core. MOA's is what its own task reports, less that of its
No-Change learner on the same stream, so that reading does not count. River gets ready-made
dicts. The tools take turns, and the least of each tool's times counts: whatever else runs on
the machine can only add to them, and to MOA's more than to others', whose compiler then comes
too late.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from streameval import settings
from streameval.errors import StreamevalError
from streameval.files import write_text
from streameval.jobs import write_csv
from streameval.learners.adapters import moa
from streameval.learners.registry import load_learners
from streameval.plan import RAW
from streameval.protocols.prequential import prequential
from streameval.streams.fetch import fetch, mirror_folder
from streameval.streams.generators.random_rbf import random_rbf
from streameval.streams.registry import convert, load_registry
from streameval.streams.stream import Stream

HERE = Path(__file__).parent
#: The same learners by their names in MOA.
MOA = {
    "no_change": "functions.NoChange",
    "naive_bayes": "bayes.NaiveBayes",
    "ddm_nb": "drift.DriftDetectionMethodClassifier",
    "hoeffding_tree": "trees.HoeffdingTree",
    "knn": "lazy.kNN",
    "online_bagging": "meta.OzaBag",
    "leveraging_bagging": "meta.LeveragingBag",
    "hoeffding_adaptive_tree": "trees.HoeffdingAdaptiveTree",
}
#: Streams that MOA can draw itself, the very same ones, in less time than it takes to read.
GENERATORS = {"random_rbf": "generators.RandomRBFGenerator"}
#: River is given this many instances: it would take hours for all.
RIVER_INSTANCES = 20_000


def main() -> None:
    """Measure, and write ``throughput.csv`` and ``throughput.md`` beside this script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", nargs="+", default=["rbf", "kdd99"])
    parser.add_argument("--learners", nargs="+", default=["naive_bayes", "hoeffding_tree"])
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    rows = []
    for stream in _streams(options.streams):
        with tempfile.TemporaryDirectory() as folder:
            source = GENERATORS.get(stream.name, "")
            if not source:
                moa.write_for_moa(stream, Path(folder, "stream.arff"))
                source = "ArffFileStream -f stream.arff"
            rows += compare(stream, options.learners, source, Path(folder), options.repetitions)
    table = pd.DataFrame(rows)
    write_csv(table, HERE / "throughput.csv")
    write_text(HERE / "throughput.md", _markdown(table))
    print(_markdown(table))


def _streams(names: list[str]) -> Iterator[Stream]:
    registry = load_registry()
    for name in names:
        if name == "rbf":
            yield random_rbf(1_000_000)
            continue
        try:
            yield convert(registry[name], fetch(registry[name], RAW, mirror_folder()))
        except StreamevalError as error:
            print(f"Left out: {error}", file=sys.stderr)


def compare(
    stream: Stream, learners: Sequence[str], source: str, folder: Path, repetitions: int
) -> list[dict[str, object]]:
    """Return the rows of one stream: each learner of all three tools."""
    theirs, river, ours = defaultdict(list), defaultdict(list), defaultdict(list)
    reading = []
    correct_moa, correct_ours, size = {}, {}, {}
    for _ in range(repetitions):
        reading.append(run_moa("no_change", source, len(stream), folder)[0])
        for learner in learners:
            seconds, correct_moa[learner] = run_moa(learner, source, len(stream), folder)
            theirs[learner].append(seconds)
            river[learner].append(run_river(learner, stream))
            seconds, correct_ours[learner], size[learner] = run_ours(learner, stream)
            ours[learner].append(seconds)
    rows = []
    for learner in learners:
        rates = (
            len(stream) / (min(theirs[learner]) - min(reading)),
            min(RIVER_INSTANCES, len(stream)) / min(river[learner]),
            len(stream) / min(ours[learner]),
        )
        rows.append(
            {
                "learner": learner,
                "stream": stream.name,
                "instances": len(stream),
                "moa_per_second": round(rates[0]),
                "river_per_second": round(rates[1]),
                "ours_per_second": round(rates[2]),
                "times_moa": round(rates[2] / rates[0], 1),
                "times_river": round(rates[2] / rates[1], 1),
                "correct_moa": correct_moa[learner],
                "correct_ours": correct_ours[learner],
                "equal_answers": correct_moa[learner] == correct_ours[learner],
                "model_bytes_ours": size[learner],
            }
        )
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def run_ours(learner: str, stream: Stream) -> tuple[float, int, int]:
    """Return CPU seconds, right answers and the size of the model."""
    spec = load_learners(settings.locate("config/learners.yaml"))[learner]
    predictions = spec.make().play(stream, prequential(len(stream)))
    correct = int(np.sum(predictions.label == stream.y))
    return predictions.seconds, correct, predictions.model_bytes


def run_moa(learner: str, source: str, n: int, folder: Path) -> tuple[float, int]:
    """Return the CPU seconds and the number of right answers of MOA's own evaluation."""
    task = (
        f"EvaluatePrequential -l {MOA[learner]} -s ({source}) -i {n} "
        f"-e BasicClassificationPerformanceEvaluator -f {n}"
    )
    row = moa.run_task(task, folder)
    correct = row["classifications correct (percent)"] / 100 * row["classified instances"]
    return row[moa.SECONDS], round(correct)


def run_river(learner: str, stream: Stream) -> float:
    """Return River's CPU seconds over the first instances of the stream."""
    from river import drift, ensemble, naive_bayes, neighbors, tree

    nominal = [a.name for a in stream.schema.attributes if a.is_nominal]

    def hoeffding_tree() -> tree.HoeffdingTreeClassifier:
        return tree.HoeffdingTreeClassifier(nominal_attributes=nominal or None)

    models = {
        "naive_bayes": naive_bayes.GaussianNB,
        "ddm_nb": lambda: drift.DriftRetrainingClassifier(
            naive_bayes.GaussianNB(), drift.binary.DDM()
        ),
        "hoeffding_tree": hoeffding_tree,
        "hoeffding_adaptive_tree": lambda: tree.HoeffdingAdaptiveTreeClassifier(
            nominal_attributes=nominal or None, seed=1
        ),
        "online_bagging": lambda: ensemble.BaggingClassifier(hoeffding_tree(), seed=1),
        "leveraging_bagging": lambda: ensemble.LeveragingBaggingClassifier(
            hoeffding_tree(), seed=1
        ),
        # Ours but for the scaling: River leaves that to another step.
        "knn": lambda: neighbors.KNNClassifier(
            n_neighbors=10, engine=neighbors.LazySearch(window_size=1000), weighted=False
        ),
    }
    model = models[learner]()
    names = [a.name for a in stream.schema.attributes]
    instances = [dict(zip(names, x, strict=True)) for x in stream.X[:RIVER_INSTANCES].tolist()]
    labels = stream.y[:RIVER_INSTANCES].tolist()
    begun = time.process_time()
    for x, y in zip(instances, labels, strict=True):
        model.predict_one(x)
        model.learn_one(x, y)
    return time.process_time() - begun


def _markdown(table: pd.DataFrame) -> str:
    head = (
        "| learner | stream | MOA, inst/s | River, inst/s | streameval, inst/s | × MOA | × River "
        "| equal answers |\n|---|---|---:|---:|---:|---:|---:|---|\n"
    )
    lines = [
        f"| {r.learner} | {r.stream} | {r.moa_per_second:,} | {r.river_per_second:,} "
        f"| {r.ours_per_second:,} | {r.times_moa} | {r.times_river} "
        f"| {'yes' if r.equal_answers else 'no'} |\n"
        for r in table.itertuples()
    ]
    machine = f"{platform.machine()}, Python {platform.python_version()}, one core, CPU time"
    return head + "".join(lines) + f"\nMeasured on: {machine}.\n"


if __name__ == "__main__":
    main()
