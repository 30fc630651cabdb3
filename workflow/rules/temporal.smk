# Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
# streaming data with temporal dependence.


rule tabulate_stream_characteristics:
    input:
        streams=converted(PLAN.streams_of("zliobaite2015/table3")),
        sources=sources("tabulate_stream_characteristics"),
    output:
        multiext("results/tables/zliobaite2015/table3", ".csv", ".md", ".tex"),
        page=report(
            "results/tables/zliobaite2015/table3.html",
            caption="../report/stream_characteristics.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=table_label("table3", "size and dependence of the streams"),
        ),
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


rule tabulate_classifiers:
    input:
        sources=sources("tabulate_classifiers"),
    output:
        multiext("results/tables/zliobaite2015/table4", ".csv", ".md", ".tex"),
        page=report(
            "results/tables/zliobaite2015/table4.html",
            caption="../report/classifiers.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=table_label("table4", "the learners"),
        ),
    log:
        "logs/tabulate_classifiers.log",
    conda:
        "../../environment.yml"
    params:
        learners={
            name: PLAN.learners[name].to_dict()
            for name in PLAN.item("zliobaite2015/table4").get("learners", ())
        },
    message:
        "Table 4 of zliobaite2015"
    script:
        "../scripts/tabulate_classifiers.py"


rule tabulate_significance:
    input:
        measures="results/measures.csv",
        sources=sources("tabulate_significance"),
    output:
        multiext(
            "results/tables/zliobaite2015/table_significance", ".csv", ".md", ".tex"
        ),
        page=report(
            "results/tables/zliobaite2015/table_significance.html",
            caption="../report/significance.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=table_label("table_significance", "κ with its test"),
        ),
    log:
        "logs/tabulate_significance.log",
    conda:
        "../../environment.yml"
    params:
        item=PLAN.item("zliobaite2015/table_significance"),
        streams=PLAN.streams_of("zliobaite2015/table_significance"),
        titles=TITLES,
        learners=LEARNER_TITLES,
    message:
        "Significance of kappa"
    script:
        "../scripts/tabulate_significance.py"


# Table 1 of the first paper and Table 5 of the second are the same survey, a year apart.
rule tabulate_literature:
    input:
        predictions=predictions(ELECTRICITY),
        published=own("resources/published/zliobaite2015/elec2_literature.csv"),
        sources=sources("tabulate_literature"),
    output:
        multiext("results/tables/{paper}/{item}", ".csv", ".md", ".tex"),
        page=report(
            "results/tables/{paper}/{item}.html",
            caption="../report/literature.rst",
            category=category_of,
            labels=label_of_literature,
        ),
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
        sources=sources("trace_dependence"),
    output:
        "results/data/{figure}/{stream}.dependence.csv",
    log:
        "logs/trace_dependence/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Dependence of the labels of {wildcards.stream} by order"
    script:
        "../scripts/trace_dependence.py"


rule estimate_measures:
    input:
        predictions=predictions_of_variants,
        sources=sources("estimate_measures"),
    output:
        "results/data/{figure}/{stream}.estimates.csv",
    log:
        "logs/estimate_measures/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        learners=learners_shown,
        smoothing=smoothing_of,
    message:
        "Measures on {wildcards.stream} by several estimators, for {wildcards.figure}"
    script:
        "../scripts/estimate_measures.py"


rule study_false_alarms:
    input:
        stream="resources/streams/{stream}.parquet",
        kernels=KERNELS[0],
        sources=sources("study_false_alarms"),
    output:
        "results/data/{figure}/{stream}.false_alarms.csv",
    log:
        "logs/study_false_alarms/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "False alarms of drift on {wildcards.stream}"
    script:
        "../scripts/study_false_alarms.py"
