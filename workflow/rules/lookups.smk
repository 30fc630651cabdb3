# Functions by which rules look up the plan, by wildcard.

from streameval.learners.registry import modules_compiled_ahead
from streameval.pipeline.warm_up import LEARNERS_VARIABLE
from streameval.base.settings import RAW

# The modules whose learners are compiled by a separate job, by the name of the part.
_PARTS = modules_compiled_ahead()
_FILES = [_PACKAGE.parent / f"{name.replace('.', '/')}.py" for name in _PARTS.values()]
# The names of parts, by the path of the module as jobs declare it.
_COMPILED = dict(zip(of_package(_FILES), _PARTS))
_LEARNERS = [PLAN.learners[name] for name in PLAN.all_learners]
os.environ[LEARNERS_VARIABLE] = " ".join(
    {row.learner for row in _LEARNERS if row.is_compiled}
)


def kernels(paths, excluded=""):
    """The outputs of `compile_kernels` for the modules of learners among a job's source paths.

    They are not `ancient`: Snakemake would then miss edits of sources that both import.
    """
    parts = [_COMPILED[path] for path in paths if path in _COMPILED]
    return [f"resources/kernels/{part}.txt" for part in parts if part != excluded]


def raw_file(wildcards):
    """The raw file that a stream is read from; an empty list for a stream of the package."""
    path = PLAN.raw_file(wildcards.stream)
    if path is None:
        return []
    return path if Path(path).is_relative_to(RAW) else from_here([Path(path)])


def spec_of(wildcards):
    """A stream's entry in the registry."""
    return PLAN.spec_of(wildcards.stream)


def spec_of_file(wildcards):
    """The entry of the first stream that is read from a raw file."""
    return PLAN.spec_of(PLAN.stream_of_file(wildcards.file))


def learners_of(wildcards):
    """The rows of the learners that run over a stream or variant by a protocol, with a seed."""
    name = name_of_stem(wildcards.played)
    rows = PLAN.learners_of(name, wildcards.protocol, seed_of(wildcards))
    slow_learner = wildcards.get("learner")
    return {slow_learner: rows[slow_learner]} if slow_learner else rows


def alone_files(folder, ending):
    """An input function for the files of slow learners, which run in separate jobs."""

    def files(wildcards):
        if wildcards.get("learner"):  # the job of a slow learner itself
            return []
        slow = [name for name in learners_of(wildcards) if PLAN.learners[name].slow]
        runs = folder_of_seed(seed_of(wildcards))
        file = f"{wildcards.played}.{wildcards.protocol}.{ending}"
        return [f"{folder}alone/{runs}{name}/{file}" for name in slow]

    return files


def seed_of(wildcards):
    """The seed of a run of learners."""
    return int(wildcards.get("seed", 1))


def sources_of_learners(wildcards):
    """The sources of a run of learners over a stream or variant."""
    names = learners_of(wildcards)
    used_entries = entries(PLAN.learners[name] for name in names)
    return sources(
        "evaluate_learners", used=used_entries, code=PLAN.learner_code(names)
    )


def sources_of_part(wildcards):
    """The sources of the kernels of a module of learners."""
    learner = _PARTS[wildcards.part]
    used_entries = entries() | {"streameval.learners.registry": [learner]}
    return sources("compile_kernels", used=used_entries)


def kernels_of_part(wildcards):
    """The outputs of `compile_kernels` for the modules that a module of learners imports."""
    return kernels(sources_of_part(wildcards), excluded=wildcards.part)


def sources_of_stream(script, wildcards):
    """The sources of reading or generating a stream."""
    code = sources(script, used=entries(streams=[PLAN.registry[wildcards.stream]]))
    bundled = PLAN.bundled_file(wildcards.stream)
    return [*code, *of_package([bundled] if bundled else [])]


def smoothing_of(wildcards):
    """The weight of a stream's newest instance in moving averages."""
    return PLAN.registry[split_name(name_of_stem(wildcards.played))[0]].smoothing


def memory_of(wildcards, attempt):
    """The megabytes to request for the learners that run over a stream."""
    spec = PLAN.spec_of(split_name(name_of_stem(wildcards.played))[0])
    return memory_mb(size_of(spec), len(learners_of(wildcards)), attempt)


def minutes_of(wildcards, attempt):
    """The minutes to request for the learners that run over a stream."""
    name, seed = name_of_stem(wildcards.played), seed_of(wildcards)
    runs = size_and_runs(PLAN, name, wildcards.protocol, seed)
    if wildcards.get("learner"):
        size, *_ = runs
        runs = size, 1, not PLAN.learners[wildcards.learner].is_compiled
    return runtime_minutes(*runs, attempt)


def prediction_files(wildcards):
    """The files from which learners read their predictions for a stream."""
    rows = learners_of(wildcards)
    return local(PLAN.prediction_files(name_of_stem(wildcards.played), rows))


def code_of(wildcards):
    """The user's files with learners that run over a stream or variant."""
    return from_here(map(Path, PLAN.learner_code(learners_of(wildcards))))


def frames_of(job):
    """An input function for the data of a study's figures.

    It forces a folder that lacks a picture to be drawn again: Snakemake only checks the folder.
    """

    def frames(wildcards):
        for item in job.items:
            folder = Path(products.figure_folder(item))
            names = [
                f"{name}.{form}"
                for name in products.pictures(PLAN, item)
                for form in ("svg", "pdf")
            ]
            if folder.is_dir() and not all((folder / name).is_file() for name in names):
                workflow.dag.forcefiles.add(str(folder))
        return job.inputs["frames"]

    return frames


# Cached: Snakemake calls the functions below for each input, and for targets of other rules.
_figure_alone, _table_alone = (
    cache(partial(make, PLAN))
    for make in (products.single_figure_job, products.single_table_job)
)


def figure_of(wildcards):
    """The job that draws one item."""
    return _figure_alone(wildcards.figure)


def table_of(wildcards):
    """The job that writes one table."""
    return _table_alone(wildcards.table)


def captions_of(job):
    """A function for the titles of a study's tables.

    The titles are in modules that draw, which jobs of other rules then do not import.
    """
    return lambda wildcards: products.titles_of_tables(job)


def sources_of_figure(wildcards):
    """The sources of drawing one item."""
    return sources_of("draw", figure_of(wildcards))


def code_of_figure(wildcards):
    """The user's files that draw one item."""
    return from_here(map(Path, figure_of(wildcards).inputs["code"]))


def sources_of_table(wildcards):
    """The sources of writing one table."""
    return sources_of("tabulate", table_of(wildcards))


def code_of_table(wildcards):
    """The user's files that compute and lay out one table."""
    return from_here(map(Path, table_of(wildcards).inputs["code"]))


def files_of_table(wildcards):
    """The files of the project or the user that one table reads."""
    return local([*map(own, table_of(wildcards).inputs["files"])])
