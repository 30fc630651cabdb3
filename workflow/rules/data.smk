# Streams, each in one columnar file, from raw files, files of the package and generators.


_GENERATED = [name for name in PLAN.streams if PLAN.is_generated(name)]
_READ = [name for name in PLAN.streams if not PLAN.is_generated(name)]


# An existing raw file is checked and never fetched again, whatever else has changed. The mirror is
# not a parameter: a run without the mirror of an earlier run uses the files that the earlier run
# found.
rule fetch_raw:
    output:
        update("resources/raw/{file}"),
    log:
        "logs/fetch_raw/{file}.log",
    retries: 1
    localrule: True
    conda:
        "../../environment.yml"
    params:
        spec=spec_of_file,
    message:
        "Fetching {wildcards.file}"
    script:
        "../scripts/fetch_raw.py"


rule convert_stream:
    input:
        raw=raw_file,
        sources=lambda wildcards: sources_of_stream("convert_stream", wildcards),
    output:
        "resources/streams/{stream}.parquet",
    log:
        "logs/convert_stream/{stream}.log",
    wildcard_constraints:
        stream="|".join(_READ) or "no_stream_is_read",
    conda:
        "../../environment.yml"
    params:
        spec=spec_of,
        content=lambda wildcards: content_digest(
            "convert_stream",
            PLAN.unchecked_file(wildcards.stream),
            sources_of_stream("convert_stream", wildcards),
        ),
    message:
        "Reading {wildcards.stream}"
    script:
        "../scripts/convert_stream.py"


rule generate_stream:
    input:
        sources=lambda wildcards: sources_of_stream("generate_stream", wildcards),
    output:
        "resources/streams/{stream}.parquet",
    log:
        "logs/generate_stream/{stream}.log",
    wildcard_constraints:
        stream="|".join(_GENERATED) or "no_stream_is_generated",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        spec=spec_of,
        content=lambda wildcards: content_digest(
            "generate_stream", sources_of_stream("generate_stream", wildcards)
        ),
    message:
        "Generating {wildcards.stream}"
    script:
        "../scripts/generate_stream.py"


rule rearrange_stream:
    input:
        stream="resources/streams/{stream}.parquet",
        sources=sources("rearrange_stream"),
    output:
        "resources/streams/{stream}.{variant}.parquet",
    log:
        "logs/rearrange_stream/{stream}.{variant}.log",
    wildcard_constraints:
        variant=r"[a-z]+(\.[0-9]+)+",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        variant=lambda wildcards: wildcards.variant.replace(".", ":"),
        content=content_digest("rearrange_stream", sources("rearrange_stream")),
    message:
        "Rearranging {wildcards.stream}: {wildcards.variant}"
    script:
        "../scripts/rearrange_stream.py"
