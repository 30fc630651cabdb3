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
from streameval.cli import tuning
from streameval.cli.options import (
    add_delay,
    add_learners,
    add_stream,
    check_intervals,
    file_of,
    is_file,
    learners_of,
    open_stream,
    with_working_folder,
)
from streameval.cli.signature import add_options
from streameval.streams.readers.content import CHUNK, parquet_files

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers
    from streameval.pages.findings import Findings

ABOUT = (
    "Labels that arrive later are learnt when they arrive. The page then also shows how good "
    "predictions are by the time until the label."
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
        description="Write a page about learners on your data: a single self-contained HTML file. "
        "It says whether each learner beats repeating the previous label and predicting the most "
        "frequent label, and which learner is better, with intervals. It shows this over time, "
        "describes the labels and the effect of their order, and says how results were obtained. "
        "Learners run several times: they predict each instance before they learn it, with other "
        "seeds if they draw at random, and once over the instances in random order.",
    )
    add_stream(parser, more=True)
    add_learners(parser, "repeat the option for each learner")
    tuning.add_tuning_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("report.html"),
        help="the page, which ends in .html; by default report.html",
    )
    add_options(parser, evaluate, ("seasonal", "intervals"))
    add_options(parser, compare, ("rope", "runs", "seed", "cores"))
    add_options(add_delay(parser, evaluate, ABOUT), evaluate, ("every",))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.pages.report import checked_path, write_page

    path = checked_path(options.output)
    if twice := [name for name in options.stream if options.stream.count(name) > 1]:
        raise ConfigError(
            f"STREAM: expected each stream once, found {twice[0]} {options.stream.count(twice[0])} "
            "times. Leave out all but one."
        )
    with_working_folder()
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
    from streameval.pages.report import findings

    learners, numbers = learners_of(options)
    tuning.check_options(options)
    names = (
        *("delay", "every", "label_first", "ignore_label_times"),
        *("rope", "runs", "seed", "cores"),
    )
    arguments = {name: value for name in names if (value := getattr(options, name)) is not None}
    arguments["seasonal"] = tuple(options.seasonal or ())
    check_intervals(options, numbers)
    arguments["intervals"] = options.intervals
    for name in options.stream:
        stream_options = argparse.Namespace(**{**vars(options), "stream": name})
        stream = open_stream(stream_options, numeric_target=numbers)
        best = tuning.tune_learners(stream_options, stream, learners)
        asked = Request.of(
            arguments | {"stream": stream, "learners": best}, "runs", "rope", "cores"
        )
        yield findings(
            asked,
            command=_command(options.words),
            files=[_digest(file_of(stream_options))] if is_file(name) else [],
        )


def _command(words: list[str]) -> str:
    """Lines of the command, one for each option."""
    lines: list[list[str]] = [["streameval"]]
    for word in words:
        if word.startswith("-"):
            lines.append([])
        lines[-1].append(word)
    return " \\\n  ".join(shlex.join(line) for line in lines)


def _digest(path: Path) -> tuple[str, str]:
    """Line with the digest of a file, or of the parts of a folder, for the page."""
    if not path.is_dir():
        with path.open("rb") as file:
            return "SHA-256 of the file", hashlib.file_digest(file, "sha256").hexdigest()
    digest, parts = hashlib.sha256(), parquet_files(path)
    for part in parts:
        with part.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    return f"SHA-256 of the {len(parts):,} parts, joined", digest.hexdigest()


def _sentences(findings: list[Findings], names: list[str]) -> Iterator[str]:
    """Yield the sentences, those on each stream below its name if there are several."""
    from streameval.evaluation.delays import target_line, waiting_line
    from streameval.pages.report import page_sentences

    for stream_findings, name in zip(findings, names, strict=True):
        if len(findings) > 1:
            yield f"{stream_findings.stream.name}:"
        if is_file(name):
            yield target_line(stream_findings.stream)
        yield from page_sentences(stream_findings)
        if line := waiting_line(stream_findings.stream):
            yield line


def _as_json(findings: Findings) -> dict[str, Any]:
    from streameval.evaluation.delays import stream_entry
    from streameval.pages.report import page_sentences

    return {
        "stream": findings.stream.name,
        **stream_entry(findings.stream),
        "sentences": page_sentences(findings),
    }
