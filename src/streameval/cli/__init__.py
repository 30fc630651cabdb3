"""The command ``streameval``: evaluate learners on registered streams or on your own files."""

from __future__ import annotations

import argparse
import logging
import warnings
from collections.abc import Sequence

from streameval import __version__
from streameval.cli import check, evaluate, listing, run, warm_up
from streameval.errors import bounded
from streameval.streams.readers.table import StreamWarning
from streameval.terminal import guarded

_FORMATTED = warnings.formatwarning


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments after ``streameval``, by default those of the command line.

    Returns
    -------
    int
        The exit code, see `streameval.terminal.guarded`.
    """

    def command() -> None:
        options = _parser().parse_args(arguments)
        logging.captureWarnings(True)
        logging.basicConfig(format="%(message)s", level=logging.WARNING)
        warnings.formatwarning = _plainly
        warnings.simplefilter("default")
        options.run(options)

    return guarded(command)


def _plainly(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """Return a warning for users: those about their data are shown without a line of code."""
    if issubclass(category, StreamWarning):
        return f"streameval: {bounded(str(message))}"
    return _FORMATTED(message, category, filename, lineno, line)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="streameval", description="Sound evaluation of data-stream classifiers."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for subcommand in (evaluate, check, run, listing, warm_up):
        subcommand.add_to(commands)
    return parser
