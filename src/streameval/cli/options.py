"""Options that subcommands share, on streams, learners, delays and output, with their checks."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.api.streams import generate, load, read, stream_spec
from streameval.base.errors import ConfigError, escape_controls, listing
from streameval.base.files import check_writable, write_figure
from streameval.cli.signature import add_options, keyword_arguments
from streameval.learners.tasks import CLASSIFICATION, PREDICTION_NOUNS, REGRESSION
from streameval.learners.wrappers.registry import WRAPPERS, wrappers_of
from streameval.learners.wrappers.registry import wrapper_syntax as wrapper_syntax
from streameval.streams.readers.pipes import STDIN, is_pipe
from streameval.streams.stream import Stream
from streameval.streams.variants import split_name
from streameval.view.mixin import Viewable, as_json, view_of
from streameval.view.text import text_lines

if TYPE_CHECKING:
    from streameval.api.learners import Recipe
    from streameval.streams.registry import GeneratorSpec, StreamSpec

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

#: File formats of figures.
FIGURE_SUFFIXES = (".svg", ".pdf", ".png")
#: Arguments of `read` that `_reading_options` leaves out: `group` also applies to streams of the
#: registry; `target` and `numeric_target` are passed separately.
_NOT_READING_OPTIONS = ("target", "numeric_target", "group")
_BY_GROUP_HELP = "with --group, show all entities instead of the worst, the median and the best"
#: Flags that differ from the name of the parameter, by parameter and value.
_FLAGS = {("header", "False"): "--no-header"}


def add_stream(command: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Add the argument STREAM, for one or several streams, and the options for reading files."""
    command.add_argument(
        "stream",
        metavar="STREAM",
        type=lambda text: STDIN if text == "-" else text,
        nargs="+" if several else None,
        help="an id from `streameval streams`, an ARFF, CSV, TSV or Parquet file, a folder of "
        "Parquet parts, - for the standard input, or with --rows a generator such as random_rbf; "
        "an id may be followed by :shuffled:SEED, :temporal:SEED (keeps the order of labels), "
        ":blocks:SEED:SIZE or, for injected drifts, :relabelled:SEED:DRIFTS:WIDTH (or "
        ":permuted, :reweighted)",
    )
    columns = ("target", "drop", "nominal", "numeric", "missing", "group")
    add_options(command, read, columns)
    add_options(
        command,
        read,
        ("separator", "decimal", "thousands", "encoding", "member", "header", "skip_rows"),
        header="the first row of a CSV file has no names: the columns are x1, x2, ...",
    )
    rows_help = "use only the N instances that arrive first"
    command.add_argument("--rows", metavar="N", type=int, help=rows_help)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_by_group(command: argparse.ArgumentParser) -> None:
    """Add the option that shows all entities of a stream with groups."""
    command.add_argument("--by-group", action="store_true", help=_BY_GROUP_HELP)


def add_figure(command: argparse.ArgumentParser, subject: str) -> None:
    """Add the option that writes a figure; `subject` is what it shows."""
    text = f"draw {subject} into this file, .svg, .pdf or .png"
    command.add_argument("--figure", metavar="FILE", type=Path, help=text)


def add_delay(
    command: argparse.ArgumentParser, function: Callable[..., Any], description: str
) -> argparse._ArgumentGroup:
    """Add the options on label delays, with help from `function`, and return their group."""
    group = command.add_argument_group("delayed labels", description)
    add_options(group, read, ("time", "label_time"))
    add_options(group, function, ("delay", "label_first", "ignore_label_times"))
    return group


def add_learners(command: argparse.ArgumentParser, note: str) -> None:
    """Add the options about learners; the help of ``--learner`` ends with `note`."""
    command.add_argument(
        "--learner",
        required=True,
        action="append",
        metavar="L",
        help="an id of `streameval learners`; a class, package.Class or module:Class, of River, of "
        "scikit-learn or your own, also in the working folder; retrained:CLASS, a class with "
        "scikit-learn's interface that is retrained periodically; or predictions of another "
        "system, one for each row: a file, predictions.csv:COLUMN, or a column of the stream, "
        f"column:NAME. Parameters follow as :NAME=VALUE; {note}",
    )
    command.add_argument(
        "--name",
        action="append",
        metavar="N",
        help="name of a learner in all output; one for each --learner, in the same order",
    )
    wrapper_help = (
        f"let the learners use the previous labels: {' or '.join(wrapper_syntax(CLASSIFICATION))}; "
        f"or give regressors prediction intervals: {' or '.join(wrapper_syntax(REGRESSION))}"
    )
    command.add_argument("--wrapper", metavar="W", help=wrapper_help)
    numeric_help = "the target is a number to predict; needed only if no learner implies it"
    command.add_argument("--numeric-target", action="store_true", help=numeric_help)


def check_intervals(options: argparse.Namespace, are_regressors: bool) -> None:
    """Raise ConfigError for intervals of classifiers, and for intervals together with a wrapper."""
    if options.intervals is None:
        return
    if not are_regressors:
        raise ConfigError(
            "--intervals: expected regressors, found classifiers. Choose regressors, such as "
            "fimt_dd, or leave out --intervals."
        )
    if options.wrapper is not None:
        names = " or ".join(wrappers_of(REGRESSION))
        raise ConfigError(
            f"--intervals: expected no --wrapper, found {options.wrapper!r}. Both options add "
            f"intervals ({names}). Leave one of them out."
        )


def parse_learners(options: argparse.Namespace) -> tuple[list[Recipe], bool]:
    """Learners, with the wrapper of ``--wrapper``, and whether they are regressors."""
    from streameval.api.learners import recipe
    from streameval.api.wrappers import rename_recipes, wrap_by_text

    learners = [recipe(name) for name in options.learner]
    are_regressors = _are_regressors(learners, options.numeric_target)
    if options.wrapper is None:
        return rename_recipes(learners, options.name), are_regressors
    _check_wrapper(options.wrapper, learners, are_regressors)
    wrapped = [wrap_by_text(learner, options.wrapper) for learner in learners]
    return rename_recipes(wrapped, options.name), are_regressors


def _check_wrapper(text: str, learners: Sequence[Recipe], are_regressors: bool) -> None:
    """Raise ConfigError if the task of the wrapper differs from the task of the learners."""
    name = text.partition(":")[0]
    task = REGRESSION if are_regressors else CLASSIFICATION
    # Learners that can do both tasks suit a wrapper of either task, unless the target is numeric:
    # then all learners do regression.
    unsuitable = [
        learner.name for learner in learners if are_regressors or learner.tasks == (task,)
    ]
    if name in WRAPPERS and task not in WRAPPERS[name].tasks and unsuitable:
        (wrapper_task,) = WRAPPERS[name].tasks  # wrappers of both tasks are never unsuitable
        raise ConfigError(
            f"--wrapper: expected learners that predict {PREDICTION_NOUNS[wrapper_task]}, found "
            f"{listing(unsuitable)}, which predict {PREDICTION_NOUNS[task]}. Leave the wrapper "
            f"out, or choose {listing(wrapper_syntax(task))}."
        )


def _are_regressors(learners: Sequence[Recipe], numeric_target: bool) -> bool:
    """Whether the learners are regressors; a mixture with classifiers raises ConfigError.

    Learners that can do both tasks take the task of the other learners and of the target.
    """
    regressors = [learner.name for learner in learners if learner.tasks == (REGRESSION,)]
    classifiers = [learner.name for learner in learners if learner.tasks == (CLASSIFICATION,)]
    if regressors and classifiers:
        raise ConfigError(
            "--learner: expected only classifiers or only regressors, found regressors "
            f"({listing(regressors)}) and classifiers ({listing(classifiers)}). Evaluate them "
            "separately."
        )
    if classifiers and numeric_target:
        raise ConfigError(
            f"--numeric-target: expected regressors, found classifiers: {listing(classifiers)}. "
            "Choose regressors, such as fimt_dd."
        )
    return bool(regressors) or numeric_target


def allow_working_folder_imports() -> None:
    """Add the working folder to Python's module search path, for learners of the user's own.

    The folder comes last, so that a file there never replaces an installed module.
    """
    folder = str(Path.cwd())
    if not {folder, ""} & {*sys.path}:
        sys.path.append(folder)


def open_stream(options: argparse.Namespace, numeric_target: bool = False) -> Stream:
    """Open a stream of the registry, a variant, or a file, with the rows and columns in use.

    `numeric_target` says that the target of a file is a number, not a class.
    """
    check_rows_option(options)
    reading = _reading_options(options, numeric_target)
    if is_file(options.stream):
        stream = read(stream_path(options), options.target, **reading)
    elif generator_spec(options) is not None:
        stream = generate(options.stream, options.rows)
    else:
        stream = load(options.stream)
    if options.group is not None:
        stream = stream.grouped(options.group)
    elif getattr(options, "by_group", False):
        raise ConfigError(
            "--by-group: expected --group COLUMN, the column of the entities, such as machines, "
            "found none. Add --group."
        )
    return stream if options.rows is None else stream.first(options.rows)


def stream_path(options: argparse.Namespace) -> Path:
    """File of a stream; for a pipe, a copy that is removed when the command ends."""
    file: Path = options.pipe_copies.file(options.stream)
    return file


def print_target(stream: Stream, options: argparse.Namespace) -> None:
    """Print the target of a stream from a file, unless output is JSON."""
    from streameval.evaluation.delays import target_line

    if not options.json and is_file(options.stream):
        print(f"{escape_controls(target_line(stream))}\n")


def print_result(
    result: Viewable,
    stream: Stream,
    options: argparse.Namespace,
    *display: Any,
    **display_options: Any,
) -> None:
    """Write the figure of ``--figure``, and print the result as JSON or as text.

    `display` and `display_options` are arguments of the view of the result.
    """
    view = view_of(result, *display, **display_options)
    if getattr(options, "figure", None) is not None and view.draw_figure is not None:
        from streameval.drawing.glyphs import warn_of_missing_glyphs  # loads matplotlib

        figure = view.draw_figure().figure
        with warn_of_missing_glyphs(figure):
            write_figure(figure, options.figure)
    print_target(stream, options)
    print(json.dumps(as_json(view)) if options.json else "\n".join(text_lines(view)))


def check_rows_option(options: argparse.Namespace) -> None:
    """Raise ConfigError for a number of instances below 1."""
    if options.rows is not None and options.rows < 1:
        raise ConfigError(f"--rows: expected at least 1, found {options.rows}.")


def _reading_options(options: argparse.Namespace, numeric_target: bool = False) -> dict[str, Any]:
    """Options for reading a file that differ from the defaults of `read`.

    Raises ConfigError if there are any and the stream is from the registry.
    """
    name: str = options.stream
    parameters = inspect.signature(read).parameters
    reading = {
        option: tuple(value) if isinstance(value, list) else value
        for option, value in keyword_arguments(options, read).items()
        if value != parameters[option].default and option not in _NOT_READING_OPTIONS
    }
    if is_file(name):
        return reading | ({"numeric_target": True} if numeric_target else {})
    stream_spec_of(options)  # report an unknown id first
    typed = typed_options(options, "target")
    typed += [
        _FLAGS.get((option, str(value)), f"--{option.replace('_', '-')}")
        for option, value in reading.items()
    ]
    if typed:
        raise ConfigError(
            f"{' and '.join(typed)} {'applies' if len(typed) == 1 else 'apply'} to files only; "
            f"the options of {name!r} are in the registry, config/streams.yaml."
        )
    return {}


def typed_options(options: argparse.Namespace, *names: str) -> list[str]:
    """The named options that are set on the command line, as the user types them."""
    values = {name: getattr(options, name) for name in names}
    are_set = [name for name, value in values.items() if value is not None and value is not False]
    # The parameter `more` is the option --all.
    return ["--all" if name == "more" else f"--{name.replace('_', '-')}" for name in are_set]


def stream_spec_of(options: argparse.Namespace) -> StreamSpec:
    """Registry entry of the stream, or of the generator that is named instead of a stream."""
    return generator_spec(options) or stream_spec(options.stream)


def generator_spec(options: argparse.Namespace) -> GeneratorSpec | None:
    """Entry of the generator that is named instead of a stream, or None."""
    from streameval.streams.generators import GENERATORS
    from streameval.streams.registry import GeneratorSpec, load_registry

    name = options.stream
    if name not in GENERATORS or name in load_registry(check_options=False):
        return None
    if options.rows is None:
        raise ConfigError(
            f"{name}: expected the number of instances to generate, found none. Give --rows N."
        )
    return GeneratorSpec(id=name, title=name, generator=name, rows=options.rows)


def is_file(name: str) -> bool:
    """Whether a name is a file: it has a suffix or a folder, or exists.

    Ids of streams have no suffix, but may end in a number, such as rbf_50_0.001. A folder whose
    name is the id of a stream stands for that stream.
    """
    suffix = Path(split_name(name)[0]).suffix.removeprefix(".")
    looks_like_file = (suffix != "" and not suffix.isdecimal()) or os.sep in name
    if looks_like_file or name == STDIN:
        return True
    # os.path, as methods of Path raise an error if a name is too long
    if os.path.isfile(name) or is_pipe(name):  # noqa: PTH113
        return True
    return os.path.isdir(name) and not _is_known(name)  # noqa: PTH112


def _is_known(name: str) -> bool:
    """Whether a name is the id of a generator or of a registered stream."""
    from streameval.streams.generators import GENERATORS
    from streameval.streams.registry import load_registry

    return name in GENERATORS or split_name(name)[0] in load_registry(check_options=False)


def check_output(option: str, path: Path, suffixes: Sequence[str]) -> None:
    """Raise ConfigError for a file that cannot be written, before learners run."""
    if path.suffix not in suffixes:
        raise ConfigError(
            f"{option}: expected a file that ends in {', '.join(suffixes)}, found {path.name!r}."
        )
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{option}: there is no folder {str(path.parent)!r}. Make it first.")
    check_writable(path.absolute().parent)


def check_figure(path: Path | None) -> None:
    """Raise ConfigError for a figure that cannot be written, before learners run."""
    if path is None:
        return
    check_output("--figure", path, FIGURE_SUFFIXES)
    if find_spec("matplotlib") is None:
        raise ConfigError(
            '--figure needs matplotlib, which is not installed: pip install "streameval[pipeline]"'
        )
