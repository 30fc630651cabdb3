"""Content of a run in words and tables: protocols, streams, and each item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from markupsafe import Markup

from streameval.base.values import enumeration, quantity
from streameval.report.names import VARIANT_TITLES
from streameval.streams.variants import ORIGINAL
from streameval.view.numbers import number_text

#: Kinds of streams.
OWN, REAL, GENERATED, SIMULATED = "your own", "real", "generated", "simulated"
#: What stands behind the kind of a stream that nobody has to download.
_IN_PACKAGE = ", in the package"
_NONE = "–"
#: More names than these are counted.
_MOST = 4
#: Texts for numbers of instances and of labels.
_INSTANCES, _LABELS = "{}", "first {} labels"
_MEANING = (
    "A simulated stream has the class proportions and the persistence of a real one and shows the "
    "same effect. No published number is compared with it."
)


class TextTable(NamedTuple):
    """A table of texts; `sides` has an r for each column of numbers, else another letter.

    On narrow screens the cells of a row stand below each other if it `stacks`.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    sides: str = ""
    stacks: bool = False


#: A paragraph, the lines of a list, or a table. Texts that are no `Markup` are to be escaped.
Block: TypeAlias = str | list[str] | TextTable


class FrontSection(NamedTuple):
    """A section of the first page."""

    title: str
    blocks: Sequence[Block]


class Ran(NamedTuple):
    """The content of an item; see `streameval.pipeline.products`.

    `streams` has how many instances it looks at, `labels` after how many labels it stops.
    """

    item: str
    protocol: str
    learners: Sequence[str]
    streams: Mapping[str, int]
    labels: Mapping[str, int]
    orders: Sequence[str]


def what_ran(
    scale: str,
    ran: Sequence[Ran],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
    user_streams: Sequence[str] = (),
) -> list[Block]:
    """The section of the first page on protocols and streams, with the rows read."""
    kinds = {name: kind_of(name, spec, user_streams) for name, spec in streams.items()}
    blocks: list[Block] = [
        Markup("Scale: <strong>{}</strong>.").format(scale) if scale else "",
        [*_protocols(ran, learners)],
        TextTable(_STREAM_HEAD, [*_stream_rows(ran, streams, kinds)]),
        [*_not_arrived(streams)],
        _MEANING if SIMULATED in kinds.values() else "",
    ]
    return [block for block in blocks if block]


def items_table(
    ran: Sequence[Ran], streams: Mapping[str, Mapping[str, Any]], learners: Mapping[str, str]
) -> TextTable:
    """A table of the items: protocol, learners, streams and instances of each."""
    rows = [
        [
            item.item,
            item.protocol or _NONE,
            _some([learners[name] for name in item.learners], "learners"),
            _some(_played(item), "streams"),
            _extent(
                {length_of(item, name, streams[name]) for name in item.streams if name in streams}
            ),
        ]
        for item in ran
    ]
    return TextTable(["item", "protocol", "learners", "streams", "instances"], rows)


#: Parts that took a smaller proportion of a run than this share a row.
_SMALL = 0.01


def how_long(times: Mapping[str, Sequence[tuple[float, float]]]) -> list[FrontSection]:
    """The section on what a run took, its longest parts first; none without any.

    `times` are seconds of each job and of its processor time, by what the jobs do.
    """
    if not times:
        return []
    parts = {
        part: _total((1, *times_of_job) for times_of_job in jobs) for part, jobs in times.items()
    }
    total = _total(parts.values())
    small = [part for part, (_, seconds, _) in parts.items() if seconds < _SMALL * total[1]]
    long_parts = {part: spent for part, spent in parts.items() if part not in small}
    rows = sorted(long_parts.items(), key=lambda row: -row[1][1])
    if small:
        rest = f"{quantity(len(small), 'part')} under {100 * _SMALL:g} % of the run"
        rows.append((rest, _total(parts[part] for part in small)))
    cells = [
        [name, *map(number_text, spent[:1]), *(number_text(x, 1) for x in spent[1:])]
        for name, spent in [*rows, (_ALL, total)]
    ]
    return [FrontSection("How long it took", [_TIMES, TextTable(_TIME_HEAD, cells)])]


def _total(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


_TIMES = (
    "Seconds from the start of each job to its end, when it last ran. Jobs that ran side by side "
    "are added up: on several cores a run takes less."
)
_TIME_HEAD = ("part", "jobs", "seconds", "processor seconds")
_ALL = Markup("<strong>all</strong>")


def kind_of(name: str, spec: Mapping[str, Any], user_streams: Sequence[str] = ()) -> str:
    """The kind of a stream: own, real, generated, or simulated."""
    if "generator" not in spec:
        return OWN if name in user_streams else GENERATED if spec.get("generated") else REAL
    return GENERATED if spec.get("stands_for") is None else SIMULATED


def _protocols(ran: Sequence[Ran], learners: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each protocol: numbers of its learners and streams."""
    protocols = list(dict.fromkeys(item.protocol for item in ran if item.protocol))
    if not protocols:
        yield "No learner ran."
    for protocol in protocols:
        items = [item for item in ran if item.protocol == protocol]
        pairs = {
            (name, stream) for item in items for name in item.learners for stream in item.streams
        }
        named = [name for name in learners if any(name in item.learners for item in items)]
        over = list(dict.fromkeys(stream for item in items for stream in item.streams))
        text = quantity(len(named), "learner")
        if over:
            text += f" over {quantity(len(over), 'stream')}"
            every = len(named) * len(over)
            text += f" ({len(pairs)} of {every} combinations)" if len(pairs) < every else ""
        names = "; ".join(learners[name] for name in named)
        yield Markup("<strong>{}</strong>: {}. {}.").format(protocol, text, names)


_STREAM_HEAD = ("stream", "what", "instances", "inputs", "target", "kind")


def _stream_rows(
    ran: Sequence[Ran], streams: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]
) -> Iterator[list[str]]:
    for name, spec in streams.items():
        lengths = {length_of(item, name, spec) for item in ran if name in item.streams}
        classes = spec["classes"]
        target = quantity(classes, "class", "classes") if classes else "a number"
        title = str(spec["title"])
        kind = kinds[name] + _IN_PACKAGE * bool(spec.get("bundled"))
        yield [name, title, _extent(lengths), _inputs(spec), target, kind]


def _inputs(spec: Mapping[str, Any]) -> str:
    """The number of inputs on arrival, and that of later inputs."""
    later = dict(spec.get("known_at") or {})  # and the columns with the times of these
    text = number_text(spec["columns"] - len({*later, *later.values()}))
    return f"{text}, {len(later)} more later" if later else text


def length_of(item: Ran, stream: str, spec: Mapping[str, Any]) -> tuple[int, str]:
    """The number of instances, or of labels, after which an item stops."""
    if stream in item.labels:
        return item.labels[stream], _LABELS
    most = item.streams[stream]
    return (most if "generator" in spec else min(most, int(spec["rows"]))), _INSTANCES


def _extent(lengths: set[tuple[int, str]]) -> str:
    """Numbers of instances from the smallest to the largest, then those of labels."""
    texts = []
    for unit in (_INSTANCES, _LABELS):
        numbers = sorted(number for number, of in lengths if of == unit)
        ends = dict.fromkeys([numbers[0], numbers[-1]]) if numbers else {}
        texts += [unit.format(" to ".join(map(number_text, ends)))] if ends else []
    return "; ".join(texts) or _NONE


def _played(item: Ran) -> list[str]:
    """The streams of an item, with the orders in which learners run over them."""
    others = [VARIANT_TITLES[name.partition(":")[0]] for name in item.orders if name != ORIGINAL]
    return [f"{name} (also {enumeration(others)})" if others else name for name in item.streams]


def _some(names: Sequence[str], what: str) -> str:
    return "; ".join(names) or _NONE if len(names) <= _MOST else f"{len(names)} {what}"


def _not_arrived(streams: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Count the labels that have not arrived, stream by stream."""
    for name, spec in streams.items():
        number = int(spec.get("unlabelled", 0))
        if number:
            yield Markup(
                "<strong>{}</strong>: {:,} of {:,} labels have not arrived; these instances are "
                "neither scored nor learnt."
            ).format(name, number, spec["rows"])
