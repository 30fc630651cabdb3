"""Arguments shared by subcommands: streams and learners, and how they are opened."""

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
from streameval.base.errors import ConfigError, some, visible
from streameval.base.files import check_writable, write_figure
from streameval.cli.signature import add_options, keyword_arguments
from streameval.learners.tasks import CLASSIFICATION, PREDICTION_NOUNS, REGRESSION
from streameval.learners.wrappers.registry import WRAPPERS, wrappers_of
from streameval.learners.wrappers.registry import wrapper_forms as wrapper_forms
from streameval.streams.readers.pipes import STDIN, is_pipe
from streameval.streams.stream import Stream
from streameval.streams.variants import split_name
from streameval.view.mixin import Viewed, as_json, view_of
from streameval.view.text import text_lines

if TYPE_CHECKING:
    from streameval.api.learners import Recipe
    from streameval.streams.registry import GeneratorSpec, StreamSpec

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

#: The forms of figures.
ENDINGS = (".svg", ".pdf", ".png")
#: Options of reading that are applied elsewhere, or to streams that are no files as well.
_NOT_OF_FILES = ("target", "numeric_target", "group")
_BY_GROUP = "with --group, show all entities instead of the worst, the median and the best"
#: How options are written whose values are not those of the API.
_FLAGS = {("header", "False"): "--no-header"}


def add_stream(command: argparse.ArgumentParser, *, more: bool = False) -> None:
    """Add the arguments that name a stream, or several if there can be `more`."""
    command.add_argument(
        "stream",
        metavar="STREAM",
        type=lambda text: STDIN if text == "-" else text,
        nargs="+" if more else None,
        help="an id from `streameval streams`, an ARFF, CSV, TSV or Parquet file, a folder of "
        "Parquet parts, - for the standard input, or with --rows a generator such as random_rbf; "
        "an id may be followed by :shuffled:SEED, :temporal:SEED (keeps the order of labels), "
        ":blocks:SEED:SIZE or, for injected drifts, :relabelled:SEED:DRIFTS:WIDTH, also :permuted "
        "or :reweighted",
    )
    columns = ("target", "drop", "nominal", "numeric", "missing", "group")
    add_options(command, read, columns)
    add_options(
        command,
        read,
        ("separator", "decimal", "thousands", "encoding", "member", "header", "skip_rows"),
        header="the first row of a CSV file has no names: the columns are x1, x2, ...",
    )
    rows = "use only the N instances that arrive first"
    command.add_argument("--rows", metavar="N", type=int, help=rows)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_by_group(command: argparse.ArgumentParser) -> None:
    """Add the option that shows all entities of a stream with groups."""
    command.add_argument("--by-group", action="store_true", help=_BY_GROUP)


def add_figure(command: argparse.ArgumentParser, what: str) -> None:
    """Add the option that draws `what` into a file."""
    text = f"draw {what} into this file, .svg, .pdf or .png"
    command.add_argument("--figure", metavar="FILE", type=Path, help=text)


def add_delay(
    command: argparse.ArgumentParser, function: Callable[..., Any], about: str
) -> argparse._ArgumentGroup:
    """Add the options of a function on the arrival of labels, and return their group."""
    group = command.add_argument_group("delayed labels", about)
    add_options(group, read, ("time", "label_time"))
    add_options(group, function, ("delay", "label_first", "ignore_label_times"))
    return group


def add_learners(command: argparse.ArgumentParser, several: str) -> None:
    """Add the options about learners, with a note on naming `several`."""
    command.add_argument(
        "--learner",
        required=True,
        action="append",
        metavar="L",
        help="an id of `streameval learners`; a class, package.Class or module:Class, of River or "
        "scikit-learn or your own, also in the working folder; retrained:CLASS, a class of "
        "scikit-learn's interface that is retrained periodically; or predictions of another "
        "system, one for each row: a file, predictions.csv:COLUMN, or a column of the stream, "
        f"column:NAME. Parameters follow it as :NAME=VALUE; {several}",
    )
    command.add_argument(
        "--name",
        action="append",
        metavar="N",
        help="name of a learner in all output; one for each --learner, in the same order",
    )
    wrapper = (
        f"let the learners use the previous labels: {' or '.join(wrapper_forms(CLASSIFICATION))}; "
        f"or give regressors prediction intervals: {' or '.join(wrapper_forms(REGRESSION))}"
    )
    command.add_argument("--wrapper", metavar="W", help=wrapper)
    numeric = "the target is a number to predict; needed only if no learner implies it"
    command.add_argument("--numeric-target", action="store_true", help=numeric)


def check_intervals(options: argparse.Namespace, of_regressors: bool) -> None:
    """Refuse intervals for classifiers, and intervals that are asked for twice."""
    if options.intervals is None:
        return
    if not of_regressors:
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


def learners_of(options: argparse.Namespace) -> tuple[list[Recipe], bool]:
    """Learners, wrapped if a wrapper is asked for, and whether they are regressors."""
    from streameval.api.learners import recipe
    from streameval.api.wrappers import in_wrapper, with_names

    learners = [recipe(name) for name in options.learner]
    of_regressors = _are_regressors(learners, options.numeric_target)
    if options.wrapper is None:
        return with_names(learners, options.name), of_regressors
    _check_wrapper(options.wrapper, learners, of_regressors)
    wrapped = [in_wrapper(learner, options.wrapper) for learner in learners]
    return with_names(wrapped, options.name), of_regressors


def _check_wrapper(text: str, learners: Sequence[Recipe], of_regressors: bool) -> None:
    """Refuse a wrapper whose task differs from the task of the learners."""
    name = text.partition(":")[0]
    task = REGRESSION if of_regressors else CLASSIFICATION
    others = [learner.name for learner in learners if of_regressors or learner.tasks == (task,)]
    if name in WRAPPERS and task not in WRAPPERS[name].tasks and others:
        (wanted,) = WRAPPERS[name].tasks
        raise ConfigError(
            f"--wrapper: expected learners that predict {PREDICTION_NOUNS[wanted]}, found "
            f"{some(others)}, which predict {PREDICTION_NOUNS[task]}. Leave the wrapper out, or "
            f"choose {some(wrapper_forms(task))}."
        )


def _are_regressors(learners: Sequence[Recipe], numeric_target: bool) -> bool:
    """Whether the learners are regressors; a mixture with classifiers is refused.

    Learners that can do both tasks take the task of the others and of the target.
    """
    numbers = [learner.name for learner in learners if learner.tasks == (REGRESSION,)]
    classes = [learner.name for learner in learners if learner.tasks == (CLASSIFICATION,)]
    if numbers and classes:
        raise ConfigError(
            "--learner: expected only classifiers or only regressors, found regressors "
            f"({some(numbers)}) and classifiers ({some(classes)}). Evaluate them separately."
        )
    if classes and numeric_target:
        raise ConfigError(
            f"--numeric-target: expected regressors, found classifiers: {some(classes)}. Choose "
            "regressors, such as fimt_dd."
        )
    return bool(numbers) or numeric_target


def with_working_folder() -> None:
    """Let classes of the user's own come from modules in the working folder.

    It is searched last: a file there never takes the place of an installed module.
    """
    here = str(Path.cwd())
    if not {here, ""} & {*sys.path}:
        sys.path.append(here)


def open_stream(options: argparse.Namespace, numeric_target: bool = False) -> Stream:
    """Open a stream of the registry, a variant, or a file, with the rows and columns in use.

    `numeric_target` says that the target of a file is a number, not a class.
    """
    check_rows_option(options)
    reading = _reading_options(options, numeric_target)
    if is_file(options.stream):
        stream = read(file_of(options), options.target, **reading)
    elif generated := generator_spec(options):
        stream = generate(options.stream, generated.rows or 0)
    else:
        stream = load(options.stream)
    if options.group is not None:
        stream = stream.grouped(options.group)
    elif getattr(options, "by_group", False):
        raise ConfigError(
            "--by-group: expected --group COLUMN, the column of the entities, such as machines; "
            "found none. Add it."
        )
    return stream if options.rows is None else stream.first(options.rows)


def file_of(options: argparse.Namespace) -> Path:
    """File of a stream; for a pipe, its copy, which lasts as long as the command."""
    file: Path = options.copies.file(options.stream)
    return file


def print_target(stream: Stream, options: argparse.Namespace) -> None:
    """Print the target of a file, unless output is JSON."""
    from streameval.evaluation.delays import target_line

    if not options.json and is_file(options.stream):
        print(f"{visible(target_line(stream))}\n")


def show(
    result: Viewed,
    stream: Stream,
    options: argparse.Namespace,
    *display: Any,
    **more: Any,
) -> None:
    """Draw the figure of a result if asked for, and print the result as JSON or as text.

    In front stands what is predicted in a file.
    """
    view = view_of(result, *display, **more)
    if getattr(options, "figure", None) is not None and view.picture is not None:
        from streameval.drawing.glyphs import naming_glyphs  # loads matplotlib

        figure = view.picture().figure
        with naming_glyphs(figure):
            write_figure(figure, options.figure)
    print_target(stream, options)
    print(json.dumps(as_json(view)) if options.json else "\n".join(text_lines(view)))


def check_rows_option(options: argparse.Namespace) -> None:
    """Refuse a number of instances below 1."""
    if options.rows is not None and options.rows < 1:
        raise ConfigError(f"--rows: expected at least 1, found {options.rows}.")


def _reading_options(options: argparse.Namespace, numeric_target: bool = False) -> dict[str, Any]:
    """Options for reading a file; they are refused for any other stream."""
    name: str = options.stream
    known = inspect.signature(read).parameters
    reading = {
        option: tuple(value) if isinstance(value, list) else value
        for option, value in keyword_arguments(options, read).items()
        if value != known[option].default and option not in _NOT_OF_FILES
    }
    if is_file(name):
        return reading | ({"numeric_target": True} if numeric_target else {})
    stream_spec_of(options)  # an unknown id is the first thing to say
    words = given_options(options, "target")
    words += [
        _FLAGS.get((option, str(value)), f"--{option.replace('_', '-')}")
        for option, value in reading.items()
    ]
    if words:
        raise ConfigError(
            f"{' and '.join(words)} {'applies' if len(words) == 1 else 'apply'} to files only; "
            f"the options of {name!r} are in the registry, config/streams.yaml."
        )
    return {}


def given_options(options: argparse.Namespace, *names: str) -> list[str]:
    """Options set on the command line, as typed; flags only if set."""
    values = {name: getattr(options, name) for name in names}
    there = [name for name, value in values.items() if value is not None and value is not False]
    return ["--all" if name == "more" else f"--{name.replace('_', '-')}" for name in there]


def stream_spec_of(options: argparse.Namespace) -> StreamSpec:
    """Registry entry of the stream, or entry of a generator named in its place."""
    return generator_spec(options) or stream_spec(options.stream)


def generator_spec(options: argparse.Namespace) -> GeneratorSpec | None:
    """Entry of a generator named in place of a stream, or None."""
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
    """Whether a name is a file: ids have no ending, but may end in a number or variant."""
    ending = Path(split_name(name)[0]).suffix.removeprefix(".")
    looks_like_one = (ending != "" and not ending.isdecimal()) or os.sep in name
    if looks_like_one or name == STDIN:
        return True
    # `os.path` takes names of any length.
    if os.path.isfile(name) or is_pipe(name):  # noqa: PTH113
        return True
    return os.path.isdir(name) and not _is_known(name)  # noqa: PTH112


def _is_known(name: str) -> bool:
    """Whether a name is the id of a generator or of a registered stream."""
    from streameval.streams.generators import GENERATORS
    from streameval.streams.registry import load_registry

    return name in GENERATORS or split_name(name)[0] in load_registry(check_options=False)


def check_output(option: str, path: Path, endings: Sequence[str]) -> None:
    """Refuse a file that cannot be written, before anything runs."""
    if path.suffix not in endings:
        raise ConfigError(
            f"{option}: expected a file that ends in {', '.join(endings)}, found {path.name!r}."
        )
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{option}: there is no folder {str(path.parent)!r}. Make it first.")
    check_writable(path.absolute().parent)


def check_figure(path: Path | None) -> None:
    """Refuse a figure that cannot be written, before anything runs."""
    if path is None:
        return
    check_output("--figure", path, ENDINGS)
    if find_spec("matplotlib") is None:
        raise ConfigError(
            '--figure needs matplotlib, which is not installed: pip install "streameval[pipeline]"'
        )
