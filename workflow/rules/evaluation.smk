# Running the learners: one job a stream, as a job costs more than many a learner.


# A learner's own kernels after those that it imports, which others share.
rule compile_kernels:
    input:
        kernels=kernels_of_part,
        sources=sources_of_part,
    output:
        "resources/kernels/{part}.txt",
    log:
        "logs/compile_kernels/{part}.log",
    wildcard_constraints:
        part="|".join(_PARTS),
    conda:
        "../../environment.yml"
    params:
        module=lambda wildcards: _PARTS[wildcards.part],
        content=lambda wildcards: content_digest(
            "compile_kernels", sources_of_part(wildcards)
        ),
    message:
        "Compiling the learners, once: {wildcards.part}"
    script:
        "../scripts/compile_kernels.py"


# What is there of an earlier run stays as far as it is still valid, see `pipeline.reuse`.
rule evaluate_learners:
    input:
        stream="resources/streams/{played}.parquet",
        kernels=lambda wildcards: kernels(sources_of_learners(wildcards)),
        predictions=prediction_files,
        alone=alone_files(PLAN.predictions_folder, "parquet"),
        alone_costs=alone_files(PLAN.timings_folder, "csv"),
        code=code_of,
        sources=sources_of_learners,
    output:
        predictions=update(f"{PLAN.predictions_folder}{{played}}.{{protocol}}.parquet"),
        costs=update(f"{PLAN.timings_folder}{{played}}.{{protocol}}.csv"),
    log:
        "logs/evaluate_learners/{played}.{protocol}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=memory_of,
        runtime=minutes_of,
    params:
        learners=learners_of,
        smoothing=smoothing_of,
        script=script_file("evaluate_learners"),
        content=lambda wildcards: content_digest(
            "evaluate_learners",
            prediction_files(wildcards),
            code_of(wildcards),
            sources_of_learners(wildcards),
        ),
    message:
        RUNNING.format("{wildcards.played}", "{wildcards.protocol}")
    script:
        "../scripts/evaluate_learners.py"


# The learners that draw, with a further seed: jobs that run side by side with the first one.
use rule evaluate_learners as evaluate_seed with:
    output:
        predictions=update(
            f"{PLAN.predictions_folder}seed-{{seed}}/{{played}}.{{protocol}}.parquet"
        ),
        costs=update(f"{PLAN.timings_folder}seed-{{seed}}/{{played}}.{{protocol}}.csv"),
    log:
        "logs/evaluate_learners/seed-{seed}/{played}.{protocol}.log",
    message:
        RUNNING_AGAIN.format(
            "{wildcards.played}", "{wildcards.protocol}", "{wildcards.seed}"
        )


# A learner that its row calls slow: the job of all learners then takes its predictions.
use rule evaluate_learners as evaluate_alone with:
    output:
        predictions=update(
            f"{PLAN.predictions_folder}alone/{{learner}}/{{played}}.{{protocol}}.parquet"
        ),
        costs=update(
            f"{PLAN.timings_folder}alone/{{learner}}/{{played}}.{{protocol}}.csv"
        ),
    log:
        "logs/evaluate_learners/alone/{learner}/{played}.{protocol}.log",
    message:
        RUNNING_ALONE.format(
            "{wildcards.learner}", "{wildcards.played}", "{wildcards.protocol}"
        )


use rule evaluate_learners as evaluate_alone_seed with:
    output:
        predictions=update(
            f"{PLAN.predictions_folder}alone/seed-{{seed}}/{{learner}}/{{played}}.{{protocol}}.parquet"
        ),
        costs=update(
            f"{PLAN.timings_folder}alone/seed-{{seed}}/{{learner}}/{{played}}.{{protocol}}.csv"
        ),
    log:
        "logs/evaluate_learners/alone/seed-{seed}/{learner}/{played}.{protocol}.log",
    message:
        RUNNING_ALONE.format(
            "{wildcards.learner}",
            "{wildcards.played}",
            "{wildcards.protocol}, seed {wildcards.seed}",
        )


rule measure_predictions:
    input:
        predictions=study_jobs.measured_files(PLAN),
        sources=sources("measure_predictions"),
    output:
        f"{PLAN.summary}/measures.csv",
    log:
        "logs/measure_predictions.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        streams=PLAN.measured,
        simulated=SIMULATED,
        content=content_digest("measure_predictions", sources("measure_predictions")),
    message:
        "Measuring the predictions"
    script:
        "../scripts/measure_predictions.py"


# Which of two learners is more accurate, with intervals: what claims are judged by.
rule measure_differences:
    input:
        predictions=study_jobs.measured_files(PLAN),
        sources=sources("measure_differences"),
    output:
        f"{PLAN.summary}/differences.csv",
    log:
        "logs/measure_differences.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        streams=PLAN.measured,
        simulated=SIMULATED,
        pairs=[pair for paper in PAPERS for pair in paper.pairs] + PLAN.own_pairs,
        content=content_digest("measure_differences", sources("measure_differences")),
    message:
        "Comparing learners pair by pair"
    script:
        "../scripts/measure_differences.py"
