# What readers see: the figures of streams, the measures of all learners, the scorecard, the
# first page.


# A figure is drawn for all its streams at once: to start matplotlib takes longer than to draw.
rule draw_figure:
    input:
        data=data_of_figure,
        costs=costs_of_figure,
        sources=sources("draw_figure"),
    output:
        report(
            directory("figures/{figure}"),
            patterns=["{stream}.svg"],
            caption="../report/figure.rst",
            category=category_of,
            labels=labels_of,
        ),
    log:
        "logs/draw_figure/{figure}.log",
    conda:
        "../../environment.yml"
    params:
        kind=lambda wildcards: FIGURES[wildcards.figure],
        item=item_of,
        streams=streams_shown,
        learners=LEARNER_TITLES,
        captions=captions_of,
    message:
        "Drawing {wildcards.figure}"
    script:
        "../scripts/draw_figure.py"


rule tabulate_measures:
    input:
        measures="results/measures.csv",
        sources=sources("tabulate_measures"),
    output:
        multiext("results/tables/overview/measures", ".csv", ".md", ".tex"),
        page=report(
            "results/tables/overview/measures.html",
            caption="../report/overall_measures.rst",
            category=CHAPTERS["overview"],
            labels={"result": "Table of all learners: their measures on all streams"},
        ),
    log:
        "logs/tabulate_measures.log",
    conda:
        "../../environment.yml"
    params:
        titles=LEARNER_TITLES,
    message:
        "The measures of all learners on all streams"
    script:
        "../scripts/tabulate_measures.py"


rule write_scorecard:
    input:
        measures="results/measures.csv",
        differences="results/differences.csv",
        tables=tables(),
        traces=traces(),
        published=published(),
        sources=sources("write_scorecard"),
    output:
        csv="results/scorecard.csv",
        page=report(
            "results/scorecard.html",
            caption="../report/scorecard.rst",
            category=CHAPTERS["overview"],
            labels={"result": "Scorecard: published numbers and claims beside ours"},
        ),
    log:
        "logs/write_scorecard.log",
    conda:
        "../../environment.yml"
    params:
        left_out=dict(PLAN.left_out),
        simulated=SIMULATED,
        published=own("resources/published"),
        studies=list(PAPER_TITLES),
    message:
        "Comparing with the published numbers"
    script:
        "../scripts/write_scorecard.py"


rule write_overview:
    input:
        measures="results/measures.csv",
        scorecard="results/scorecard.csv",
        sources=sources("write_overview"),
    output:
        "results/overview.rst",
    log:
        "logs/write_overview.log",
    conda:
        "../../environment.yml"
    params:
        scale=config["scale"],
        streams={name: PLAN.spec_of(name) for name in PLAN.streams},
        learners={name: PLAN.learners[name].title for name in config["learners"]},
        left_out={name: [PLAN.title(name), why] for name, why in PLAN.left_out.items()},
    message:
        "Writing the first page"
    script:
        "../scripts/write_overview.py"


# Equal digests tell equal results: for any number of cores, and after a kill and a resume.
rule digest_results:
    input:
        results=[
            "results/measures.csv",
            "results/differences.csv",
            "results/scorecard.csv",
            "results/tables/overview/measures.csv",
            *tables(),
            *traces(),
            *pictures(timed=False),
            *propositions(),
        ],
        sources=sources("digest_results"),
    output:
        "results/digests.json",
    log:
        "logs/digest_results.log",
    conda:
        "../../environment.yml"
    message:
        "Digesting the results"
    script:
        "../scripts/digest_results.py"
