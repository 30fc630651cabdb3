"""Run learners over a stream by a protocol, unless their earlier predictions are still valid."""

from functools import partial
from pathlib import Path

from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import read_learner_errors, write_predictions
from streameval.evaluation.run import run_learners
from streameval.learners.baselines import with_classification_baselines
from streameval.learners.estimate import EstimateByLearner
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.failures import Failures
from streameval.pipeline.reuse import learner_keys, valid_predictions
from streameval.pipeline.runs import job
from streameval.protocols.registry import parse
from streameval.streams.columnar import read_stream

with job(snakemake.log[0]) as log:
    stream, rows = read_stream(snakemake.input.stream), snakemake.params.learners
    context = (stream.digest, snakemake.wildcards.protocol, str(snakemake.params.smoothing))
    seed = int(snakemake.wildcards.get("seed", 1))
    if seed > 1:
        context = (*context, f"seed {seed}")
    keys = learner_keys(rows, Path(snakemake.params.script), snakemake.input.predictions, *context)
    earlier = valid_predictions(snakemake.output.predictions, snakemake.output.costs, keys)
    failures = Failures(lambda name, error: log.error("%s failed.", name, exc_info=error))
    for path, costs in zip(snakemake.input.alone, snakemake.input.alone_costs, strict=True):
        earlier = earlier.with_slow_learners(valid_predictions(path, costs, keys))
        failures.errors |= read_learner_errors(path)
    learners = {}
    for name, row in rows.items():
        if name not in earlier.learners and name not in failures.errors:
            make = partial(LearnerSpec(**row).make, snakemake.params.smoothing)
            learners |= failures.make_or_record(name, make)

    def announce(name, predictions):
        """Report that a learner has finished."""
        rate = len(stream) / max(predictions.seconds, 1e-9)
        log.info("%s: %.3f s, %.0f instances/s", name, predictions.seconds, rate)
        estimate.end_learner()

    protocol = parse(snakemake.wildcards.protocol)
    estimate = EstimateByLearner(
        with_classification_baselines(learners) if stream.n_classes else learners,
        lambda: sum(map(len, protocol.tapes(stream))),
        snakemake.wildcards.played,
    )

    def fail(name, error):
        """Record that a learner has failed."""
        failures.add(name, error)
        estimate.end_learner()

    new = run_learners(
        stream, protocol, learners, seed, announce=announce, progress=estimate, fail=fail
    )
    if earlier.learners:
        log.info("Still valid: %s", ", ".join(earlier.learners))
    table, costs = earlier.with_new_results(*new, keys, failures.errors)
    write_predictions(table, snakemake.output.predictions)
    write_csv(costs, snakemake.output.costs)
