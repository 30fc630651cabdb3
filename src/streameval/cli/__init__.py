"""The command ``streameval``: evaluate learners on registered streams or on your own files."""

from __future__ import annotations

import argparse
import copy
import gc
import logging
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any, NoReturn

from streameval import __version__
from streameval.base.errors import did_you_mean, printable, shorten_message
from streameval.base.terminal import run_guarded

#: Module and line of help of each subcommand. Only the module of the command in use is imported,
#: since some need libraries that take long to load.
COMMANDS = {
    "evaluate": ("evaluate", "run learners over a stream and measure their predictions"),
    "compare": ("compare", "compare the accuracy of two or more learners"),
    "report": ("report", "write a page about learners on your data"),
    "detect": ("detect", "judge drift detectors by the accuracy gained by resets at their alarms"),
    "budget": ("budget", "measure the accuracy of learners that learn a part of the labels"),
    "check": ("check", "test whether labels depend on the previous label"),
    "run": ("run", "make the tables, figures and the report of a study"),
    "streams": ("lists", "list the streams of the registry"),
    "learners": ("lists", "list the learners of the registry"),
    "detectors": ("lists", "list the drift detectors"),
    "warm-up": ("lists", "compile the learners ahead of their first use"),
}
#: Technical words and their meaning. A help text explains the words that it uses.
GLOSSARY = {
    "instance": "a row of a stream: its inputs, and the label or number to predict",
    "prequential": "each instance is predicted first, and then learnt",
    "reevaluation": "an instance is predicted repeatedly until its label arrives",
    "delay": "the number of instances, or the time, between an instance and its label",
    "bin": "a part of the time from an instance to its label; measures are by bin",
    "fold": "one of several models of a learner, each with its own part of the instances",
    "baseline": "a rule without a model that a learner should beat",
    "No-Change": "a baseline: predict the previous label",
    "Majority": "a baseline: predict the most frequent label so far",
    "κ": "Cohen's kappa: 0 if predictions are as good as chance, 1 if all are correct",
    "κ_t": "Kappa-Temporal: 0 if as accurate as No-Change, 1 if all are correct, below 0 if worse",
    "κ_m": "Kappa-M: as κ_t, compared with Majority",
    "skill": "1 minus the ratio of two mean errors: above 0 if better than the baseline",
    "interval": "a range that should miss the true value in at most 5 % of such streams",
    "rope": "region of practical equivalence: differences too small to matter",
    "seed": "a number that fixes all random draws",
    "wrapper": "a part that adds previous labels or predictions to the inputs of a learner",
    "nominal": "with named values, such as colours, instead of numbers",
    "MOA": "Massive Online Analysis, a Java program that evaluates data streams",
    "item": "an entry of a study: a stream, its learners, and a figure or table of them",
    "probe": "a short run whose time is measured",
}
#: Frequent options and their short texts, for -h of commands with many options.
SHORT_HELP = {
    "stream": "an id of `streameval streams`, or an ARFF, CSV, TSV or Parquet file",
    "--target": "column to predict",
    "--drop": "columns to leave out",
    "--rows": "use only the first N instances",
    "--learner": "an id of `streameval learners`, or module:Class; can be repeated",
    "--detector": "an id of `streameval detectors`; can be repeated",
    "--budget": "the proportion of labels to learn; can be repeated",
    "--strategy": "the strategy that chooses the labels",
    "--time": "column with the arrival time of each instance",
    "--label-time": "column with the arrival time of each label",
    "--delay": "number of instances, or time, until a label arrives",
    "--protocol": "such as prequential or cross_validation:10",
    "--runs": "number of runs of random learners",
    "--group": "column with the entity of each row, such as a machine",
    "--by-class": "precision, recall and F1 of each class",
    "--figure": "draw into this file, .svg, .pdf or .png",
    "--table": "write all bins or predictions into this file, .csv",
    "--output": "the page to write",
    "--json": "print one JSON object",
}
#: Groups of options in --help. An option without a group is in the last group. Starred tuples put
#: several names on a line.
GROUPS = {
    "reading the file": (
        *("target", "drop", "nominal", "numeric", "missing", "group", "separator", "decimal"),
        *("thousands", "encoding", "member"),
        *("no-header", "skip-rows", "rows", "sample"),
    ),
    "learners": (
        *("learner", "name", "wrapper", "numeric-target", "seasonal", "intervals"),
        "detector",
    ),
    "tuning": ("tune", "tune-on"),
    "delayed labels": (
        *("time", "label-time", "delay", "label-first", "ignore-label-times", "every", "bins"),
        *("by", "rule", "budget", "strategy"),
    ),
    "protocol": (
        *("protocol", "runs", "seed", "rope", "cores", "slurm", "seconds", "dry-run", "retry"),
    ),
    "output": (
        *("scores", "by-class", "by-group", "all", "figure", "table", "output", "json"),
        *("version", "help"),
    ),
}
#: With at least this number of options, --help has groups and -h shows a part of the options.
_MANY_OPTIONS = 18
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: Least similarity of a suggested option: --metric must not suggest --numeric (0.82).
_MIN_SIMILARITY = 0.85


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code of `streameval.base.terminal.run_guarded`."""

    def command() -> None:
        words = [*(sys.argv[1:] if arguments is None else arguments)]
        # Words after -- are for Snakemake; argparse would not accept them after other options.
        end = words.index("--") if words[:1] == ["run"] and "--" in words else len(words)
        options = _parser(words).parse_args(words[:end])
        options.command_words = words
        if words[end:]:
            options.snakemake_options = words[end + 1 :]
        # The entry point turns garbage collection off while modules load, which is faster. Loaded
        # objects are never freed, so collections leave them out.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        logging.captureWarnings(True)
        logging.basicConfig(format="%(message)s", level=logging.WARNING)
        if sys.stderr.isatty():  # tell a user who waits that code is compiled
            logging.getLogger("streameval.compiled").setLevel(logging.INFO)
        warnings.formatwarning = _format_warning
        warnings.simplefilter("default")  # each warning once for a line of code
        if not hasattr(options, "stream"):
            options.run(options)
            return
        from streameval.streams.readers.pipes import PipeCopies  # only commands with streams

        with PipeCopies() as options.pipe_copies:
            options.run(options)

    return run_guarded(command)


def _format_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """One-line text of a warning, without code; warnings of libraries name the library."""
    from streameval.streams.readers.table import StreamWarning

    if issubclass(category, StreamWarning):
        return f"streameval: {shorten_message(str(message))}"
    parts = Path(filename).parts
    package = parts[parts.index("site-packages") + 1] if "site-packages" in parts else parts[-1]
    first_line = next(iter(str(message).splitlines()), "")
    return f"streameval: {package} warns: {printable(first_line, 300)} ({category.__name__})."


def _parser(words: Sequence[str]) -> Parser:
    """Parser with the options of the command in `words`, and the names of all commands."""
    parser = Parser(
        prog="streameval",
        description="Sound evaluation of data-stream classifiers.",
        examples=("streameval evaluate elec2 --learner hoeffding_tree", "streameval evaluate -h"),
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = next((word for word in words if not word.startswith("-")), "")
    if command in COMMANDS:
        import_module(f"{__name__}.{COMMANDS[command][0]}").add_to(commands)
    for name, (_, purpose) in COMMANDS.items():
        if name not in commands.choices:
            commands.add_parser(name, help=purpose)
    return parser


class _StoreOnce(argparse.Action):
    """Store the value of an option with one value; repeating the option is an error.

    argparse would silently use the last value.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        first = getattr(namespace, self.dest, self.default)
        if option_string is not None and first is not self.default:
            raise argparse.ArgumentError(
                self, f"expected one value, found {first!r} and {values!r}"
            )
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser of a command or subcommand, whose help begins with examples."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        if examples:
            text = "".join(f"\n  {example}" for example in examples)
            options["description"] = f"examples:{text}\n\n{options.get('description', '')}"
        super().__init__(formatter_class=_Formatter, add_help=False, **options)
        self.add_argument("-h", action=_Help, help="show the most used options")
        self.register("action", None, _StoreOnce)  # for options without `action`
        self.add_argument(
            "--help", action=_Help, help="show all options, and explain technical words"
        )

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse words; report unknown options before missing options.

        A mistyped option would otherwise be reported as missing.
        """
        required = [action for action in self._actions if action.required]
        for action in required:
            action.required = False
        try:
            _, unknown = super().parse_known_args(args)
        finally:
            for action in required:
                action.required = True
        if unknown:
            self._unknown_arguments(unknown)
        return super().parse_known_args(args, namespace)

    def _unknown_arguments(self, unknown: Sequence[str]) -> NoReturn:
        first = next((word for word in unknown if word.startswith("-")), unknown[0])
        hint = did_you_mean(first.partition("=")[0], self._option_string_actions, _MIN_SIMILARITY)
        if not first.startswith("-") and any(action.dest == "stream" for action in self._actions):
            hint = "A command takes one STREAM, and most options take one value."
        hint = hint or f"`{self.prog} --help` lists all options."
        self.error(f"unrecognized arguments: {' '.join(unknown)}. {hint}")

    def format_help(self) -> str:
        """Help text with options in groups, followed by the technical words used in it."""
        options = [action for action in self._actions if action.option_strings]
        by_group: dict[str, list[argparse.Action]] = {group: [] for group in GROUPS}
        for action in options:
            groups = (group for group, names in GROUPS.items() if _long(action)[2:] in names)
            by_group[next(groups, [*GROUPS][-1])].append(action)
        notes = {group.title: group.description for group in self._action_groups if group.title}
        text = self._format_sections(
            self.description,
            [action for action in self._actions if not action.option_strings],
            {"options": options} if len(options) < _MANY_OPTIONS else by_group,
            notes,
        )
        used_words = {word: meaning for word, meaning in GLOSSARY.items() if _uses(text, word)}
        formatter = self._get_formatter()
        formatter.start_section("words")
        for word, meaning in used_words.items():
            formatter.add_argument(
                argparse.Action([], "", metavar=word, help=meaning.replace("%", "%%"))
            )
        formatter.end_section()
        return f"{text}\n{formatter.format_help()}" if used_words else text

    def format_short(self) -> str:
        """Short help that fits on a screen: frequent options, or all options if there are few."""
        if sum(bool(action.option_strings) for action in self._actions) < _MANY_OPTIONS:
            return self.format_help()
        actions = []
        for action in self._actions:
            name = _long(action) if action.option_strings else action.dest
            if short_help := SHORT_HELP.get(name):
                short = copy.copy(action)
                short.help = short_help
                actions.append(short)
        positional = [action for action in actions if not action.option_strings]
        options = [action for action in actions if action.option_strings]
        first_sentence, _, _ = str(self.description).partition(". ")
        text = self._format_sections(f"{first_sentence}.", positional, {"options": options}, {})
        return f"{text}\n`{self.prog} --help` shows all options, and explains technical words.\n"

    def _format_sections(
        self,
        description: str | None,
        positional: Sequence[argparse.Action],
        groups: Mapping[str, Sequence[argparse.Action]],
        notes: Mapping[str, str | None],
    ) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(description)
        for title, actions in {"positional arguments": positional, **groups}.items():
            formatter.start_section(title)
            formatter.add_text(notes.get(title))
            formatter.add_arguments(actions)
            formatter.end_section()
        return formatter.format_help()


class _Help(argparse.Action):
    """Prints the short help for -h, and the full help for --help."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **options)

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        print(parser.format_short() if option == "-h" else parser.format_help(), end="")
        parser.exit()


def _long(action: argparse.Action) -> str:
    """Longest form of an option."""
    return max(action.option_strings, key=len)


def _uses(text: str, word: str) -> bool:
    """Whether a text has the word, also with the ending -s or -ed."""
    return re.search(rf"(?<!\w){re.escape(word)}(s|ed)?(?!\w)", text, re.IGNORECASE) is not None


class _Formatter(argparse.HelpFormatter):
    """Breaks lines between words only, and keeps examples on lines of their own."""

    def _format_usage(self, usage: str | None, actions: Any, groups: Any, prefix: Any) -> str:
        if usage is None or usage is argparse.SUPPRESS:
            return super()._format_usage(usage, actions, groups, prefix)
        start = prefix or "usage: "
        parts = re.findall(r"\[[^\]]*\]|--\S+ \S+|\S+", usage % {"prog": self._prog})
        text = " ".join(part.replace(" ", _NO_BREAK) for part in parts)
        lines = _wrap_words(f"{start}{text}", self._width, " " * len(start))
        return "\n".join(lines).replace(_NO_BREAK, " ") + "\n\n"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = [
            line
            for part in text.splitlines()
            # Examples begin with two blanks; the rest of a wrapped example has four.
            for line in _wrap_words(part, width, indent + "    " * part.startswith("  ")) or [""]
        ]
        return "\n".join(f"{indent}{line.removeprefix(indent)}" for line in lines)

    def _split_lines(self, text: str, width: int) -> list[str]:
        words = " ".join(text.split()).split(" ")
        return _wrap_words(" ".join(_split_form(word, width) for word in words), width)


def _wrap_words(text: str, width: int, subsequent_indent: str = "") -> list[str]:
    return wrap(
        text,
        width,
        subsequent_indent=subsequent_indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _split_form(word: str, width: int) -> str:
    """Split a form such as ``A[:B[:C]]`` before optional parts into pieces that fit in a line."""
    parts = [""]
    for part in word.replace("[:", " [:").split():
        if parts[-1] and len(parts[-1] + part) > width:
            parts.append("")
        parts[-1] += part
    return " ".join(parts)
