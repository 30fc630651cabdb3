# Playing the learners: one job a stream, as a job costs more than many a learner.


rule compile_kernels:
    input:
        sources=sources("compile_kernels"),
    output:
        "resources/kernels/{part}.txt",
    log:
        "logs/compile_kernels/{part}.log",
    wildcard_constraints:
        part="simple|trees",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        learners=lambda wildcards: PLAN.compiled(wildcards.part),
    message:
        "Compiling the learners, once: {wildcards.part}"
    script:
        "../scripts/compile_kernels.py"


rule evaluate_learners:
    input:
        stream="resources/streams/{played}.parquet",
        kernels=KERNELS,
        answers=prediction_files,
        code=code_of,
        sources=sources("evaluate_learners"),
    output:
        predictions="results/predictions/{played}.parquet",
        costs="results/timings/{played}.csv",
    log:
        "logs/evaluate_learners/{played}.log",
    conda:
        "../../environment.yml"
    params:
        learners=learners_of,
        smoothing=smoothing_of,
    message:
        "Evaluating the learners on {wildcards.played}"
    script:
        "../scripts/evaluate_learners.py"


rule measure_predictions:
    input:
        predictions=predictions(PLAN.streams),
        sources=sources("measure_predictions"),
    output:
        "results/measures.csv",
    log:
        "logs/measure_predictions.log",
    conda:
        "../../environment.yml"
    params:
        simulated=SIMULATED,
    message:
        "Measuring the predictions"
    script:
        "../scripts/measure_predictions.py"
