# The files that jobs depend on and that no job makes: sources, scripts and users' files.
# All are `local`: the prefix of a module is only for the files that jobs make.


def own(path):
    """The path below the working folder if it exists, else below the project's folder."""
    return path if Path(path).exists() else str(HOME / path)


def sources(script, modules=(), used=entries(), code=()):
    """The package's files that a script depends on: an edit reruns the jobs that it affects.

    `modules` are imported by names in the parameters of the script. `used` are the entries of
    registries, such as learners; `code` are a user's files that the script imports.
    """
    script = HOME / "workflow" / "scripts" / f"{script}.py"
    return of_package(closure(script, _PACKAGE, modules, used, map(Path, code)))


def sources_of(script, job):
    """The package's files that a job of the plan depends on."""
    return sources(script, job.modules, job.entries, job.inputs["code"])


def of_package(paths):
    """Files of the package, as jobs declare them."""
    return local([*map(_of_package, paths)])


@cache  # most jobs declare the same files
def _of_package(path):
    if _SOURCE.is_dir():  # the path through the project's folder, even if src is a link
        path = _SOURCE / path.relative_to(_PACKAGE.parent)
    return _from_here(path)


def script_file(name):
    """A script of the project, as jobs declare it."""
    return from_here([HOME / "workflow" / "scripts" / f"{name}.py"])[0]


_DIGESTS = ContentDigests(Path(".snakemake", "streameval", "contents.json"))


def content_digest(script, *files):
    """Digest of a script and of files that no job makes: a change reruns the job.

    Only the main process compares parameters, so other processes do not read the files.
    """
    if not workflow.is_main_process:
        return ""
    return _DIGESTS.digest_all(
        [script_file(script), *[path for group in files for path in group]]
    )


def from_here(paths):
    """Paths, relative if they are below the working folder, so that the folder may be moved."""
    return local([*map(_from_here, paths)])


@cache
def _from_here(path):
    here = Path.cwd().resolve()
    return str(path.relative_to(here) if here in path.parents else path)
