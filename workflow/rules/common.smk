# What the rules share: where the project stands, the plan, and the sources that rules depend on.
# All that thinks is in the package; here stands only what Snakemake needs to call it.

import atexit
import gc
import os
import re
import sys
import tarfile
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import SharedFSUsage

# What is loaded stays, as does most of a graph of jobs: looking for cycles in both, again and again
# while they grow, is a tenth of a dry run.
gc.freeze()
gc.set_threshold(100_000)


def _home():
    """The project's folder, wherever this file is called from, and by whatever Snakefile."""
    here = workflow.current_basedir
    if Path(str(here)).is_dir():
        return Path(str(here)).resolve().parents[1]
    # A module from a Git host, of which Snakemake fetches single files: unpack the whole.
    from git import Repo

    repo = (
        here.hosted_repo.repo if hasattr(here, "hosted_repo") else Repo(here.repo_path)
    )
    commit = repo.commit(here.ref).hexsha
    home = Path(".snakemake", "streameval", commit).absolute()
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=home.parent) as aside:
            with TemporaryFile() as packed:
                repo.archive(packed, commit)
                packed.seek(0)
                # Python has the filter since 3.11.4; git itself has just made this archive.
                safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                with tarfile.open(fileobj=packed) as archive:
                    archive.extractall(f"{aside}/home", **safe)
            os.replace(f"{aside}/home", home)
    return home


HOME = _home()
_SOURCE = HOME / "src"
if _SOURCE.is_dir():  # before any other copy of the package
    sys.path.insert(0, str(_SOURCE.resolve()))

try:
    import streameval
except ImportError as error:
    raise WorkflowError(
        f"Expected the package streameval in {_SOURCE}, or installed; found neither ({error}). "
        "Clone the whole repository, or install the package."
    ) from None
_PACKAGE = Path(streameval.__file__).resolve().parent
if _SOURCE.is_dir() and _PACKAGE.parent != _SOURCE.resolve():
    raise WorkflowError(
        f"Expected the package streameval of this project, in {_SOURCE}; another one is loaded "
        f"already, in {_PACKAGE}. Run the two workflows one by one."
    )

from streameval import papers
from streameval.base.errors import StreamevalError
from streameval.base.processes import end_with_caller
from streameval.pipeline import items, page_content, products, study_jobs
from streameval.pipeline.reuse import entries
from streameval.pipeline.configuration import with_command_line
from streameval.pipeline.contents import ContentDigests
from streameval.pipeline.failure_list import failure_lines, failures_in, headline
from streameval.pipeline.origins import COMMAND, ORIGIN, announce_origin
from streameval.pipeline.fetch_commands import left_out_streams
from streameval.pipeline.plan import (
    DECISION,
    announce_decision,
    announced_decision,
    make_plan,
)
from streameval.pipeline.runs import (
    RUN,
    announce_run,
    remove_remains,
    take_over,
    remove_accepted_marks,
)
from streameval.pipeline.products import item_runs, own_evidence
from streameval.pipeline.study_jobs import (
    RUNNING,
    RUNNING_AGAIN,
    RUNNING_ALONE,
    memory_mb,
    folder_of_seed,
    runs_of_predictions,
    runtime_minutes,
    size_of,
)
from streameval.report.names import study_titles
from streameval.base.sources import closure
from streameval.streams.variants import name_of_stem, split_name
from streameval.evaluation.records import ABOUT, RECORDED


include: "files.smk"


configfile: own("config/config.yaml")


# Which executor there will be is not known yet; the number of its jobs is.
_within = RUN in os.environ  # a job of another run has called us
if workflow.is_main_process:
    end_with_caller()
_on_cluster = workflow.resource_settings.nodes is not None
_shared = {SharedFSUsage.SOURCES, SharedFSUsage.INPUT_OUTPUT}
if not _shared <= {*workflow.storage_settings.shared_fs_usage}:
    raise WorkflowError(
        "--shared-fs-usage: expected machines that share the disk of this folder, found an "
        "executor or an option without one. Choose an executor whose machines share it, such as "
        "slurm (docs/howto/cluster.md)."
    )
announce_run(
    _PACKAGE.parent if _SOURCE.is_dir() else None,
    Path(".snakemake", "kernels") if _on_cluster else None,
)
if (
    workflow.is_main_process
    and not _within
    and Path(workflow.main_snakefile).resolve()
    in (
        HOME / "Snakefile",
        HOME / "workflow" / "Snakefile",
    )
):  # as a module, others may work in this folder without a word to us
    take_over()
    remove_accepted_marks()

if workflow.is_main_process and "--delete-all-output" in sys.argv:
    atexit.register(remove_remains, Path.cwd())

try:
    PLAN = make_plan(
        with_command_line(config, workflow.config_settings.config),
        decide=workflow.is_main_process,
        files=workflow.overwrite_configfiles,
        decision=announced_decision(),
    )
except StreamevalError as error:
    raise WorkflowError(str(error)) from None

if workflow.is_main_process:
    for _stream, _reason in PLAN.left_out.items():
        print(f"Left out: {_stream} ({_reason})", file=sys.stderr)
    announce_decision(PLAN.left_out)
    if not _within:
        announce_origin(HOME, sys.argv[1:])
    # For machines that do not get the whole environment.
    workflow.register_envvars(DECISION, *([ORIGIN] if ORIGIN in os.environ else []))


# The jobs of the plan, found once.
STUDIES, TABLES, DRAWINGS = (
    study_jobs.studies(PLAN),
    products.tables(PLAN),
    products.drawings(PLAN),
)
SIMULATED = [name for name in PLAN.streams if PLAN.is_simulated(name)]
PAPERS = papers.among(PLAN.studies)
RECORDS = [
    path.parent
    for paper in PAPERS
    for path in sorted(Path(own(f"{RECORDED}/{paper.id}")).glob(f"*/{ABOUT}"))
]
TITLES = study_titles(PLAN.studies, items.PAPERS | PLAN.config["titles"])


wildcard_constraints:
    stream=r"[a-z][a-z0-9_]*(\.[0-9]+)?",
    played=r"[a-z][a-z0-9_]*(\.[0-9]+)?(\.[a-z]+(\.[0-9]+)+)?",
    protocol=r"[a-z_]+(-[^./]+)?",
    seed=r"[2-9]|[1-9][0-9]+",
    learner=r"[a-z][a-z0-9_]*",
    file=".+",
