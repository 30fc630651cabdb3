# The items of all studies: their frames, tables and figures. Which there are is in config/studies
# and validation; what they read and write is in the plan.


for _one in STUDIES:
    _sources = sources_of("run_study", _one)
    _files = local([*map(own, _one.inputs["files"])])
    _code = from_here(map(Path, _one.inputs["code"]))

    rule:
        name:
            _one.name
        input:
            streams=_one.inputs["streams"],
            predictions=_one.inputs["predictions"],
            made=_one.inputs["made"],
            kernels=kernels(_sources) if _one.trains else [],
            files=_files,
            code=_code,
            sources=_sources,
        output:
            _one.outputs,
        log:
            f"logs/studies/{_one.name}.log",
        localrule: not _one.trains
        conda:
            "../../environment.yml"
        resources:
            mem_mb=_one.megabytes_of,
            runtime=_one.minutes_of,
        params:
            tasks=_one.tasks,
            content=content_digest("run_study", _files, _code, _sources),
        message:
            _one.message
        script:
            "../scripts/run_study.py"


for _one in TABLES:
    _files = local([*map(own, _one.inputs["files"])])
    _code = from_here(map(Path, _one.inputs["code"]))
    _sources = sources_of("tabulate", _one)

    rule:
        name:
            _one.name
        input:
            streams=_one.inputs["streams"],
            predictions=_one.inputs["predictions"],
            frames=_one.inputs["frames"],
            files=_files,
            code=_code,
            sources=_sources,
        output:
            _one.outputs,
        log:
            f"logs/{_one.name}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            tasks=_one.tasks,
            titles=PLAN.titles,
            captions=captions_of(_one),
            content=content_digest("tabulate", _files, _code, _sources),
        message:
            _one.message
        script:
            "../scripts/tabulate.py"


for _one in DRAWINGS:
    _code = from_here(map(Path, _one.inputs["code"]))
    _sources = sources_of("draw", _one)

    rule:
        name:
            _one.name
        input:
            frames=frames_of(_one),
            streams=_one.inputs["streams"],
            code=_code,
            sources=_sources,
        output:
            [
                report(
                    directory(products.figure_folder(item)),
                    patterns=["{shown}.svg"],
                    category=TITLES[item.study],
                )
                for item in _one.items
            ],
        log:
            f"logs/{_one.name}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            tasks=_one.tasks,
            titles=PLAN.titles,
            content=content_digest("draw", _code, _sources),
        message:
            _one.message
        script:
            "../scripts/draw.py"


# One figure that is asked for by its name: without the others of its study.
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


# One table that is asked for by its name.
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
        table="|".join(re.escape(one.id) for one in products.table_items(PLAN))
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


# A run shows many items in one job. What Snakemake is asked for, rules cannot see but here.
for _folder, _alone, _of_studies in (
    ("figures/", "draw_figure", DRAWINGS),
    ("results/tables/", "tabulate_table", TABLES),
):
    _chapters = [one.name for one in _of_studies]
    if any(word.startswith(_folder) for word in sys.argv):
        workflow.ruleorder(_alone, *_chapters)
    else:
        workflow.ruleorder(*_chapters, _alone)
