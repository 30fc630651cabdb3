# Playing the learners: one job a stream, as a job costs more than many a learner.


localrules:
    compile_kernels,


_LEARNERS = {name: PLAN.learners[name].to_dict() for name in config["learners"]}


rule compile_kernels:
    input:
        sources=ENGINE,
    output:
        "resources/kernels.txt",
    log:
        "logs/compile_kernels.log",
    conda:
        "../../environment.yml"
    params:
        learners=_LEARNERS,
    message:
        "Compiling the learners, once"
    script:
        "../scripts/compile_kernels.py"


rule evaluate_learners:
    input:
        stream="resources/streams/{stream}.parquet",
        kernels="resources/kernels.txt",
        answers=prediction_files,
        sources=ENGINE,
    output:
        predictions="results/predictions/{stream}.parquet",
        costs="results/timings/{stream}.csv",
    log:
        "logs/evaluate_learners/{stream}.log",
    conda:
        "../../environment.yml"
    params:
        learners=_LEARNERS,
    message:
        "Evaluating the learners on {wildcards.stream}"
    script:
        "../scripts/evaluate_learners.py"


rule measure_answers:
    input:
        predictions=predictions(PLAN.streams),
        sources=MEASURING,
    output:
        "results/measures.csv",
    log:
        "logs/measure_answers.log",
    conda:
        "../../environment.yml"
    params:
        simulated=SIMULATED,
    message:
        "Measuring the answers"
    script:
        "../scripts/measure_answers.py"
