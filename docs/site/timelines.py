"""Pictures of evaluation protocols: the events of their tapes on a line of time."""

from __future__ import annotations

import numpy as np

from streameval.protocols.registry import parse
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Attribute, Schema, Stream

#: The protocols that are drawn, and what their pictures show.
DRAWN = {
    "prequential": "Each instance is predicted and then learnt at once.",
    "delayed:2": "Each instance is predicted, and learnt when two further instances have arrived.",
    "partial:0.34:every:1": (
        "Each instance is predicted. About a third of the labels are bought, and learnt when a "
        "further instance has arrived."
    ),
    "reevaluation:2": (
        "Labels arrive at times of their own. Until then an instance is predicted again after "
        "every two labels of others, and a last time just before it is learnt."
    ),
    "cross_validation:3": (
        "Three models. Each instance is learnt by all but one of them, which predict it first."
    ),
    "cross_validation:3:tested=held_out": (
        "The same models, each tested on the instances that it does not learn."
    ),
    "split_validation:3:held_out": (
        "Three models. Each instance is learnt by one of them and predicted by the others."
    ),
    "bootstrap_validation:3": (
        "Three models. Each learns each instance with a Poisson-distributed weight, not at all, "
        "once, or as many times as the number says, and predicts it first if it learns it."
    ),
}
N = 8
#: Times of arrival of the labels of the stream that re-evaluation is drawn for.
LABEL_TIMES = (2, 7, 4, 3, 8, 6, 10, 9)
_STEP, _LEFT, _TOP, _ROW = 34, 96, 34, 30
_PREDICT, _LEARN, _WAIT, _INK = "#0a6ebd", "#c2410c", "#9aa5b1", "#1f2933"


def stream() -> Stream:
    """The stream of eight instances that all pictures are about."""
    schema = Schema((Attribute("x"),), classes=("no", "yes"))
    times = np.arange(N, dtype=np.int64)
    labels = np.array([0, 1] * (N // 2), dtype=np.int32)
    return Stream(
        np.zeros((N, 1)),
        labels,
        schema,
        time=times,
        label_time=np.array(LABEL_TIMES, dtype=np.int64),
        name="eight",
    )


def file_name(protocol: str) -> str:
    """The name of the picture of a protocol."""
    return "".join(c if c.isalnum() else "-" for c in protocol) + ".svg"


def tapes(protocol: str) -> list[Tape]:
    """The tapes of a protocol over the eight instances."""
    return [*parse(protocol).tapes(stream())]


def picture(protocol: str) -> str:
    """The picture of a protocol as SVG."""
    over = tapes(protocol)
    return _of_models(over) if len(over) > 1 else _of_instances(over[0])


def _of_instances(tape: Tape) -> str:
    """Draw one model: a line for each instance, the events in their order from left to right."""
    parts = []
    for row in range(N):
        places = np.flatnonzero(tape.row == row)
        y = _TOP + row * _ROW
        parts.append(_text(_LEFT - 30, y + 4, f"instance {row + 1}", "end"))
        if len(places):
            x1, x2 = (_x(int(place)) for place in (places[0], places[-1]))
            parts.append(f'<path d="M{x1} {y}H{x2}" stroke="{_WAIT}" stroke-width="2"/>')
        parts += [
            _event(_x(int(place)), y, int(tape.op[place]), float(tape.weight[place]))
            for place in places
        ]
    return _svg(_x(len(tape)), _TOP + N * _ROW, parts, "events in their order")


def _of_models(over: list[Tape]) -> str:
    """Draw several models: a line for each, the instances from left to right."""
    parts = [_text(_x(row), _TOP + 2, str(row + 1), "middle") for row in range(N)]
    for model, tape in enumerate(over):
        y = _TOP + model * _ROW + 22
        parts.append(_text(_LEFT - 30, y + 4, f"model {model + 1}", "end"))
        for row in range(N):
            at = np.flatnonzero(tape.row == row)
            op = int(np.bitwise_or.reduce(tape.op[at])) if len(at) else 0
            parts.append(_event(_x(row), y, op, float(tape.weight[at].max()) if len(at) else 0.0))
    return _svg(_x(N), _TOP + len(over) * _ROW + 22, parts, "instances in their order")


def _x(place: int) -> int:
    return _LEFT + place * _STEP


def _event(x: int, y: int, op: int, weight: float) -> str:
    """Draw a prediction as a circle, and a learnt instance as a square around it or alone."""
    parts = []
    if op & LEARN:
        parts.append(f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" fill="{_LEARN}"/>')
    if op & PREDICT:
        parts.append(f'<circle cx="{x}" cy="{y}" r="7" fill="{_PREDICT}" stroke="#fff"/>')
    if op & LEARN and weight != 1:
        parts.append(_text(x, y + 4, f"{weight:g}", "middle", "#fff"))
    return "".join(parts)


def _text(x: int, y: int, text: str, anchor: str, colour: str = _INK) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{text}</text>'


def _svg(width: int, height: int, parts: list[str], axis: str) -> str:
    width = max(width, _LEFT + 340)
    legend = [
        _event(_LEFT, height + 18, PREDICT, 1),
        _text(_LEFT + 14, height + 22, "predicted", "start"),
        _event(_LEFT + 96, height + 18, LEARN, 1),
        _text(_LEFT + 110, height + 22, "learnt", "start"),
        _event(_LEFT + 170, height + 18, PREDICT | LEARN, 1),
        _text(_LEFT + 184, height + 22, "predicted, then learnt", "start"),
        _text(_LEFT - 9, 14, f"{axis} →", "start"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 36}" '
        f'viewBox="0 0 {width} {height + 36}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join([*parts, *legend])}</svg>\n'
    )
