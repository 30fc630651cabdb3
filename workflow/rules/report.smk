# The scorecards of the papers, the origin of the results, and the pages of the report.

if PAPERS:

    rule write_scorecard:
        input:
            measures=f"{PLAN.summary}/measures.csv",
            differences=f"{PLAN.summary}/differences.csv",
            tables=paper_tables(),
            traces=paper_traces(),
            failures=paper_failures(),
            published=published(),
            sources=sources("write_scorecard"),
        output:
            csv=f"{PLAN.summary}/scorecard.csv",
            page=f"{PLAN.summary}/scorecard.html",
        log:
            "logs/write_scorecard.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            left_out=dict(PLAN.left_out),
            simulated=SIMULATED,
            published=lambda wildcards, input: str(Path(input.published[0]).parents[1]),
            studies=PLAN.studies,
            content=content_digest(
                "write_scorecard", published(), sources("write_scorecard")
            ),
        message:
            "Comparing with the published numbers"
        script:
            "../scripts/write_scorecard.py"


if RECORDS:

    rule write_recorded:
        input:
            records=record_files(),
            published=published(),
            sources=sources("write_recorded"),
        output:
            csv=f"{PLAN.summary}/recorded.csv",
            page=f"{PLAN.summary}/recorded.html",
        log:
            "logs/write_recorded.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            folders=[str(folder) for folder in RECORDS],
            published=lambda wildcards, input: str(Path(input.published[0]).parents[1]),
            content=content_digest(
                "write_recorded",
                record_files(),
                published(),
                sources("write_recorded"),
            ),
        message:
            "Comparing recorded runs with the published numbers"
        script:
            "../scripts/write_recorded.py"


# Origin of all results. It is not a parameter of a job: a new commit or day reruns nothing.
rule write_run:
    input:
        results=[*compared(), *frames(), *pictures()],
        streams=page_content.streams_read(PLAN, [*STUDIES, *TABLES]),
        sources=sources("write_run"),
    output:
        page_content.run_file(PLAN),
    log:
        "logs/write_run.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        left_out=dict(PLAN.left_out),
        shown=lambda wildcards: page_content.item_recipes(PLAN),
        logs=products.log_patterns(PLAN, [*STUDIES, *TABLES, *DRAWINGS]),
        planned=[page_content.run_file(PLAN)],
        content=content_digest("write_run", sources("write_run")),
    message:
        "Writing down the origin of the results"
    script:
        "../scripts/write_run.py"


# A page for each study, and a first page that links to them.
rule write_pages:
    input:
        measures=f"{PLAN.summary}/measures.csv",
        differences=f"{PLAN.summary}/differences.csv",
        run=page_content.run_file(PLAN),
        evidence=lambda wildcards: [
            evidence["file"] for evidence in user_comparison_files(PLAN)
        ],
        scorecard=[f"{PLAN.summary}/scorecard.csv"] * bool(PAPERS),
        recorded=[f"{PLAN.summary}/recorded.csv"] * bool(RECORDS),
        records=record_files(),
        published=published() * bool(RECORDS),
        tables=[path for job in TABLES for path in job.outputs],
        predictions=[path for path, _ in study_jobs.prediction_and_cost_files(PLAN)],
        frames=frames(),
        pictures=pictures(),
        templates=templates(),
        sources=sources("write_pages"),
    output:
        list(page_content.page_files(PLAN).values()),
    log:
        "logs/write_pages.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        scale=config["scale"] if PLAN.is_shipped else "",
        content=content_digest(
            "write_pages",
            record_files(),
            published() * bool(RECORDS),
            templates(),
            sources("write_pages"),
        ),
        streams={name: PLAN.entry_of(name) for name in PLAN.streams},
        user_streams=[name for name in PLAN.streams if name in PLAN.user_streams],
        ran=lambda wildcards: item_runs(PLAN),
        evidence=lambda wildcards: user_comparison_files(PLAN),
        records=[str(folder) for folder in RECORDS],
        published=lambda wildcards, input: (
            str(Path(input.published[0]).parents[1]) if RECORDS else ""
        ),
        learners=lambda wildcards: page_content.registered_learners(PLAN),
        left_out=left_out_streams(PLAN),
        # A function: captions are in modules that draw, which jobs of other rules then do not
        # import.
        studies=lambda wildcards: page_content.studies_of(
            PLAN, [*STUDIES, *TABLES, *DRAWINGS]
        ),
        not_run=page_content.not_run(PLAN),
        # The planned paths of outputs; in a module with a prefix, the actual paths are below it.
        planned=list(page_content.page_files(PLAN).values()),
        logs=products.log_patterns(PLAN, [*STUDIES, *TABLES, *DRAWINGS]),
    message:
        "Writing the pages"
    script:
        "../scripts/write_pages.py"


# Digests show whether results are equal: for any number of cores, and after a killed run is
# resumed.
rule digest_results:
    input:
        results=compared(),
        sources=sources("digest_results"),
    output:
        f"{PLAN.summary}/digests.json",
    log:
        "logs/digest_results.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        planned=[f"{PLAN.summary}/digests.json"],
        content=content_digest("digest_results", sources("digest_results")),
    message:
        "Digesting the results"
    script:
        "../scripts/digest_results.py"


# The last job: it fails if a learner has failed, so that the run ends with a list of the failures
# and an exit status. All other results exist by then and are not removed; the next run repeats this
# job.
rule check_failures:
    input:
        list(page_content.page_files(PLAN).values()),
        f"{PLAN.summary}/digests.json",
        sources=sources("check_failures"),
    output:
        COMPLETE,
    log:
        "logs/check_failures.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        planned=[COMPLETE],
        page=lambda wildcards: page_content.first_page(PLAN),
        records=lambda wildcards: products.failure_records(PLAN),
        content=content_digest("check_failures", sources("check_failures")),
    message:
        "Checking that no learner failed"
    script:
        "../scripts/check_failures.py"
