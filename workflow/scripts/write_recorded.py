"""Compare published numbers and claims with the results of recorded runs."""

from streameval import papers
from streameval.base.files import write_text
from streameval.base.table_files import write_csv
from streameval.evaluation.records import read_record
from streameval.pipeline.runs import job
from streameval.report.recorded_scorecard import (
    agreement_sentences,
    recomputable_sentences,
    record_descriptions,
    recorded_scorecard,
)
from streameval.report.scorecard import recorded_page

with job(snakemake.log[0]):
    records = [read_record(folder) for folder in snakemake.params.folders]
    recorded_papers = papers.select_papers([record.study for record in records])
    card = recorded_scorecard(recorded_papers, snakemake.params.published, records)
    write_csv(card, snakemake.output.csv)
    sentences = [
        *record_descriptions(records),
        *agreement_sentences(recorded_papers, snakemake.params.published, records),
    ]
    sentences += recomputable_sentences(records)
    write_text(snakemake.output.page, recorded_page(card, recorded_papers, sentences))
