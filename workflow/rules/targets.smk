# The files that a run makes, from the plan.

# Made by the last job if no learner has failed.
COMPLETE = f"{PLAN.summary}/complete.txt"


def tables(timed=True):
    """The tables of all items; without `timed`, only tables that are the same in every run."""
    items = products.table_items(PLAN)
    return [
        products.table_file(item)
        for item in items
        if timed or not item.table_shows_times
    ]


def frames(timed=True):
    """The data of all figures; without `timed`, only files that are the same in every run.

    Parts of studies are left out then, too: their Parquet files depend on the version of pyarrow.
    """
    differing = ("results/timings/", "results/parts/", "results/failures/")
    return [
        path
        for job in STUDIES
        for path in job.outputs
        if timed or not path.startswith(differing)
    ]


def pictures(timed=True):
    """The folders of all figures; without `timed`, only figures that are the same in every run."""
    return [
        products.figure_folder(item)
        for job in DRAWINGS
        for item in job.items
        if timed or not item.shows_times
    ]


def compared():
    """The results that are the same in every run."""
    return [
        f"{PLAN.summary}/measures.csv",
        f"{PLAN.summary}/differences.csv",
        *[f"{PLAN.summary}/scorecard.csv"] * bool(PAPERS),
        *[f"{PLAN.summary}/recorded.csv"] * bool(RECORDS),
        *tables(timed=False),
        *frames(timed=False),
        *pictures(timed=False),
    ]


def record_files():
    """The files of all recorded runs that are shown."""
    return local(
        [
            str(path)
            for folder in RECORDS
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        ]
    )


def paper_tables():
    """The tables of the papers' items."""
    paper_ids = {paper.id for paper in PAPERS}
    return [path for path in tables() if Path(path).parts[2] in paper_ids]


def paper_figures():
    """The papers' items with figures, and the items of other studies that their claims read."""
    paper_ids = {paper.id for paper in PAPERS}
    items_read = {name for paper in PAPERS for name in paper.reads}
    return [
        item
        for item in PLAN.items.values()
        if (item.study in paper_ids or item.id in items_read) and item.kind.is_figure
    ]


def paper_failures():
    """The records of errors of the studies behind the papers' figures."""
    return [
        path
        for item in paper_figures()
        for path in study_jobs.error_records(PLAN, item).values()
    ]


def paper_traces():
    """The data of the papers' figures."""
    return [
        path
        for item in paper_figures()
        for stream in study_jobs.frame_streams(PLAN, item)
        for name, path in study_jobs.frame_files(item, stream).items()
        if name not in item.kind.times
    ]


def everything():
    """All files that a run makes below results/ and figures/; deleted files are made again."""
    return [
        *compared(),
        f"{PLAN.summary}/digests.json",
        *page_content.page_files(PLAN).values(),
        page_content.run_file(PLAN),
        # `streameval run`, which sets COMMAND, lists failures itself.
        *[COMPLETE] * (COMMAND not in os.environ),
        *[f"{PLAN.summary}/scorecard.html"] * bool(PAPERS),
        *[f"{PLAN.summary}/recorded.html"] * bool(RECORDS),
        *tables(),
        *[path for job in TABLES for path in job.outputs],
        *[path for pair in study_jobs.prediction_and_cost_files(PLAN) for path in pair],
        *frames(),
        *pictures(),
    ]


def published():
    """The files with the papers' published numbers."""
    paths = sorted(
        str(path)
        for paper in PAPERS
        for path in Path(own("resources/published"), paper.id).glob("*.csv")
    )
    return local(paths)


def templates():
    """The files that pages are made from."""
    return of_package(sorted((_PACKAGE / "pages" / "templates").glob("*.*")))
