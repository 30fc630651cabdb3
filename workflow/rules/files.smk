# The files that jobs depend on besides those of other jobs: sources, scripts and what users own.
# All are `local`: a module's prefix is for the files that jobs make.


def own(path):
    """A path of the working folder or, where there is none, of the project."""
    return path if Path(path).exists() else str(HOME / path)


def sources(script, modules=(), used=entries(), code=()):
    """The package's files that a script depends on: an edit reruns what it changes.

    Modules are those that it imports by names that it is told, `used` the entries of registries,
    such as learners, and `code` a user's files that it imports.
    """
    script = HOME / "workflow" / "scripts" / f"{script}.py"
    return of_package(closure(script, _PACKAGE, modules, used, map(Path, code)))


def sources_of(script, one):
    """The package's files that a job of an item depends on."""
    return sources(script, one.modules, one.entries, one.inputs["code"])


def of_package(paths):
    """Files of the package, as jobs declare them."""
    return local([*map(_of_package, paths)])


@cache  # a file is declared by most of the jobs
def _of_package(path):
    if _SOURCE.is_dir():  # even if it is a link
        path = _SOURCE / path.relative_to(_PACKAGE.parent)
    return _from_here(path)


def script_file(name):
    """A script of the project, as jobs declare it."""
    return from_here([HOME / "workflow" / "scripts" / f"{name}.py"])[0]


_DIGESTS = ContentDigests(Path(".snakemake", "streameval", "contents.json"))


def content_digest(script, *files):
    """The content of a script and of files that no job makes: a change reruns the job.

    Only the main process compares parameters; jobs need not read the files for that.
    """
    if not workflow.is_main_process:
        return ""
    return _DIGESTS.digest_all(
        [script_file(script), *[path for some in files for path in some]]
    )


def from_here(paths):
    """Paths, those below the working folder relative to it: the folder may be moved."""
    return local([*map(_from_here, paths)])


@cache
def _from_here(path):
    here = Path.cwd().resolve()
    return str(path.relative_to(here) if here in path.parents else path)
