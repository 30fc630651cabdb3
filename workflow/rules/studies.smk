# The items of all studies: their frames, tables and figures. The items are in config/studies and
# validation; the files that they read and write are in the plan.


for _job in STUDIES:
    _sources = sources_of("run_study", _job)
    _files = local([*map(own, _job.inputs["files"])])
    _code = from_here(map(Path, _job.inputs["code"]))

    rule:
        name:
            _job.name
        input:
            streams=_job.inputs["streams"],
            predictions=_job.inputs["predictions"],
            results=_job.inputs["results"],
            kernels=kernels(_sources) if _job.trains else [],
            files=_files,
            code=_code,
            sources=_sources,
        output:
            _job.outputs,
        log:
            f"logs/studies/{_job.name}.log",
        localrule: not _job.trains
        conda:
            "../../environment.yml"
        resources:
            mem_mb=_job.megabytes_of,
            runtime=_job.minutes_of,
        params:
            tasks=_job.tasks,
            content=content_digest("run_study", _files, _code, _sources),
        message:
            _job.message
        script:
            "../scripts/run_study.py"


for _job in TABLES:
    _files = local([*map(own, _job.inputs["files"])])
    _code = from_here(map(Path, _job.inputs["code"]))
    _sources = sources_of("tabulate", _job)

    rule:
        name:
            _job.name
        input:
            streams=_job.inputs["streams"],
            predictions=_job.inputs["predictions"],
            frames=_job.inputs["frames"],
            files=_files,
            code=_code,
            sources=_sources,
        output:
            _job.outputs,
        log:
            f"logs/{_job.name}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            tasks=_job.tasks,
            titles=PLAN.titles,
            captions=captions_of(_job),
            content=content_digest("tabulate", _files, _code, _sources),
        message:
            _job.message
        script:
            "../scripts/tabulate.py"


for _job in DRAWINGS:
    _code = from_here(map(Path, _job.inputs["code"]))
    _sources = sources_of("draw", _job)

    rule:
        name:
            _job.name
        input:
            frames=frames_of(_job),
            streams=_job.inputs["streams"],
            code=_code,
            sources=_sources,
        output:
            [
                report(
                    directory(products.figure_folder(item)),
                    patterns=["{shown}.svg"],
                    category=TITLES[item.study],
                )
                for item in _job.items
            ],
        log:
            f"logs/{_job.name}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            tasks=_job.tasks,
            titles=PLAN.titles,
            content=content_digest("draw", _code, _sources),
        message:
            _job.message
        script:
            "../scripts/draw.py"


# A single figure requested by name, without the other figures of its study.
rule draw_figure:
    input:
        frames=lambda wildcards: figure_of(wildcards).inputs["frames"],
        streams=lambda wildcards: figure_of(wildcards).inputs["streams"],
        code=code_of_figure,
        sources=sources_of_figure,
    output:
        directory("figures/{figure}"),
    log:
        "logs/draw_figure/{figure}.log",
    wildcard_constraints:
        figure="|".join(re.escape(name) for name in products.figure_items(PLAN))
        or "no_figure",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        tasks=lambda wildcards: figure_of(wildcards).tasks,
        titles=PLAN.titles,
        content=lambda wildcards: content_digest(
            "draw", code_of_figure(wildcards), sources_of_figure(wildcards)
        ),
    message:
        "Figure {wildcards.figure}"
    script:
        "../scripts/draw.py"


# A single table requested by name.
rule tabulate_table:
    input:
        streams=lambda wildcards: table_of(wildcards).inputs["streams"],
        predictions=lambda wildcards: table_of(wildcards).inputs["predictions"],
        frames=lambda wildcards: table_of(wildcards).inputs["frames"],
        files=files_of_table,
        code=code_of_table,
        sources=sources_of_table,
    output:
        [f"results/tables/{{table}}.{form}" for form in products.TABLE_FORMATS],
    log:
        "logs/tabulate_table/{table}.log",
    wildcard_constraints:
        table="|".join(re.escape(item.id) for item in products.table_items(PLAN))
        or "no_table",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        tasks=lambda wildcards: table_of(wildcards).tasks,
        titles=PLAN.titles,
        captions=lambda wildcards: products.titles_of_tables(table_of(wildcards)),
        content=lambda wildcards: content_digest(
            "tabulate",
            files_of_table(wildcards),
            code_of_table(wildcards),
            sources_of_table(wildcards),
        ),
    message:
        "Table {wildcards.table}"
    script:
        "../scripts/tabulate.py"


# A run draws or tabulates several items in one job. If the command line names a single item, the
# rule for single items comes first. Rules cannot see the targets, so the command line is searched
# for them.
for _folder, _single_rule, _jobs in (
    ("figures/", "draw_figure", DRAWINGS),
    ("results/tables/", "tabulate_table", TABLES),
):
    _rules = [job.name for job in _jobs]
    if any(word.startswith(_folder) for word in sys.argv):
        workflow.ruleorder(_single_rule, *_rules)
    else:
        workflow.ruleorder(*_rules, _single_rule)
