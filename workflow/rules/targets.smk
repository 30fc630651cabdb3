# What a run reads and leaves, as the plan has it.


def converted(streams):
    """The converted files of streams."""
    return expand("resources/streams/{stream}.parquet", stream=streams)


def predictions(streams):
    """The files with the learners' predictions on streams."""
    return expand("results/predictions/{stream}.parquet", stream=streams)


def tables():
    """The tables of all items in the configuration."""
    return [
        f"results/tables/{paper}/{item}.csv"
        for paper, items in config["items"].items()
        for item in items
        if item.startswith("table")
    ]


def data_of(figure, stream):
    """The files that a figure is drawn from, for one stream."""
    return [
        f"results/data/{figure}/{stream}.{part}.csv" for part in DATA[FIGURES[figure]]
    ]


def redraw_if_torn(folder, pictures):
    """Have a folder drawn anew that lacks a picture: Snakemake looks no deeper than folders."""
    there = Path(folder)
    names = [f"{name}.{kind}" for name in pictures for kind in ("svg", "pdf")]
    if there.is_dir() and not all((there / name).is_file() for name in names):
        workflow.dag.forcefiles.add(folder)


def traces():
    """The data of all figures in the configuration."""
    return [path for name, stream in PLAN.figures() for path in data_of(name, stream)]


def pictures(timed=True):
    """The folders of all figures, or of those that are the same in every run."""
    names = dict.fromkeys(name for name, _ in PLAN.figures())
    shown = [f"figures/{name}" for name in names if timed or name not in TIMED]
    return shown + ["figures/zliobaite2015/propositions"] * bool(propositions())


def everything():
    """All that a run leaves under results/ and figures/: what is deleted is made anew."""
    names = requested_variants(PLAN.config)
    variants = [file_stem(name) for name in names if split_name(name)[0] in TITLES]
    played = [*PLAN.streams, *variants]
    shown = [*tables(), *propositions()[:1], "results/tables/overview/measures.csv"]
    shown = [path.removesuffix(".csv") for path in shown]
    return [
        "results/measures.csv",
        "results/differences.csv",
        multiext("results/scorecard", ".csv", ".html"),
        "results/overview.rst",
        "results/digests.json",
        expand("{table}.{kind}", table=shown, kind=["csv", "html", "md", "tex"]),
        predictions(played),
        expand("results/timings/{played}.csv", played=played),
        [
            f"results/timings/{name}/{stream}.csv"
            for name, stream in PLAN.figures()
            if FIGURES[name] == "lags"
        ],
        traces(),
        propositions(),
        pictures(),
    ]


def propositions():
    """The results of the propositions of zliobaite2015, with its Table 2."""
    if not PLAN.item("zliobaite2015/table2"):
        return []
    return [
        "results/tables/zliobaite2015/propositions.csv",
        *data_of_propositions().values(),
    ]


def published():
    """The papers' numbers."""
    return sorted(map(str, Path(own("resources/published")).glob("*/*.csv")))
