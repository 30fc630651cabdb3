"""The command ``streameval``: evaluate learners on registered streams or on your own files."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from streameval import __version__
from streameval.cli.helping import Parser
from streameval.errors import bounded
from streameval.terminal import guarded

#: The subcommands by name: the module of each, and its line in the help. Only the module of the
#: command in use is imported, since some need libraries that take long to load.
COMMANDS = {
    "evaluate": ("evaluate", "run learners over a stream and measure their predictions"),
    "compare": ("compare", "say which of two learners is more accurate"),
    "check": ("check", "test whether labels depend on the previous label"),
    "run": ("run", "make the tables, figures and the report of a study"),
    "forecast": ("run", "say how long the long studies of a run take"),
    "streams": ("listing", "list the streams of the registry"),
    "learners": ("listing", "list the learners of the registry"),
    "warm-up": ("warm_up", "compile the learners ahead of their first use"),
}
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
        words = [*(sys.argv[1:] if arguments is None else arguments)]
        # argparse takes words behind -- only if no option stands before it.
        end = words.index("--") if words[:1] == ["run"] and "--" in words else len(words)
        options = _parser(words).parse_args(words[:end])
        if words[end:]:
            options.more = words[end + 1 :]
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
    from streameval.streams.readers.table import StreamWarning

    if issubclass(category, StreamWarning):
        return f"streameval: {bounded(str(message))}"
    return _FORMATTED(message, category, filename, lineno, line)


def _parser(words: Sequence[str]) -> Parser:
    """Return a parser with the options of the command in `words`, and the names of all others."""
    parser = Parser(
        prog="streameval",
        description="Sound evaluation of data-stream classifiers.",
        examples=("streameval evaluate elec2 --learner hoeffding_tree", "streameval evaluate -h"),
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    chosen = next((word for word in words if not word.startswith("-")), "")
    if chosen in COMMANDS:
        import_module(f"{__name__}.{COMMANDS[chosen][0]}").add_to(commands)
    for name, (_, purpose) in COMMANDS.items():
        if name not in commands.choices:
            commands.add_parser(name, help=purpose)
    return parser
