# Bifet et al. (2013), Pitfalls in benchmarking data stream classification.


rule tabulate_class_characteristics:
    input:
        predictions=predictions(PLAN.streams_of("bifet2013", "table2")),
        sources=MEASURING + DRAWING,
    output:
        report(
            "results/tables/bifet2013/table2.csv",
            caption="../report/class_characteristics.rst",
            category=CATEGORIES["bifet2013"],
            labels={"table": "table2", "about": "streams"},
        ),
        multiext("results/tables/bifet2013/table2", ".md", ".tex"),
    log:
        "logs/tabulate_class_characteristics.log",
    conda:
        "../../environment.yml"
    params:
        titles=TITLES,
        simulated=SIMULATED,
    message:
        "Table 2 of bifet2013"
    script:
        "../scripts/tabulate_class_characteristics.py"


rule trace_class_distribution:
    input:
        stream="resources/streams/{stream}.parquet",
        sources=MEASURING,
    output:
        prior="results/data/{paper}/{item}/{stream}.prior.csv",
        autocorrelation="results/data/{paper}/{item}/{stream}.autocorrelation.csv",
    log:
        "logs/trace_class_distribution/{paper}.{item}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Class distribution of {wildcards.stream} over time"
    script:
        "../scripts/trace_class_distribution.py"


rule draw_class_distribution:
    input:
        prior="results/data/{paper}/{item}/{stream}.prior.csv",
        autocorrelation="results/data/{paper}/{item}/{stream}.autocorrelation.csv",
        sources=DRAWING,
    output:
        pdf="figures/{paper}/{item}/{stream}.pdf",
        svg=report(
            "figures/{paper}/{item}/{stream}.svg",
            caption="../report/class_distribution.rst",
            category=category_of,
            labels=labels_of,
        ),
    log:
        "logs/draw_class_distribution/{paper}.{item}.{stream}.log",
    wildcard_constraints:
        paper="bifet2013",
        item="fig1",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        title=title_of,
        simulated=is_simulated,
    message:
        "Drawing {wildcards.paper} {wildcards.item} for {wildcards.stream}"
    script:
        "../scripts/draw_class_distribution.py"


rule trace_measures:
    input:
        predictions="results/predictions/{stream}.parquet",
        sources=MEASURING,
    output:
        "results/data/{paper}/{item}/{stream}.curves.csv",
    log:
        "logs/trace_measures/{paper}.{item}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Measures over time on {wildcards.stream}, for {wildcards.item}"
    script:
        "../scripts/trace_measures.py"


rule draw_measures:
    input:
        curves="results/data/{paper}/{item}/{stream}.curves.csv",
        sources=DRAWING,
    output:
        pdf="figures/{paper}/{item}/{stream}.pdf",
        svg=report(
            "figures/{paper}/{item}/{stream}.svg",
            caption="../report/measures.rst",
            category=category_of,
            labels=labels_of,
        ),
    log:
        "logs/draw_measures/{paper}.{item}.{stream}.log",
    wildcard_constraints:
        paper="bifet2013",
        item="fig[2-8]",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        title=title_of,
        simulated=is_simulated,
        learners={name: PLAN.learners[name].title for name in config["learners"]},
    message:
        "Drawing {wildcards.paper} {wildcards.item} for {wildcards.stream}"
    script:
        "../scripts/draw_measures.py"
