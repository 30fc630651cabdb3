# Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
# streaming data with temporal dependence.


rule tabulate_stream_characteristics:
    input:
        streams=converted(PLAN.streams_of("zliobaite2015", "table3")),
        sources=MEASURING + DRAWING,
    output:
        report(
            "results/tables/zliobaite2015/table3.csv",
            caption="../report/stream_characteristics.rst",
            category=CATEGORIES["zliobaite2015"],
            labels={"table": "table3", "about": "streams"},
        ),
        multiext("results/tables/zliobaite2015/table3", ".md", ".tex"),
    log:
        "logs/tabulate_stream_characteristics.log",
    conda:
        "../../environment.yml"
    params:
        titles=TITLES,
        simulated=SIMULATED,
    message:
        "Table 3 of zliobaite2015"
    script:
        "../scripts/tabulate_stream_characteristics.py"


# Table 1 of the first paper and Table 5 of the second are the same survey, a year apart.
rule tabulate_literature:
    input:
        predictions=predictions(ELECTRICITY),
        published="resources/published/elec2_literature.csv",
        sources=MEASURING + DRAWING,
    output:
        report(
            "results/tables/{paper}/{item}.csv",
            caption="../report/literature.rst",
            category=category_of,
            labels={"table": "{item}", "about": "electricity in the literature"},
        ),
        multiext("results/tables/{paper}/{item}", ".md", ".tex"),
    log:
        "logs/tabulate_literature/{paper}.{item}.log",
    wildcard_constraints:
        item="table[15]",
    conda:
        "../../environment.yml"
    message:
        "{wildcards.item} of {wildcards.paper}"
    script:
        "../scripts/tabulate_literature.py"


rule trace_dependence:
    input:
        stream="resources/streams/{stream}.parquet",
        sources=MEASURING,
    output:
        "results/data/{paper}/{item}/{stream}.dependence.csv",
    log:
        "logs/trace_dependence/{paper}.{item}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Dependence of the labels of {wildcards.stream} by order"
    script:
        "../scripts/trace_dependence.py"


rule draw_dependence:
    input:
        orders="results/data/{paper}/{item}/{stream}.dependence.csv",
        sources=DRAWING,
    output:
        pdf="figures/{paper}/{item}/{stream}.pdf",
        svg=report(
            "figures/{paper}/{item}/{stream}.svg",
            caption="../report/dependence.rst",
            category=category_of,
            labels=labels_of,
        ),
    log:
        "logs/draw_dependence/{paper}.{item}.{stream}.log",
    wildcard_constraints:
        paper="zliobaite2015",
        item="fig5",
    conda:
        "../../environment.yml"
    params:
        title=title_of,
        simulated=is_simulated,
    message:
        "Drawing {wildcards.paper} {wildcards.item} for {wildcards.stream}"
    script:
        "../scripts/draw_dependence.py"
