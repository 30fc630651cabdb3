# What rules look up in the plan by wildcard.


def raw_file(wildcards):
    """The raw file that a stream is read from."""
    return PLAN.raw_file(wildcards.stream)


def spec_of(wildcards):
    """A stream's entry in the registry."""
    return PLAN.spec_of(wildcards.stream)


def spec_of_file(wildcards):
    """The entry of the first stream that is read from a raw file."""
    return PLAN.spec_of(PLAN.stream_of_file(wildcards.file))


def item_of(wildcards):
    """The settings of a figure."""
    return PLAN.item(wildcards.figure)


def smoothing_of(wildcards):
    """The weight of a stream's newest instance in moving averages."""
    stem = wildcards.get("played", wildcards.get("stream"))
    return PLAN.spec_of(split_name(name_of_stem(stem))[0])["smoothing"]


def learners_of(wildcards):
    """The learners that are played over a stream or a variant of it."""
    return PLAN.learners_of(name_of_stem(wildcards.played))


def learners_of_item(wildcards):
    """The learners that a figure's study plays itself."""
    return {
        name: PLAN.learners[name].recipe() for name in item_of(wildcards)["learners"]
    }


def learners_shown(wildcards):
    """The learners that a figure shows, the wrapped ones and the baselines too."""
    return PLAN.learners_shown(wildcards.figure)


def streams_shown(wildcards):
    """The streams that a figure is drawn for: its title, and whether it is simulated."""
    return {
        stream: {"title": TITLES[stream], "simulated": stream in SIMULATED}
        for stream in PLAN.streams_of(wildcards.figure)
    }


def predictions_of_variants(wildcards):
    """The files with the learners' predictions on the variants that a figure shows."""
    kinds = item_of(wildcards).get("variants", ["original"])
    names = [f"{wildcards.stream}:{kind}".removesuffix(":original") for kind in kinds]
    return predictions(map(file_stem, names))


def prediction_files(wildcards):
    """The files from which learners take their predictions on a stream."""
    return PLAN.prediction_files(name_of_stem(wildcards.played))


def data_of_figure(wildcards):
    """The files that a figure is drawn from, for all its streams."""
    name, streams = wildcards.figure, PLAN.streams_of(wildcards.figure)
    redraw_if_torn(f"figures/{name}", streams)
    return [path for stream in streams for path in data_of(name, stream)]


def data_of_propositions(wildcards=None):
    """The files that the figures of the propositions are drawn from, by what they show."""
    if wildcards is not None:
        redraw_if_torn("figures/zliobaite2015/propositions", ["baselines", "memory"])
    parts = ("sweep", "memory", "errors")
    return {
        part: f"results/data/zliobaite2015/propositions/{part}.csv" for part in parts
    }


def costs_of_figure(wildcards):
    """The times that a figure shows, if it does."""
    name = wildcards.figure
    shown = PLAN.streams_of(name) if name in TIMED else []
    return [f"results/timings/{name}/{stream}.csv" for stream in shown]


def category_of(wildcards):
    """Where readers of the report find a paper's items."""
    return CHAPTERS[wildcards.get("paper") or wildcards.figure.split("/")[0]]


def labels_of(wildcards):
    """What readers of the report see of a figure, for a stream."""
    name, stream = wildcards.figure, wildcards.stream
    return figure_label(
        FIGURES[name], name, stream, item_of(wildcards), stream in SIMULATED
    )


def label_of_literature(wildcards):
    """What readers of the report see of a table of the literature's accuracies."""
    return table_label(wildcards.item, "accuracies reported for electricity")


def label_of_propositions(wildcards):
    """What readers of the report see of a figure of the propositions."""
    subject = {
        "baselines": "baselines and kappas by persistence",
        "memory": "shorter memory, and dependent errors",
    }
    return table_label("propositions 5 to 9", f"{subject[wildcards.shown]}, simulated")


def captions_of(wildcards):
    """What stands below a figure, by stream."""
    name = wildcards.figure
    return {
        stream: figure_caption(
            FIGURES[name],
            name,
            stream,
            item_of(wildcards),
            stream in SIMULATED,
            PAPER_TITLES,
        )
        for stream in PLAN.streams_of(name)
    }


def code_of(wildcards):
    """The code of learners from elsewhere that run over a stream or variant."""
    return from_here(map(Path, PLAN.own_code(learners_of(wildcards))))


def code_of_item(wildcards):
    """The code of learners from elsewhere that a figure's study runs."""
    return from_here(map(Path, PLAN.own_code(learners_of_item(wildcards))))
