"""Put published numbers and claims beside what recorded runs found."""

from streameval import papers
from streameval.base.files import write_text
from streameval.base.table_files import write_csv
from streameval.evaluation.records import read_record
from streameval.pipeline.runs import job
from streameval.report.recorded_scorecard import (
    agreement_sentences,
    descriptions,
    recomputable,
    recorded_scorecard,
)
from streameval.report.scorecard import recorded_page

with job(snakemake.log[0]):
    records = [read_record(folder) for folder in snakemake.params.folders]
    recorded_papers = papers.among([record.study for record in records])
    card = recorded_scorecard(recorded_papers, snakemake.params.published, records)
    write_csv(card, snakemake.output.csv)
    said = [
        *descriptions(records),
        *agreement_sentences(recorded_papers, snakemake.params.published, records),
    ]
    said += recomputable(records)
    write_text(snakemake.output.page, recorded_page(card, recorded_papers, said))
