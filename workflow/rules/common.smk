# What the rules share: the plan, the sources that they depend on, and look-ups by wildcard.
# All that thinks is in the package; here stands only what Snakemake needs to call it.

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

_SOURCE = Path(workflow.basedir).parent / "src"
if str(_SOURCE) not in sys.path:  # Snakemake hands this path on to the scripts
    sys.path.insert(0, str(_SOURCE))

from streameval.errors import StreamevalError
from streameval.plan import make_plan, sources

try:
    PLAN = make_plan(config, decide=workflow.is_main_process)
except StreamevalError as error:
    raise WorkflowError(str(error)) from None

for _stream, _reason in PLAN.left_out.items():
    if workflow.is_main_process:
        print(f"Left out: {_stream} ({_reason})", file=sys.stderr)

# An edit reruns what it changes: the engine reruns evaluations, drawing only pictures.
ENGINE = sources(
    "errors",
    "kernels",
    "lanes",
    "rng",
    "seeds",
    "detectors",
    "streams",
    "protocols",
    "learners",
)
MEASURING = sources("detectors", "measures", "studies")
DRAWING = sources("report")


CATEGORIES = {
    "bifet2013": "Bifet et al. (2013)",
    "zliobaite2015": "Žliobaitė et al. (2015)",
}
TITLES = {name: PLAN.title(name) for name in PLAN.streams}
SIMULATED = [name for name in PLAN.streams if PLAN.is_simulated(name)]
# The stream that the literature's accuracies are about, where there is a run of it.
ELECTRICITY = [name for name in ("elec2",) if name in PLAN.streams]

# The report's first page quotes what the last run has written.
_OVERVIEW = Path("results/overview.rst")
config["overview"] = (
    _OVERVIEW.read_text(encoding="utf-8") if _OVERVIEW.is_file() else ""
)


wildcard_constraints:
    stream=r"[a-z][a-z0-9_]*(\.[0-9]+)?",
    paper="bifet2013|zliobaite2015",
    item=r"(fig|table)\d+",
    file=".+",


def raw_file(wildcards):
    """The raw file that a stream is read from."""
    return PLAN.raw_file(wildcards.stream)


def spec_of(wildcards):
    """A stream's entry in the registry."""
    return PLAN.spec_of(wildcards.stream)


def spec_of_file(wildcards):
    """The entry of the first stream that is read from a raw file."""
    return PLAN.spec_of(PLAN.stream_of_file(wildcards.file))


def item_of(wildcards):
    """An item's settings."""
    return PLAN.item(wildcards.paper, wildcards.item)


def title_of(wildcards):
    """How a stream is called."""
    return PLAN.title(wildcards.stream)


def is_simulated(wildcards):
    """Whether a stream only resembles a real one."""
    return PLAN.is_simulated(wildcards.stream)


def converted(streams):
    """The converted files of streams."""
    return expand("resources/streams/{stream}.parquet", stream=streams)


def predictions(streams):
    """The files with the learners' answers on streams."""
    return expand("results/predictions/{stream}.parquet", stream=streams)


def prediction_files(wildcards):
    """The files from which learners take their answers on a stream."""
    return PLAN.prediction_files(wildcards.stream)


def tables():
    """The tables of all items in the configuration."""
    return [
        f"results/tables/{paper}/{item}.csv"
        for paper, items in config["items"].items()
        for item in items
        if item.startswith("table")
    ]


# The files with the data of a figure, where these are not curves.
TRACES = {
    ("bifet2013", "fig1"): ("prior", "autocorrelation"),
    ("zliobaite2015", "fig5"): ("dependence",),
}


def traces():
    """The data of all figures in the configuration."""
    return [
        f"results/data/{paper}/{item}/{stream}.{trace}.csv"
        for paper, item, stream in PLAN.figures()
        for trace in TRACES.get((paper, item), ("curves",))
    ]


def pictures():
    """All figures in the configuration."""
    return [
        f"figures/{paper}/{item}/{stream}.svg" for paper, item, stream in PLAN.figures()
    ]


def published():
    """The papers' numbers."""
    return sorted(str(path) for path in Path("resources/published").glob("*.csv"))


def category_of(wildcards):
    """Where readers of the report find a paper's items."""
    return CATEGORIES[wildcards.paper]


def labels_of(wildcards):
    """What readers of the report see of a figure."""
    kind = "generated" if PLAN.is_generated(wildcards.stream) else "real"
    if PLAN.is_simulated(wildcards.stream):
        kind = "simulated"
    return {"figure": wildcards.item, "stream": wildcards.stream, "data": kind}
