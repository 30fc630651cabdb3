"""Run learners over a stream by a protocol: those that an earlier run has not run as they are."""

from functools import partial
from pathlib import Path

from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import read_failed, write_predictions
from streameval.evaluation.run import run_learners
from streameval.learners.baselines import with_comparators
from streameval.learners.estimate import EstimateByLearner
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.failures import Failures
from streameval.pipeline.reuse import keys, still_valid
from streameval.pipeline.runs import job
from streameval.protocols.registry import parse
from streameval.streams.columnar import read_stream

with job(snakemake.log[0]) as log:
    stream, rows = read_stream(snakemake.input.stream), snakemake.params.learners
    about = (stream.digest, snakemake.wildcards.protocol, str(snakemake.params.smoothing))
    seed = int(snakemake.wildcards.get("seed", 1))
    if seed > 1:
        about = (*about, f"seed {seed}")
    wanted = keys(rows, Path(snakemake.params.script), snakemake.input.predictions, *about)
    kept = still_valid(snakemake.output.predictions, snakemake.output.costs, wanted)
    failures = Failures(lambda name, error: log.error("%s failed.", name, exc_info=error))
    for path, costs in zip(snakemake.input.alone, snakemake.input.alone_costs, strict=True):
        kept = kept.with_alone(still_valid(path, costs, wanted))
        failures.errors |= read_failed(path)
    learners = {}
    for name, row in rows.items():
        if name not in kept.learners and name not in failures.errors:
            make = partial(LearnerSpec(**row).make, snakemake.params.smoothing)
            learners |= failures.attempt(name, make)

    def announce(name, predictions):
        """Report that a learner has finished."""
        rate = len(stream) / max(predictions.seconds, 1e-9)
        log.info("%s: %.3f s, %.0f instances/s", name, predictions.seconds, rate)
        watch.end()

    protocol = parse(snakemake.wildcards.protocol)
    watch = EstimateByLearner(
        with_comparators(learners) if stream.n_classes else learners,
        lambda: sum(map(len, protocol.tapes(stream))),
        snakemake.wildcards.played,
    )

    def fail(name, error):
        """Record that a learner has failed."""
        failures.add(name, error)
        watch.end()

    about = {"announce": announce, "progress": watch, "fail": fail}
    new = run_learners(stream, protocol, learners, seed, **about)
    if kept.learners:
        log.info("Still valid: %s", ", ".join(kept.learners))
    table, costs = kept.and_new(*new, wanted, failures.errors)
    write_predictions(table, snakemake.output.predictions)
    write_csv(costs, snakemake.output.costs)
