# What rules look up in the plan by wildcard.

from streameval.learners.registry import modules_compiled_ahead
from streameval.pipeline.warm_up import PLANNED
from streameval.base.settings import RAW

# The modules whose learners are compiled by a job of their own, as other jobs declare them.
_PARTS = modules_compiled_ahead()
_FILES = [_PACKAGE.parent / f"{name.replace('.', '/')}.py" for name in _PARTS.values()]
_COMPILED = dict(zip(of_package(_FILES), _PARTS))
_LEARNERS = [PLAN.learners[name] for name in PLAN.all_learners]
os.environ[PLANNED] = " ".join({one.learner for one in _LEARNERS if one.is_compiled})


def kernels(found, but=""):
    """The lists of compiled learners among the sources of a job that trains.

    Not `ancient`: Snakemake would then overlook edits of what both the kernels and a job import.
    """
    parts = [_COMPILED[path] for path in found if path in _COMPILED]
    return [f"resources/kernels/{part}.txt" for part in parts if part != but]


def raw_file(wildcards):
    """The raw file that a stream is read from; none for a stream of the package."""
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
    """The learners that run over a stream or a variant of it by a protocol, with a seed."""
    name = name_of_stem(wildcards.played)
    rows = PLAN.learners_of(name, wildcards.protocol, seed_of(wildcards))
    alone = wildcards.get("learner")
    return {alone: rows[alone]} if alone else rows


def alone_files(folder, ending):
    """Return the function for the files of slow learners, which ran in jobs of their own."""

    def of(wildcards):
        if wildcards.get("learner"):
            return []
        slow = [name for name in learners_of(wildcards) if PLAN.learners[name].slow]
        runs = folder_of_seed(seed_of(wildcards))
        file = f"{wildcards.played}.{wildcards.protocol}.{ending}"
        return [f"{folder}alone/{runs}{name}/{file}" for name in slow]

    return of


def seed_of(wildcards):
    """The seed of a run of learners."""
    return int(wildcards.get("seed", 1))


def sources_of_learners(wildcards):
    """What the run of learners over a stream or variant depends on."""
    names = learners_of(wildcards)
    used = entries(PLAN.learners[name] for name in names)
    return sources("evaluate_learners", used=used, code=PLAN.own_code(names))


def sources_of_part(wildcards):
    """What the kernels of a module of learners depend on."""
    learner = _PARTS[wildcards.part]
    used = entries() | {"streameval.learners.registry": [learner]}
    return sources("compile_kernels", used=used)


def kernels_of_part(wildcards):
    """The lists of compiled learners that those of a module build on."""
    return kernels(sources_of_part(wildcards), but=wildcards.part)


def sources_of_stream(script, wildcards):
    """What reading or generating a stream depends on."""
    code = sources(script, used=entries(streams=[PLAN.registry[wildcards.stream]]))
    bundled = PLAN.bundled_file(wildcards.stream)
    return [*code, *of_package([bundled] if bundled else [])]


def smoothing_of(wildcards):
    """The weight of a stream's newest instance in moving averages."""
    return PLAN.registry[split_name(name_of_stem(wildcards.played))[0]].smoothing


def memory_of(wildcards, attempt):
    """The megabytes that it takes to run the learners over a stream."""
    spec = PLAN.spec_of(split_name(name_of_stem(wildcards.played))[0])
    return memory_mb(size_of(spec), len(learners_of(wildcards)), attempt)


def minutes_of(wildcards, attempt):
    """The minutes that it takes to run the learners over a stream."""
    name, seed = name_of_stem(wildcards.played), seed_of(wildcards)
    runs = runs_of_predictions(PLAN, name, wildcards.protocol, seed)
    if wildcards.get("learner"):
        runs = runs[0], 1, not PLAN.learners[wildcards.learner].is_compiled
    return runtime_minutes(*runs, attempt)


def prediction_files(wildcards):
    """The files from which learners take their predictions on a stream."""
    rows = learners_of(wildcards)
    return local(PLAN.prediction_files(name_of_stem(wildcards.played), rows))


def code_of(wildcards):
    """The code of learners from elsewhere that run over a stream or variant."""
    return from_here(map(Path, PLAN.own_code(learners_of(wildcards))))


def frames_of(one):
    """Return the function that Snakemake asks for the data of a study's figures.

    It has folders drawn anew that lack a picture: Snakemake looks no deeper than folders.
    """

    def of(wildcards):
        for item in one.items:
            folder = Path(products.figure_folder(item))
            names = [
                f"{name}.{form}"
                for name in products.pictures(PLAN, item)
                for form in ("svg", "pdf")
            ]
            if folder.is_dir() and not all((folder / name).is_file() for name in names):
                workflow.dag.forcefiles.add(str(folder))
        return one.inputs["frames"]

    return of


# Snakemake asks for them once for each input, also of targets that other rules make.
_figure_alone, _table_alone = (
    cache(partial(make, PLAN)) for make in (products.figure_alone, products.table_alone)
)


def figure_of(wildcards):
    """The job that draws one item."""
    return _figure_alone(wildcards.figure)


def table_of(wildcards):
    """The job that writes one table."""
    return _table_alone(wildcards.table)


def captions_of(one):
    """Return the function that Snakemake asks for the titles of a study's tables.

    They stand in modules that draw: jobs of other rules need not import these.
    """
    return lambda wildcards: products.titles_of_tables(one)


def sources_of_figure(wildcards):
    """What drawing one item depends on."""
    return sources_of("draw", figure_of(wildcards))


def code_of_figure(wildcards):
    """The user's files that draw one item."""
    return from_here(map(Path, figure_of(wildcards).inputs["code"]))


def sources_of_table(wildcards):
    """What writing one table depends on."""
    return sources_of("tabulate", table_of(wildcards))


def code_of_table(wildcards):
    """The user's files that compute and lay out one table."""
    return from_here(map(Path, table_of(wildcards).inputs["code"]))


def files_of_table(wildcards):
    """The files of the project or the user that one table reads."""
    return local([*map(own, table_of(wildcards).inputs["files"])])
