"""The subcommand ``report``."""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.api.compare import compare
from streameval.api.evaluate import evaluate
from streameval.base.errors import ConfigError
from streameval.base.file_digests import file_digest
from streameval.cli import tuning
from streameval.cli.options import (
    add_delay,
    add_learners,
    add_stream,
    allow_working_folder_imports,
    check_intervals,
    is_file,
    open_stream,
    parse_learners,
    stream_path,
)
from streameval.cli.signature import add_options
from streameval.streams.readers.content import CHUNK, parquet_files

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers
    from streameval.pages.findings import Findings

_DELAY_TEXT = (
    "Labels that arrive later are learnt when they arrive. The page then also has measures by the "
    "time until the label."
)


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "report",
        usage="%(prog)s STREAM [STREAM ...] --learner L [--learner L ...] [OPTION ...]",
        examples=(
            "streameval report my.csv --target y --learner hoeffding_tree --learner knn",
            "streameval report elec2 --learner hoeffding_tree --delay 47 -o elec2.html",
        ),
        description="Write a page about learners on your data: one HTML file that needs no other "
        "files. It says whether each learner beats two baselines, the previous label and the most "
        "frequent label, and which learner is better, with intervals. It also shows measures over "
        "time, properties of the labels, the effect of their order, and the methods. "
        "Each instance is predicted before it is learnt. Random learners run several times, with "
        "different seeds. All learners run once more over the instances in random order.",
    )
    add_stream(parser, several=True)
    add_learners(parser, "repeat the option for each learner")
    tuning.add_tuning_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("report.html"),
        help="file of the page, which ends in .html; by default report.html",
    )
    add_options(parser, evaluate, ("seasonal", "intervals"))
    add_options(parser, compare, ("rope", "runs", "seed", "cores"))
    add_options(add_delay(parser, evaluate, _DELAY_TEXT), evaluate, ("every",))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.pages.report import check_page_path, write_page

    path = check_page_path(options.output)
    if repeated := [name for name in options.stream if options.stream.count(name) > 1]:
        raise ConfigError(
            f"STREAM: expected each stream once, found {repeated[0]} "
            f"{options.stream.count(repeated[0])} times. Leave out all but one."
        )
    allow_working_folder_imports()
    findings = list(_findings(options))
    write_page(findings, path)
    if options.json:
        print(
            json.dumps(
                {
                    "report": str(path),
                    "streams": [_as_json(stream_findings) for stream_findings in findings],
                }
            )
        )
    else:
        print("\n".join([*_sentences(findings, options.stream), "", f"The page is {path}."]))


def _findings(options: argparse.Namespace) -> Iterator[Findings]:
    """Yield the findings on each stream."""
    from streameval.api.request import Request
    from streameval.pages.report import collect_findings

    learners, are_regressors = parse_learners(options)
    tuning.check_options(options)
    check_intervals(options, are_regressors)
    compare_names = ("runs", "rope", "cores")
    evaluate_names = (
        *("delay", "every", "label_first", "ignore_label_times"),
        *("seasonal", "intervals", "seed"),
    )
    names = (*evaluate_names, *compare_names)
    arguments = {name: value for name in names if (value := getattr(options, name)) is not None}
    for name in options.stream:
        stream_options = argparse.Namespace(**{**vars(options), "stream": name})
        stream = open_stream(stream_options, numeric_target=are_regressors)
        tuned_learners = tuning.tune_learners(stream_options, stream, learners)
        request = Request.of(
            arguments | {"stream": stream, "learners": tuned_learners}, *compare_names
        )
        yield collect_findings(
            request,
            command=_command(options.command_words),
            file_facts=[_digest(stream_path(stream_options))] if is_file(name) else [],
        )


def _command(words: list[str]) -> str:
    """The command as the user typed it, one line for each option."""
    lines: list[list[str]] = [["streameval"]]
    for word in words:
        if word.startswith("-"):
            lines.append([])
        lines[-1].append(word)
    return " \\\n  ".join(shlex.join(line) for line in lines)


def _digest(path: Path) -> tuple[str, str]:
    """Title and digest of a file, or of the joined parts in a folder, for the page."""
    if not path.is_dir():
        return "SHA-256 of the file", file_digest(path)
    digest, parts = hashlib.sha256(), parquet_files(path)
    for part in parts:
        with part.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    return f"SHA-256 of the {len(parts):,} parts, joined", digest.hexdigest()


def _sentences(findings: list[Findings], names: list[str]) -> Iterator[str]:
    """Yield the sentences on each stream, below its name if there are several streams."""
    from streameval.evaluation.delays import missing_labels_line, target_line
    from streameval.pages.report import page_sentences

    for stream_findings, name in zip(findings, names, strict=True):
        if len(findings) > 1:
            yield f"{stream_findings.stream.name}:"
        if is_file(name):
            yield target_line(stream_findings.stream)
        yield from page_sentences(stream_findings)
        if line := missing_labels_line(stream_findings.stream):
            yield line


def _as_json(findings: Findings) -> dict[str, Any]:
    from streameval.evaluation.delays import stream_entry
    from streameval.pages.report import page_sentences

    return {
        "stream": findings.stream.name,
        **stream_entry(findings.stream),
        "sentences": page_sentences(findings),
    }
