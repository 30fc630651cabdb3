"""Snakemake as a command of ours: its progress is shown, and an error of a job stands last."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from streameval.errors import ConfigError, StreamevalError, bounded, plain

#: What a job says of its own error; see `streameval.pipeline.runs`.
_OURS = "Error: "
#: First lines of what Snakemake says of a job that failed: no more than the job itself has said.
_OF_FAILURE = re.compile(
    r"RuleException:|CalledProcessError in file|Command '|Error in rule |Exiting because a job |"
    r"Complete log\(s\)|WorkflowError:|At least one job did not |Removing output files of |"
    r"Elapsed time:"
)
#: Where an error of the operating system is said, by whatever library.
_OF_SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
#: Folders of a run, in the working folder.
_WRITTEN = ("", ".snakemake", "logs", "results", "figures", "resources")
#: Seconds that an interrupted run has to end its jobs.
_PATIENCE = 60
#: Of as many errors the messages are repeated at the end.
_MOST = 5


def check_folder(folder: Path) -> None:
    """Refuse a working folder that nothing can be written to, before anything starts.

    Raises
    ------
    ConfigError
        If one of its folders cannot be written to, or its disk is full.
    """
    for name in _WRITTEN:
        place = folder / name
        if not place.is_dir():
            continue
        try:
            with tempfile.TemporaryFile(dir=place) as probe:
                probe.write(bytes(4096))
                probe.flush()
        except OSError as error:
            raise ConfigError(_said(error.errno, place)) from error


def _said(number: int | None, place: Path) -> str:
    why = os.strerror(number or errno.EIO)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full at {place}: {why}. Free some space; the same command goes on."
    return f"Expected a folder that can be written to, found {place}: {why}. Run in another folder."


def call(command: Sequence[str], *, writes: bool = True, shows: bool = True) -> None:
    """Run Snakemake in the working folder.

    Files in the working folder are not imported in place of installed modules. If it `writes`
    nothing, as in a dry run, the folder is left as it was. If it `shows` nothing, what Snakemake
    says is shown only where it fails: its own option to be quiet keeps errors back, too.

    Raises
    ------
    StreamevalError
        If it fails, with the errors of the jobs, or all that Snakemake has said where no job has
        said why.
    """
    aside = {"PYTHONSAFEPATH": "1"}
    new = [name for name in _WRITTEN if name and not Path(name).exists()]
    if not writes:
        aside["PYTHONDONTWRITEBYTECODE"] = "1"
    errors: list[str] = []
    withheld: list[str] = []
    try:
        with subprocess.Popen(  # noqa: S603, options are the user's own
            command,
            env=os.environ | aside,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                for line in _shown(process.stderr or (), errors, withheld):
                    if shows:
                        print(line, end="", file=sys.stderr, flush=True)
                    else:
                        withheld.append(line)
            except KeyboardInterrupt:  # Ctrl-C reaches both; the folder is free when it has ended
                with suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=_PATIENCE)
                process.terminate()
                raise
        code = process.returncode
    finally:
        if not writes:
            for made in [name for name in new if Path(name).is_dir()]:
                shutil.rmtree(made, ignore_errors=True)
    if code:
        if writes and not errors:
            check_folder(Path.cwd())  # Snakemake may be silent about a disk that is full
        raise StreamevalError(_why(errors, withheld))


def _shown(lines: Iterable[str], errors: list[str], withheld: list[str]) -> Iterator[str]:
    """Yield the lines to show; those about failures are collected."""
    in_failure, number = False, None
    for line in lines:
        if number is None and not line.startswith(_OURS):
            number = next((code for code in _OF_SYSTEM if os.strerror(code) in line), None)
            if number is not None:
                yield f"streameval: {_said(number, Path.cwd())}\n"
        if number is not None:  # what follows are the tracebacks of all that cannot write
            withheld.append(line)
            continue
        in_failure = bool(_OF_FAILURE.match(line)) or (in_failure and line[:1] in (" ", "\n"))
        if in_failure:
            withheld.append(line)
            continue
        if line.startswith(_OURS):
            errors.append(line.removeprefix(_OURS).strip())
        yield line


def _why(errors: Sequence[str], withheld: Sequence[str]) -> str:
    """Return why a run has failed: errors of the disk first, then those of the jobs."""
    again = "The same command goes on."
    text = "".join(withheld)
    for number in _OF_SYSTEM:
        if os.strerror(number) in text:
            return _said(number, Path.cwd())
    if errors:
        named = list(dict.fromkeys(errors))
        more = f" And {len(named) - _MOST:,} further errors." if len(named) > _MOST else ""
        return f"The run did not finish. {again}{more}\n" + "\n".join(named[:_MOST])
    why = bounded(plain(" ".join(text.split()), 1500)) or "see above"
    return f"The run did not finish: {why.rstrip('.')}. {again}"
