"""Content of a run in words and tables: protocols, streams, and each item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from streameval.report.names import VARIANT_TITLES, listed, rst_text
from streameval.report.tables import number_text
from streameval.streams.variants import ORIGINAL

#: Kinds of streams.
OWN, REAL, GENERATED, SIMULATED = "your own", "real", "generated", "simulated"
_NONE = "–"
#: More names than these are counted.
_MOST = 4
#: Texts for numbers of instances and of labels.
_INSTANCES, _LABELS = "{}", "first {} labels"
_MEANING = (
    "A simulated stream has the class proportions and the persistence of a real one and shows the "
    "same effect. No published number is compared with it."
)


class Ran(NamedTuple):
    """The content of an item; see `streameval.pipeline.shown`.

    Parameters
    ----------
    item : str
        Its id.
    protocol : str
        In words; "" where no learner runs.
    learners : sequence of str
        Their ids.
    streams : mapping of str to int
        How many instances of each stream it looks at, at most.
    labels : mapping of str to int
        After how many labels it stops, by stream.
    orders : sequence of str
        In which orders the instances are predicted.
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
    own: Sequence[str] = (),
) -> list[str]:
    """Return the paragraphs on protocols and streams of a run, as reStructuredText.

    A run to which no scale belongs has the scale "". `streams` are entries of the registry as plain
    data, by id, with the rows that were read.
    """
    kinds = {name: kind_of(name, spec, own) for name, spec in streams.items()}
    return [
        f"Scale: **{scale}**." if scale else "",
        "\n".join(_protocols(ran, learners)),
        _table(_STREAM_WIDTHS, _STREAM_HEAD, _stream_rows(ran, streams, kinds)),
        "\n".join(_not_arrived(streams)),
        _MEANING if SIMULATED in kinds.values() else "",
    ]


def items_table(
    ran: Sequence[Ran], streams: Mapping[str, Mapping[str, Any]], learners: Mapping[str, str]
) -> str:
    """Return a table of the items: protocol, learners, streams and instances of each."""
    rows = [
        [
            one.item,
            one.protocol or _NONE,
            _some([rst_text(learners[name]) for name in one.learners], "learners"),
            _some(_played(one), "streams"),
            _extent({_length(one, name, streams[name]) for name in one.streams if name in streams}),
        ]
        for one in ran
    ]
    return _table(_ITEM_WIDTHS, ["item", "protocol", "learners", "streams", "instances"], rows)


#: Parts that took a smaller proportion of a run than this share a row.
_SMALL = 0.01


def how_long(times: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return what a run took, its longest parts first, as reStructuredText; "" without any.

    Parameters
    ----------
    times : mapping
        Seconds of each job and its seconds of processor time, by what the jobs do.
    """
    if not times:
        return ""
    parts = {part: _total((1, *one) for one in jobs) for part, jobs in times.items()}
    total = _total(parts.values())
    small = [part for part, (_, seconds, _) in parts.items() if seconds < _SMALL * total[1]]
    shown = {rst_text(part): spent for part, spent in parts.items() if part not in small}
    rows = sorted(shown.items(), key=lambda row: -row[1][1])
    if small:
        rest = f"{_counted(len(small), 'part')} under {100 * _SMALL:.0f} % of the run"
        rows.append((rest, _total(parts[part] for part in small)))
    cells = [
        [name, *map(number_text, spent[:1]), *(number_text(x, 1) for x in spent[1:])]
        for name, spent in [*rows, ("**all**", total)]
    ]
    return "\n\n".join([_TIMES, _table(_TIME_WIDTHS, _TIME_HEAD, cells), ""])


def _total(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


_TIMES = (
    "How long it took\n----------------\n\n"
    "Seconds from the start of each job to its end, when it last ran. Jobs that ran side by side "
    "are added up: on several cores a run takes less."
)
_TIME_HEAD, _TIME_WIDTHS = ["part", "jobs", "seconds", "processor seconds"], "44 10 16 18"


def kind_of(name: str, spec: Mapping[str, Any], own: Sequence[str] = ()) -> str:
    """Return the kind of a stream: own, real, generated, or simulated."""
    if "generator" not in spec:
        return OWN if name in own else GENERATED if spec.get("generated") else REAL
    return GENERATED if spec.get("stands_for") is None else SIMULATED


def _protocols(ran: Sequence[Ran], learners: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each protocol: numbers of its learners and streams."""
    found = list(dict.fromkeys(one.protocol for one in ran if one.protocol))
    if not found:
        yield "No learner ran."
    for protocol in found:
        items = [one for one in ran if one.protocol == protocol]
        pairs = {(name, stream) for one in items for name in one.learners for stream in one.streams}
        named = [name for name in learners if any(name in one.learners for one in items)]
        over = list(dict.fromkeys(stream for one in items for stream in one.streams))
        text = f"* **{protocol}**: {_counted(len(named), 'learner')}"
        if over:
            text += f" over {_counted(len(over), 'stream')}"
            every = len(named) * len(over)
            text += f" ({len(pairs)} of {every} combinations)" if len(pairs) < every else ""
        yield f"{text}. {'; '.join(rst_text(learners[name]) for name in named)}."


_STREAM_HEAD = ["stream", "what", "instances", "inputs", "target", "kind"]
_STREAM_WIDTHS, _ITEM_WIDTHS = "16 38 12 8 10 10", "22 26 26 26 12"


def _stream_rows(
    ran: Sequence[Ran], streams: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]
) -> Iterator[list[str]]:
    for name, spec in streams.items():
        lengths = {_length(one, name, spec) for one in ran if name in one.streams}
        classes = spec["classes"]
        target = _counted(classes, "class", "classes") if classes else "a number"
        title = rst_text(str(spec["title"]))
        yield [name, title, _extent(lengths), _inputs(spec), target, kinds[name]]


def _inputs(spec: Mapping[str, Any]) -> str:
    """Return the number of inputs on arrival, and that of later inputs."""
    later = dict(spec.get("known_at") or {})  # and the columns with the times of these
    text = number_text(spec["columns"] - len({*later, *later.values()}))
    return f"{text}, {len(later)} more later" if later else text


def _length(one: Ran, stream: str, spec: Mapping[str, Any]) -> tuple[int, str]:
    """Return the number of instances, or of labels, after which an item stops."""
    if stream in one.labels:
        return one.labels[stream], _LABELS
    most = one.streams[stream]
    return (most if "generator" in spec else min(most, int(spec["rows"]))), _INSTANCES


def _extent(lengths: set[tuple[int, str]]) -> str:
    """Return numbers of instances from the smallest to the largest, then those of labels."""
    texts = []
    for unit in (_INSTANCES, _LABELS):
        numbers = sorted(number for number, of in lengths if of == unit)
        ends = dict.fromkeys([numbers[0], numbers[-1]]) if numbers else {}
        texts += [unit.format(" to ".join(map(number_text, ends)))] if ends else []
    return "; ".join(texts) or _NONE


def _played(one: Ran) -> list[str]:
    """Return the streams of an item, with the orders in which learners run over them."""
    others = [VARIANT_TITLES[name.partition(":")[0]] for name in one.orders if name != ORIGINAL]
    return [f"{name} (also {listed(others)})" if others else name for name in one.streams]


def _some(names: Sequence[str], what: str) -> str:
    return "; ".join(names) or _NONE if len(names) <= _MOST else f"{len(names)} {what}"


def _counted(number: int, what: str, several: str = "") -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {several or what + 's'}"


def _table(widths: str, head: list[str], rows: Iterator[list[str]] | list[list[str]]) -> str:
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in [head, *rows]:
        lines += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines)


def _not_arrived(streams: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Count the labels that have not arrived, stream by stream."""
    for name, spec in streams.items():
        number = int(spec.get("unlabelled", 0))
        if number:
            yield (
                f"* **{name}**: {number:,} of {spec['rows']:,} labels have not arrived; these "
                "instances are neither scored nor learnt."
            )
