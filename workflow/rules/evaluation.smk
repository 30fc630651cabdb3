# Running the learners: one job for each stream, since many learners take less time than a job.


# The kernels that a learner imports are compiled first, by the job of their module.
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


# Predictions of an earlier run that are still valid are reused, see `pipeline.reuse`.
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


# The random learners with a further seed, in parallel to the job with seed 1.
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


# A learner whose row has `slow: true`. The job of all learners then includes its predictions.
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
        streams=PLAN.measured_streams,
        simulated=SIMULATED,
        content=content_digest("measure_predictions", sources("measure_predictions")),
    message:
        "Measuring the predictions"
    script:
        "../scripts/measure_predictions.py"


# Accuracy differences of pairs of learners, with intervals, by which claims are judged.
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
        streams=PLAN.measured_streams,
        simulated=SIMULATED,
        pairs=[pair for paper in PAPERS for pair in paper.pairs] + PLAN.user_pairs,
        content=content_digest("measure_differences", sources("measure_differences")),
    message:
        "Comparing learners pair by pair"
    script:
        "../scripts/measure_differences.py"
