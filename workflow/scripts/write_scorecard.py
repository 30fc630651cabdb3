"""Compare every published number and claim with our result, and give a verdict."""

from pathlib import Path

from streameval import papers
from streameval.base.files import write_text
from streameval.base.table_files import write_csv
from streameval.pipeline.runs import job
from streameval.pipeline.study_errors import failed_studies
from streameval.report.results import Results
from streameval.report.scorecard import scorecard, scorecard_page

with job(snakemake.log[0]):
    result_files = {
        "measures": snakemake.input.measures,
        "differences": snakemake.input.differences,
    }
    for path in map(Path, snakemake.input.tables):
        result_files[f"{path.parent.name}/{path.stem}"] = path
    for path in map(Path, snakemake.input.traces):
        if path.stem.rsplit(".", 1)[0] not in snakemake.params.simulated:
            result_files[f"{path.parts[-3]}/{path.parts[-2]}/{path.stem}"] = path
    named_papers = papers.select_papers(snakemake.params.studies)
    results = Results(
        result_files, snakemake.params.left_out, failed_studies(snakemake.input.failures)
    )
    card = scorecard(named_papers, snakemake.params.published, results)
    write_csv(card, snakemake.output.csv)
    write_text(snakemake.output.page, scorecard_page(card, named_papers))
