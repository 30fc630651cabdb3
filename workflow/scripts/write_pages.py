"""Write the pages of a run: one for each study, and the first one."""

from pathlib import Path

from streameval.files import write_text
from streameval.pages.study import Report
from streameval.pipeline.paged import INDEX, rooted, took
from streameval.pipeline.runs import job, root_of
from streameval.pipeline.shown import times
from streameval.report.what_ran import how_long
from streameval.table_files import read_csv

with job(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    pages = {Path(path).stem: path for path in snakemake.output}
    card = read_csv(given.scorecard[0]) if given.scorecard else None
    folder = Path(snakemake.output[0]).parent
    root = root_of(snakemake.output[0], Path(params.planned[0]))
    studies, logs = rooted(params.studies, root), root / "logs"
    spent = took(studies, logs) if params.logs else {}
    report = Report(studies, card, spent, folder, params.code, params.not_run)
    for study in studies:
        write_text(pages[study["study"]], report.study_page(study))
    overview = Path(given.overview).read_text(encoding="utf-8")
    text = f"{overview}\n{how_long(times(logs, params.logs))}"
    write_text(pages[INDEX], report.index_page(text))
