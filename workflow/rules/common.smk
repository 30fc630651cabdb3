# Shared by the rules: the project's folder, the plan, and the sources that rules depend on. The
# logic is in the package; the rules have only what Snakemake needs to call it.

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

# Loaded modules are never freed, and most of a graph of jobs is not. Repeated searches for
# reference cycles in both while they grow take a tenth of a dry run.
gc.freeze()
gc.set_threshold(100_000)


def _home():
    """The project's folder, whatever Snakefile includes this file, from whatever folder."""
    basedir = workflow.current_basedir
    if Path(str(basedir)).is_dir():
        return Path(str(basedir)).resolve().parents[1]
    # A module from a Git host: Snakemake fetches only single files, so unpack the whole repository.
    from git import Repo

    repo = (
        basedir.hosted_repo.repo
        if hasattr(basedir, "hosted_repo")
        else Repo(basedir.repo_path)
    )
    commit = repo.commit(basedir.ref).hexsha
    home = Path(".snakemake", "streameval", commit).absolute()
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=home.parent) as temporary:
            with TemporaryFile() as archive_file:
                repo.archive(archive_file, commit)
                archive_file.seek(0)
                # Python has the filter since 3.11.4. Without it the archive is safe, too: git made
                # it.
                options = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                with tarfile.open(fileobj=archive_file) as archive:
                    archive.extractall(f"{temporary}/home", **options)
            # A rename: no other process sees a folder that is half unpacked.
            os.replace(f"{temporary}/home", home)
    return home


HOME = _home()
_SOURCE = HOME / "src"
if _SOURCE.is_dir():  # takes precedence over any other copy of the package
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
from streameval.pipeline.content_digests import ContentDigests
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
    RUN_VARIABLE,
    announce_run,
    remove_leftovers,
    lock_state_folder,
    remove_accepted_marks,
)
from streameval.pipeline.products import item_runs, user_comparison_files
from streameval.pipeline.study_jobs import (
    RUNNING,
    RUNNING_AGAIN,
    RUNNING_ALONE,
    memory_mb,
    folder_of_seed,
    size_and_runs,
    runtime_minutes,
    size_of,
)
from streameval.report.names import study_titles
from streameval.base.sources import closure
from streameval.streams.variants import name_of_stem, split_name
from streameval.evaluation.records import DESCRIPTION_FILE, RECORDED


include: "files.smk"


configfile: own("config/config.yaml")


_is_nested = RUN_VARIABLE in os.environ  # a job of another run has started this process
if workflow.is_main_process:
    end_with_caller()
# The executor is not known yet, but the number of its jobs is: only clusters have one.
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
    and not _is_nested
    and Path(workflow.main_snakefile).resolve()
    in (
        HOME / "Snakefile",
        HOME / "workflow" / "Snakefile",
    )
):  # not as a module: other workflows may then use this folder without holding our lock
    lock_state_folder()
    remove_accepted_marks()

if workflow.is_main_process and "--delete-all-output" in sys.argv:
    atexit.register(remove_leftovers, Path.cwd())

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
    if not _is_nested:
        announce_origin(HOME, sys.argv[1:])
    # Some clusters do not pass the whole environment on to their machines.
    workflow.register_envvars(DECISION, *([ORIGIN] if ORIGIN in os.environ else []))


# The jobs of the plan, computed once.
STUDIES, TABLES, DRAWINGS = (
    study_jobs.studies(PLAN),
    products.table_jobs(PLAN),
    products.drawing_jobs(PLAN),
)
SIMULATED = [name for name in PLAN.streams if PLAN.is_simulated(name)]
PAPERS = papers.select_papers(PLAN.studies)
RECORDS = [
    path.parent
    for paper in PAPERS
    for path in sorted(
        Path(own(f"{RECORDED}/{paper.id}")).glob(f"*/{DESCRIPTION_FILE}")
    )
]
TITLES = study_titles(PLAN.studies, items.PAPERS | PLAN.config["titles"])


wildcard_constraints:
    stream=r"[a-z][a-z0-9_]*(\.[0-9]+)?",
    played=r"[a-z][a-z0-9_]*(\.[0-9]+)?(\.[a-z]+(\.[0-9]+)+)?",
    protocol=r"[a-z_]+(-[^./]+)?",
    seed=r"[2-9]|[1-9][0-9]+",
    learner=r"[a-z][a-z0-9_]*",
    file=".+",
