"""Write the pages of a run: one for each study, and the first page, which links to them."""

from pathlib import Path

from streameval import papers
from streameval.base.file_digests import check_unchanged
from streameval.base.files import write_text
from streameval.base.table_files import read_csv_table
from streameval.evaluation.differences import read_gains_over_baselines
from streameval.evaluation.records import read_record
from streameval.pages.origin import read_run_file
from streameval.pages.study import RunPages
from streameval.pipeline.page_content import INDEX, job_times, with_root
from streameval.pipeline.products import times_by_part
from streameval.pipeline.runs import job, root_of
from streameval.report.left_out import LeftOutStream
from streameval.report.methods import Registries
from streameval.report.overview import StreamFindings, overview
from streameval.report.recorded_scorecard import agreement_sentences, record_descriptions
from streameval.report.what_ran import ItemRun, time_sections

with job(snakemake.log[0]):
    files, params = snakemake.input, snakemake.params
    pages = {Path(path).stem: path for path in snakemake.output}
    card = read_csv_table(files.scorecard[0]) if files.scorecard else None
    folder = Path(snakemake.output[0]).parent
    root = root_of(snakemake.output[0], Path(params.planned[0]))
    studies, logs = with_root(params.studies, root, params.learners, params.streams), root / "logs"
    pictures = [path for folder in files.pictures for path in Path(folder).glob("*.*")]
    for path in [*files.tables, *pictures]:
        check_unchanged(path)  # some, such as PDF files, are checked only here
    run = read_run_file(files.run)
    streams = {name: spec | run["streams"].get(name, {}) for name, spec in params.streams.items()}
    entries = Registries(streams, params.learners, params.user_streams)
    item_runs, baseline_findings = [ItemRun(**row) for row in params.ran], []
    run_pages = RunPages(
        studies, card, job_times(studies, logs), folder, run, entries, item_runs, params.not_run
    )
    for study in studies:
        write_text(pages[study["study"]], run_pages.study_page(study))
    for evidence, path in zip(params.evidence, files.evidence, strict=True):
        differences = read_gains_over_baselines(path)
        baseline_findings.append(
            StreamFindings(evidence["stream"], evidence["protocol"], differences)
        )
    records = [read_record(folder) for folder in params.records]
    recorded_papers = papers.select_papers([record.study for record in records])
    top, sections = overview(
        read_csv_table(files.measures),
        card,
        differences=read_csv_table(files.differences),
        item_runs=item_runs,
        baseline_findings=baseline_findings,
        recorded=read_csv_table(files.recorded[0]) if files.recorded else None,
        record_sentences=[
            *record_descriptions(records),
            *agreement_sentences(recorded_papers, params.published, records),
        ],
        scale=params.scale,
        user_streams=params.user_streams,
        streams=streams,
        learners=entries.learner_titles(),
        left_out=[LeftOutStream(**row) for row in params.left_out],
        papers=papers.all_papers().values(),
        **run_pages.addresses(),
    )
    write_text(
        pages[INDEX],
        run_pages.index_page(top, sections + time_sections(times_by_part(logs, params.logs))),
    )
