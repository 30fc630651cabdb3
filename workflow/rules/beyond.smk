# What the papers leave open.


rule study_order:
    input:
        stream="resources/streams/{stream}.parquet",
        kernels=KERNELS,
        code=code_of_item,
        sources=sources("study_order"),
    output:
        order="results/data/{figure}/{stream}.order.csv",
        shares="results/data/{figure}/{stream}.shares.csv",
    log:
        "logs/study_order/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        learners=learners_of_item,
        smoothing=smoothing_of,
    message:
        "The worth of order on {wildcards.stream}"
    script:
        "../scripts/study_order.py"


rule study_delays:
    input:
        stream="resources/streams/{stream}.parquet",
        kernels=KERNELS,
        code=code_of_item,
        sources=sources("study_delays"),
    output:
        "results/data/{figure}/{stream}.delays.csv",
    log:
        "logs/study_delays/{figure}.{stream}.log",
    conda:
        "../../environment.yml"
    params:
        item=item_of,
        learners=learners_of_item,
        smoothing=smoothing_of,
    message:
        "Delayed labels on {wildcards.stream}"
    script:
        "../scripts/study_delays.py"
