"""Run learners over a stream by a protocol: those that an earlier run has not run as they are."""

from pathlib import Path

from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import write_predictions
from streameval.evaluation.run import run_learners
from streameval.learners.baselines import with_comparators
from streameval.learners.estimate import EstimateByLearner
from streameval.learners.registry import make_learners
from streameval.pipeline.kept import keys, still_valid
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
    learners = make_learners(
        {name: row for name, row in rows.items() if name not in kept.learners},
        snakemake.params.smoothing,
    )

    def announce(name, predictions):
        """Report that a learner has finished."""
        rate = len(stream) / max(predictions.seconds, 1e-9)
        log.info("%s: %.3f s, %.0f instances/s", name, predictions.seconds, rate)
        watch.end()

    protocol = parse(snakemake.wildcards.protocol)
    watch = EstimateByLearner(
        with_comparators(learners),
        lambda: sum(map(len, protocol.tapes(stream))),
        snakemake.wildcards.played,
    )
    new = run_learners(stream, protocol, learners, seed, announce=announce, progress=watch)
    if kept.learners:
        log.info("Still valid: %s", ", ".join(kept.learners))
    table, costs = kept.and_new(*new, wanted)
    write_predictions(table, snakemake.output.predictions)
    write_csv(costs, snakemake.output.costs)
