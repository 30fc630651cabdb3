# What a run leaves, as the plan has it.

# There if no learner has failed.
COMPLETE = f"{PLAN.summary}/complete.txt"


def tables(timed=True):
    """The tables of all items, or those that are the same in every run."""
    items = products.table_items(PLAN)
    return [
        products.table_file(item)
        for item in items
        if timed or not item.table_shows_times
    ]


def frames(timed=True):
    """The data of all figures, or what is the same in every run, by every version of pyarrow."""
    other = ("results/timings/", "results/parts/", "results/failures/")
    return [
        path
        for one in STUDIES
        for path in one.outputs
        if timed or not path.startswith(other)
    ]


def pictures(timed=True):
    """The folders of all figures, or of those that are the same in every run."""
    return [
        products.figure_folder(item)
        for one in DRAWINGS
        for item in one.items
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
    of_papers = {paper.id for paper in PAPERS}
    return [path for path in tables() if Path(path).parts[2] in of_papers]


def paper_figures():
    """The papers' items with figures, and others that their claims read."""
    of_papers = {paper.id for paper in PAPERS}
    read = {name for paper in PAPERS for name in paper.reads}
    return [
        item
        for item in PLAN.items.values()
        if (item.study in of_papers or item.id in read) and item.kind.is_figure
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
    """All that a run leaves under results/ and figures/: what is deleted is made anew."""
    return [
        *compared(),
        f"{PLAN.summary}/digests.json",
        *page_content.page_files(PLAN).values(),
        page_content.run_file(PLAN),
        *[COMPLETE]
        * (COMMAND not in os.environ),  # `streameval run` lists failures itself
        *[f"{PLAN.summary}/scorecard.html"] * bool(PAPERS),
        *[f"{PLAN.summary}/recorded.html"] * bool(RECORDS),
        *tables(),
        *[path for one in TABLES for path in one.outputs],
        *[path for names in study_jobs.predicted_files(PLAN) for path in names],
        *frames(),
        *pictures(),
    ]


def published():
    """The papers' numbers."""
    found = sorted(
        str(path)
        for paper in PAPERS
        for path in Path(own("resources/published"), paper.id).glob("*.csv")
    )
    return local(found)


def templates():
    """The files that pages are made from."""
    return of_package(sorted((_PACKAGE / "pages" / "templates").glob("*.*")))
