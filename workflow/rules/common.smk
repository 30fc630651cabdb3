# What the rules share: the plan, and the sources that they depend on.
# All that thinks is in the package; here stands only what Snakemake needs to call it.

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

_SOURCE = Path(workflow.basedir).parent / "src"
if str(_SOURCE) not in sys.path:  # Snakemake hands this path on to the scripts
    sys.path.insert(0, str(_SOURCE))

from streameval.errors import StreamevalError
from streameval.plan import DATA, FIGURES, TIMED, make_plan, sources
from streameval.report.captions import figure_caption, figure_label, table_label
from streameval.report.names import CHAPTERS
from streameval.report.overview import about
from streameval.streams.variants import file_stem, name_of_stem, split_name

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
KERNELS = ["resources/kernels/simple.txt", "resources/kernels/trees.txt"]
MEASURING = sources("detectors", "measures", "studies")
DRAWING = sources("report")


TITLES = {name: PLAN.title(name) for name in PLAN.streams}
SIMULATED = [name for name in PLAN.streams if PLAN.is_simulated(name)]
LEARNER_TITLES = {name: PLAN.learners[name].title for name in PLAN.learners}
# The stream that the literature's accuracies are about, where there is a run of it.
ELECTRICITY = [name for name in ("elec2",) if name in PLAN.streams]

# The report's first page quotes what the last run has written.
_OVERVIEW = Path("results/overview.rst")
config["overview"] = (
    _OVERVIEW.read_text(encoding="utf-8") if _OVERVIEW.is_file() else ""
)
_HOME = Path(str(workflow.current_basedir)).resolve().parents[1]
config["about"] = about(_HOME / "CITATION.cff")
_STYLE = _HOME / "workflow" / "report" / "report.css"
config["stylesheet"] = _STYLE.read_text(encoding="utf-8")


wildcard_constraints:
    stream=r"[a-z][a-z0-9_]*(\.[0-9]+)?",
    played=r"[a-z][a-z0-9_]*(\.[0-9]+)?(\.[a-z]+(\.[0-9]+)+)?",
    figure="|".join(FIGURES),
    paper="|".join(CHAPTERS),
    item=r"(fig|table)\d+",
    file=".+",
