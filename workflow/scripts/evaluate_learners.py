"""Run learners over a stream by a protocol: those that an earlier run has not run as they are."""

from pathlib import Path

import pandas as pd

from streameval.csv_tables import write_csv
from streameval.learners.registry import make_learners
from streameval.pipeline.jobs import job
from streameval.pipeline.kept import KEY, keys, still_valid, together
from streameval.protocols.registry import parse
from streameval.streams.columnar import read_stream
from streameval.studies.prediction_files import write_predictions
from streameval.studies.running import run_learners

with job(snakemake.log[0]) as log:
    stream, rows = read_stream(snakemake.input.stream), snakemake.params.learners
    files = [*snakemake.input.code, *snakemake.input.predictions]
    about = (stream.digest, snakemake.wildcards.protocol, str(snakemake.params.smoothing))
    wanted = keys(rows, Path(snakemake.params.script), files, *about)
    old, spent = still_valid(snakemake.output.predictions, snakemake.output.costs, wanted)
    kept = {} if old is None else old.predicted
    learners = make_learners(
        {name: row for name, row in rows.items() if name not in kept}, snakemake.params.smoothing
    )

    def announce(name, predictions):
        """Report that a learner has finished."""
        rate = len(stream) / max(predictions.seconds, 1e-9)
        log.info("%s: %.3f s, %.0f instances/s", name, predictions.seconds, rate)

    protocol = parse(snakemake.wildcards.protocol)
    table, costs = run_learners(stream, protocol, learners, announce=announce)
    if kept:
        log.info("Still valid: %s", ", ".join(kept))
        table = together(old, table, rows)
    new = pd.DataFrame(costs)
    new[KEY] = new["learner"].map(wanted)
    all_costs = pd.concat([spent, new]) if kept else new
    all_costs = all_costs.drop_duplicates("learner").set_index("learner").loc[[*rows]]
    write_predictions(table, snakemake.output.predictions)
    write_csv(all_costs.reset_index()[[*new]], snakemake.output.costs)
