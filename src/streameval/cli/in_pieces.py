"""``evaluate`` over streams in pieces: because it is asked for, or because memory is short."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.api.streams import load
from streameval.base.errors import ConfigError, some
from streameval.base.files import written_aside
from streameval.base.memory import free_bytes, is_large
from streameval.cli.options import (
    check_rows,
    file_of,
    given_options,
    is_file,
    reading_options,
    spec_of,
)
from streameval.cli.signature import given
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.pieces import evaluation_bytes
from streameval.streams.readers.sizes import estimated_bytes
from streameval.streams.variants import ORIGINAL, split_name

if TYPE_CHECKING:
    from streameval.api.learners import Recipe
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.evaluation.predictions import PredictionTable
    from streameval.streams.pieces import StreamPieces

_GIB = 2**30
_FEWER = "or use so few instances (--rows) that they fit into the memory."


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for pieces."""
    text = (
        "read or generate, predict and learn N instances at a time, in constant memory, with the "
        "same results; by default so where one go would take more than half of the free memory "
        "(of a compressed file only if asked for)"
    )
    parser.add_argument("--chunk-rows", metavar="N", type=int, help=text)


def opened(
    options: argparse.Namespace,
    learners: Sequence[Recipe],
    protocol: Protocol | None,
    of_regressors: bool,
) -> StreamPieces | None:
    """Return the pieces of the stream if it is to come in pieces, or None.

    Pieces are asked for, or one go would take more than the free memory. An evaluation that needs
    the whole stream at once is refused then.
    """
    check_rows(options)
    if options.chunk_rows is not None and options.chunk_rows < 1:
        raise ConfigError(f"--chunk-rows: expected at least 1, found {options.chunk_rows}.")
    size = 0 if options.chunk_rows is not None else _size(options)
    if options.chunk_rows is None and not is_large(size):
        return None
    from streameval.evaluation.in_pieces import check_in_pieces

    try:
        _refuse(options, of_regressors)
        check_in_pieces(protocol or parse(DEFAULT), [learner.make() for learner in learners])
    except ConfigError:
        if options.chunk_rows is None and size <= free_bytes():
            return None  # in one go it may just fit
        raise
    if size:
        print(
            f"streameval: {options.stream} would take {size / _GIB:,.1f} GiB in one go, more than "
            f"half of the {free_bytes() / _GIB:,.1f} GiB of memory that are free: it comes in "
            "pieces.",
            file=sys.stderr,
        )
    stream = _pieces(options)
    return stream if options.rows is None else stream.first(options.rows)


def run(
    stream: StreamPieces,
    learners: Sequence[Recipe],
    protocol: Protocol | None,
    options: argparse.Namespace,
) -> PiecesResult:
    """Run learners over a stream in pieces, and write their predictions if asked for."""
    from streameval.api.pieces_evaluation import evaluate_in_pieces
    from streameval.api.result_view import window_of

    chosen, size = protocol or parse(DEFAULT), options.chunk_rows
    window = None if options.figure is None else window_of(len(stream))
    with _kept(options.table, stream.schema.classes or ()) as keep:
        about = {"protocol": chosen, "size": size, "window": window, "keep": keep}
        return evaluate_in_pieces(
            **given(options, evaluate_in_pieces, stream=stream, learners=learners, **about)
        )


@contextmanager
def _kept(
    path: Path | None, classes: Sequence[str]
) -> Iterator[Callable[[PredictionTable], object] | None]:
    """Yield what writes predictions into a file, which gets its name when all are written."""
    if path is None:
        yield None
        return
    with written_aside(path) as part, part.open("w", encoding="utf-8", newline="") as file:

        def keep(table: PredictionTable) -> None:
            table.as_frame(classes).to_csv(file, index=False, header=not file.tell())

        yield keep


def _size(options: argparse.Namespace) -> int:
    """Return about how many bytes one go takes; 0 if they are not known to be many."""
    if is_file(options.stream):
        return estimated_bytes(file_of(options))
    from streameval.streams.registry import GeneratorSpec

    spec = spec_of(options)
    if not isinstance(spec, GeneratorSpec) or spec.label_delay is not None:
        return 0
    columns = spec.columns
    if columns is None:
        from streameval.streams.making import synthesise_in_pieces

        columns = synthesise_in_pieces(spec).schema.n_attributes
    rows = spec.rows or 0
    return evaluation_bytes(rows if options.rows is None else min(rows, options.rows), columns)


def _refuse(options: argparse.Namespace, of_regressors: bool) -> None:
    """Refuse what needs the whole stream at once."""
    why = "--chunk-rows" if options.chunk_rows is not None else f"{options.stream} in pieces"
    if of_regressors:
        raise ConfigError(
            f"{why}: expected learners that predict classes, found {some(options.learner)}, "
            "which predict numbers: their errors are averaged over all instances at once. Choose "
            f"classifiers, {_FEWER}"
        )
    values = (
        *("time", "label_time", "delay", "every", "seasonal", "bins", "by", "rule"),
        "group",
    )
    flags = ("label_first", "ignore_label_times", "more", "by_group")
    if whole := given_options(options, *values, *flags):
        raise ConfigError(
            f"{why}: expected an evaluation that needs each instance and its label once, found "
            f"{some(whole)}: for that all times and predictions are needed at once. Leave it out, "
            f"{_FEWER}"
        )
    name, order = split_name(options.stream)
    if order != ORIGINAL and not is_file(options.stream):
        raise ConfigError(
            f"{why}: expected instances in their own order, found the permutation {order} of "
            f"{name}, which needs all of them at once. Leave it out, {_FEWER}"
        )


def _pieces(options: argparse.Namespace) -> StreamPieces:
    from streameval.streams.making import synthesise_in_pieces
    from streameval.streams.pieces import pieces_of
    from streameval.streams.registry import GeneratorSpec

    reading = reading_options(options)
    if is_file(options.stream):
        from streameval.streams.readers.file_pieces import file_pieces

        with _reading() as progress:
            return file_pieces(file_of(options), options.target, progress=progress, **reading)
    spec = spec_of(options)
    if isinstance(spec, GeneratorSpec):
        return synthesise_in_pieces(spec)
    stream = load(options.stream)
    if stream.label_time is not None:
        raise ConfigError(
            f"--chunk-rows: expected labels that come at once, found those of {stream.name!r}, "
            "which arrive later: for that all times are needed at once. Leave it out."
        )
    return pieces_of(stream)


@contextmanager
def _reading() -> Iterator[Callable[[int], object] | None]:
    """Show on a terminal how many rows have been read for the first time."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(desc="reading", unit=" rows", unit_scale=True, leave=False) as shown:
        yield shown.update
