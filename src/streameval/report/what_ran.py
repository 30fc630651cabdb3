"""Sections of the first page on what was run: protocols, streams, items, and computing time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from markupsafe import Markup

from streameval.base.values import enumeration, quantity
from streameval.report.names import VARIANT_TITLES
from streameval.streams.variants import ORIGINAL
from streameval.view.numbers import number_text

# Kinds of streams.
OWN = "your own"
REAL = "real"
GENERATED = "generated"
#: A simulated stream stands for a real stream whose data are not available.
SIMULATED = "simulated"
#: Suffix of the kind of a stream that needs no download.
_IN_PACKAGE = ", in the package"
#: Cell of a table without a value.
_EMPTY_CELL = "–"
#: Largest number of names that are listed; more names are counted.
_MAX_NAMES = 4
#: Text of a number of instances, whose unit is in the heading of the column.
_INSTANCES = "{}"
#: Text of a number of labels, in the same column.
_LABELS = "first {} labels"
_SIMULATED_NOTE = (
    "A simulated stream has the class proportions and the persistence of a real stream, and shows "
    "the same effect. No published number is compared with it."
)


class TextTable(NamedTuple):
    """A table of texts; `alignment` has a letter for each column, l (left) or r (right).

    With `stacks_when_narrow`, narrow screens show the cells of a row below each other.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    alignment: str = ""
    stacks_when_narrow: bool = False


#: A paragraph, the lines of a list, or a table. The template escapes texts that are not `Markup`.
Block: TypeAlias = str | list[str] | TextTable


class FrontSection(NamedTuple):
    """A section of the first page."""

    title: str
    blocks: Sequence[Block]


class ItemRun(NamedTuple):
    """What an item ran; see `streameval.pipeline.products.item_runs`.

    `streams` has the maximum number of instances by stream. `labels` has, for streams on which a
    run stops after a number of labels, this number. `orders` are the variants of the streams; see
    `streameval.streams.variants`.
    """

    item: str
    protocol: str
    learners: Sequence[str]
    streams: Mapping[str, int]
    labels: Mapping[str, int]
    orders: Sequence[str]


def what_ran_blocks(
    scale: str,
    item_runs: Sequence[ItemRun],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
    user_streams: Sequence[str] = (),
) -> list[Block]:
    """Blocks of the first page on protocols and streams."""
    kinds = {name: stream_kind(name, spec, user_streams) for name, spec in streams.items()}
    blocks: list[Block] = [
        Markup("Scale: <strong>{}</strong>.").format(scale) if scale else "",
        [*_protocol_lines(item_runs, learners)],
        TextTable(_STREAM_HEAD, [*_stream_rows(item_runs, streams, kinds)]),
        [*_unlabelled_lines(streams)],
        _SIMULATED_NOTE if SIMULATED in kinds.values() else "",
    ]
    return [block for block in blocks if block]


def items_table(
    item_runs: Sequence[ItemRun],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
) -> TextTable:
    """Table of the items with protocol, learners, streams and numbers of instances."""
    rows = [
        [
            item.item,
            item.protocol or _EMPTY_CELL,
            _names_or_count([learners[name] for name in item.learners], "learners"),
            _names_or_count(_streams_with_orders(item), "streams"),
            _lengths_text(
                {run_length(item, name, streams[name]) for name in item.streams if name in streams}
            ),
        ]
        for item in item_runs
    ]
    return TextTable(["item", "protocol", "learners", "streams", "instances"], rows)


#: Parts of a run that took less than this fraction of its time are added up in one row.
_SMALL_FRACTION = 0.01


def time_sections(times: Mapping[str, Sequence[tuple[float, float]]]) -> list[FrontSection]:
    """Section on the time of a run, its longest parts first; empty without times.

    `times` are the seconds and the processor seconds of each job, by part of the run.
    """
    if not times:
        return []
    # By part: number of jobs, seconds and processor seconds.
    totals = {
        part: _sum_rows((1, *job_times) for job_times in jobs) for part, jobs in times.items()
    }
    run_total = _sum_rows(totals.values())
    min_seconds = _SMALL_FRACTION * run_total[1]
    small = [part for part, (_, seconds, _) in totals.items() if seconds < min_seconds]
    large = {part: total for part, total in totals.items() if part not in small}
    rows = sorted(large.items(), key=lambda row: -row[1][1])
    if small:
        title = f"{quantity(len(small), 'part')} under {100 * _SMALL_FRACTION:g} % of the run"
        rows.append((title, _sum_rows(totals[part] for part in small)))
    cells = [
        [part, number_text(n_jobs), number_text(seconds, 1), number_text(processor_seconds, 1)]
        for part, (n_jobs, seconds, processor_seconds) in [*rows, (_ALL_PARTS, run_total)]
    ]
    return [FrontSection("How long it took", [_TIMES_NOTE, TextTable(_TIME_HEAD, cells)])]


def _sum_rows(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


_TIMES_NOTE = (
    "Seconds from the start of each job to its end, when it last ran. Jobs that ran side by side "
    "are added up: on several cores a run takes less time."
)
_TIME_HEAD = ("part", "jobs", "seconds", "processor seconds")
_ALL_PARTS = Markup("<strong>all</strong>")


def stream_kind(name: str, spec: Mapping[str, Any], user_streams: Sequence[str] = ()) -> str:
    """Kind of a stream: own, real, generated, or simulated."""
    if "generator" in spec:
        return GENERATED if spec.get("stands_for") is None else SIMULATED
    if name in user_streams:
        return OWN
    return (
        GENERATED if spec.get("generated") else REAL
    )  # a file that a generator made, or real data


def _protocol_lines(item_runs: Sequence[ItemRun], learners: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each protocol with its learners and the number of streams."""
    protocols = list(dict.fromkeys(item.protocol for item in item_runs if item.protocol))
    if not protocols:
        yield "No learner ran."
    for protocol in protocols:
        items = [item for item in item_runs if item.protocol == protocol]
        pairs = {
            (name, stream) for item in items for name in item.learners for stream in item.streams
        }
        names = [name for name in learners if any(name in item.learners for item in items)]
        stream_names = {stream for item in items for stream in item.streams}
        text = quantity(len(names), "learner")
        if stream_names:
            text += f" over {quantity(len(stream_names), 'stream')}"
            n_all = len(names) * len(stream_names)
            text += f" ({len(pairs)} of {n_all} combinations)" if len(pairs) < n_all else ""
        titles = "; ".join(learners[name] for name in names)
        yield Markup("<strong>{}</strong>: {}. {}.").format(protocol, text, titles)


_STREAM_HEAD = ("stream", "what", "instances", "inputs", "target", "kind")


def _stream_rows(
    item_runs: Sequence[ItemRun], streams: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]
) -> Iterator[list[str]]:
    for name, spec in streams.items():
        lengths = {run_length(item, name, spec) for item in item_runs if name in item.streams}
        classes = spec["classes"]
        target = quantity(classes, "class", "classes") if classes else "a number"
        title = str(spec["title"])
        kind = kinds[name] + _IN_PACKAGE * bool(spec.get("bundled"))
        yield [name, title, _lengths_text(lengths), _inputs_text(spec), target, kind]


def _inputs_text(spec: Mapping[str, Any]) -> str:
    """Number of inputs on arrival, and number of later inputs."""
    # Inputs that become known later, and the columns with their times, which are not inputs.
    later = dict(spec.get("known_at") or {})
    text = number_text(spec["columns"] - len({*later, *later.values()}))
    return f"{text}, {len(later)} more later" if later else text


def run_length(item: ItemRun, stream: str, spec: Mapping[str, Any]) -> tuple[int, str]:
    """Number of instances or labels after which an item stops, and the template of its text."""
    if stream in item.labels:
        return item.labels[stream], _LABELS
    limit = item.streams[stream]
    # A generator has no fixed number of rows.
    return (limit if "generator" in spec else min(limit, int(spec["rows"]))), _INSTANCES


def _lengths_text(lengths: set[tuple[int, str]]) -> str:
    """Ranges of the numbers of instances and of the numbers of labels."""
    texts = []
    for template in (_INSTANCES, _LABELS):
        numbers = sorted(number for number, unit_template in lengths if unit_template == template)
        ends = dict.fromkeys([numbers[0], numbers[-1]]) if numbers else {}  # one if equal
        texts += [template.format(" to ".join(map(number_text, ends)))] if ends else []
    return "; ".join(texts) or _EMPTY_CELL


def _streams_with_orders(item: ItemRun) -> list[str]:
    """Streams of an item, with the other orders in which learners run over them."""
    others = [VARIANT_TITLES[name.partition(":")[0]] for name in item.orders if name != ORIGINAL]
    return [f"{name} (also {enumeration(others)})" if others else name for name in item.streams]


def _names_or_count(names: Sequence[str], noun: str) -> str:
    return "; ".join(names) or _EMPTY_CELL if len(names) <= _MAX_NAMES else f"{len(names)} {noun}"


def _unlabelled_lines(streams: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each stream with labels that have not arrived."""
    for name, spec in streams.items():
        n_unlabelled = int(spec.get("unlabelled", 0))
        if n_unlabelled:
            yield Markup(
                "<strong>{}</strong>: {:,} of {:,} labels have not arrived; these instances are "
                "neither scored nor learnt."
            ).format(name, n_unlabelled, spec["rows"])
