# Bifet et al. (2013), Pitfalls in benchmarking data stream classification.


rule tabulate_class_characteristics:
    input:
        predictions=predictions(PLAN.streams_of("bifet2013/table2")),
        sources=sources("tabulate_class_characteristics"),
    output:
        multiext("results/tables/bifet2013/table2", ".csv", ".md", ".tex"),
        page=report(
            "results/tables/bifet2013/table2.html",
            caption="../report/class_characteristics.rst",
            category=CHAPTERS["bifet2013"],
            labels=table_label(
                "table2", "class proportions and baselines of the streams"
            ),
        ),
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
        sources=sources("trace_class_distribution"),
    output:
        prior="results/data/{figure}/{stream}.prior.csv",
        autocorrelation="results/data/{figure}/{stream}.autocorrelation.csv",
    log:
        "logs/trace_class_distribution/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Class distribution of {wildcards.stream} over time"
    script:
        "../scripts/trace_class_distribution.py"


rule trace_measures:
    input:
        predictions="results/predictions/{stream}.parquet",
        sources=sources("trace_measures"),
    output:
        "results/data/{figure}/{stream}.curves.csv",
    log:
        "logs/trace_measures/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
    message:
        "Measures over time on {wildcards.stream}, for {wildcards.figure}"
    script:
        "../scripts/trace_measures.py"


rule study_lags:
    input:
        stream="resources/streams/{stream}.parquet",
        kernels=KERNELS,
        code=code_of_item,
        sources=sources("study_lags"),
    output:
        lags="results/data/{figure}/{stream}.lags.csv",
        costs="results/timings/{figure}/{stream}.csv",
    log:
        "logs/study_lags/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        learners=learners_of_item,
        smoothing=smoothing_of,
    message:
        "More and more lagged labels, on {wildcards.stream}, for {wildcards.figure}"
    script:
        "../scripts/study_lags.py"
