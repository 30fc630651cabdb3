"""Looks of lines: fixed for the papers' learners and for classes, computed for others.

Colours of Okabe and Ito (2008), *Color universal design*, and of the "muted" scheme of Tol (2021),
*Colour schemes*, stay apart for colour-blind readers; dashes and markers do in grey print.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from matplotlib.colors import to_hex, to_rgb

from streameval.evaluation.roles import AS_IN_MOA, AUGMENTED, CORRECTED

Dash: TypeAlias = Literal["-"] | tuple[float, tuple[float, ...]]

SOLID: Dash = "-"
LONG: Dash = (0, (7, 2))
SHORT: Dash = (0, (3, 1.5))
DOTTED: Dash = (0, (1, 1.4))
DASH_DOT: Dash = (0, (6, 1.6, 1, 1.6))
DASH_DOT_DOT: Dash = (0, (6, 1.4, 1, 1.4, 1, 1.4))


@dataclass(frozen=True)
class Look:
    """The look of a line: colour, dash pattern, marker ("" for none) and layer."""

    color: str
    dash: Dash
    marker: str = ""
    layer: float = 2.0

    @property
    def line(self) -> dict[str, Any]:
        """Colour, dash pattern and layer as arguments of matplotlib's lines."""
        return {"color": self.color, "linestyle": self.dash, "zorder": self.layer}


#: The looks that do not depend on the learners beside them: those that the papers' figures show.
LEARNERS: dict[str, Look] = {
    # The baselines are grey to black and lie above the others, which they are there to judge.
    "no_change": Look("#000000", SHORT, "", 2.4),
    "majority": Look("#8C8C8C", DOTTED, "", 2.3),
    "moving_majority": Look("#6E6E6E", DASH_DOT, "", 2.2),
    "label_proportions": Look("#A0A0A0", LONG, "", 2.1),
    "label_transitions": Look("#4D4D4D", DASH_DOT_DOT, "", 2.1),
    "naive_bayes": Look("#E69F00", SOLID, "o"),
    "hoeffding_tree": Look("#0072B2", SOLID, "s"),
    "hoeffding_adaptive_tree": Look("#56B4E9", LONG, "^"),
    "leveraging_bagging": Look("#D55E00", SOLID, "D"),
    "online_bagging": Look("#CC79A7", LONG, "v"),
    "random_forest": Look("#009E73", SOLID, "X"),
    "adaptive_random_forest": Look("#117733", DASH_DOT, "P"),
    "ddm_nb": Look("#882255", LONG, "<"),
    "ddm_random": Look("#999933", DASH_DOT_DOT, ">"),
    "knn": Look("#332288", DASH_DOT, "p"),
    "random_hoeffding_tree": Look("#994F00", SHORT, "h"),
}

#: Looks of regressors, which no figure shows beside classifiers.
REGRESSORS: dict[str, Look] = {
    # The baselines, as those of classifiers.
    "previous_target": Look("#6E6E6E", DASH_DOT, "", 2.2),
    "seasonal": Look("#8C8C8C", DOTTED, "", 2.3),
    "target_mean": Look("#000000", SHORT, "", 2.4),
    "fimt_dd": Look("#0072B2", LONG, "s"),
    "orto": Look("#56B4E9", DASH_DOT, "^"),
    "amrules": Look("#D55E00", SHORT, "D"),
    "arf_reg": Look("#117733", DASH_DOT_DOT, "P"),
}
_FIXED = {**LEARNERS, **REGRESSORS}

#: Ends of ids of wrapped learners, and of those that run as MOA's do, and how their lines
#: differ from those of the others: in their dashes, and in how much of the colour's light is left.
WRAPPED: dict[str, tuple[Dash, float]] = {
    AUGMENTED: (DASH_DOT, 1.0),
    CORRECTED: (DOTTED, 0.5),
    AS_IN_MOA: (SOLID, 1.0),
}

#: Parts of the looks of learners without a fixed one.
#: Bright ones: dark and grey ones would be taken for those of the baselines.
_OTHER_COLORS = ("#EE3377", "#44AA99", "#AA4499", "#6699CC", "#B8A000")
_OTHER_DASHES: tuple[Dash, ...] = (LONG, SHORT, DASH_DOT, DASH_DOT_DOT)
_OTHER_MARKERS = ("h", "d", "*", "H", "8")

_OTHERS = [
    Look(color, dash, marker)
    for marker in _OTHER_MARKERS
    for dash in _OTHER_DASHES
    for color in _OTHER_COLORS
]
#: Looks of the other learners of a run.
_GIVEN: ContextVar[Mapping[str, Look]] = ContextVar("looks", default=MappingProxyType({}))

CLASSES: tuple[Look, ...] = (
    Look("#0072B2", SOLID),
    Look("#D55E00", LONG),
    Look("#009E73", SHORT),
    Look("#CC79A7", DASH_DOT),
    Look("#56B4E9", DASH_DOT_DOT),
    Look("#E69F00", SOLID),
)
#: All further classes, drawn as one.
REST = Look("#6E6E6E", DOTTED)


@contextmanager
def looks_apart(learners: Iterable[str]) -> Iterator[None]:
    """Keep the looks of learners without a fixed one apart while the figures of a run are drawn.

    `learners` are the ids of all learners of the run, in the order of the registry.
    """
    looks: dict[str, Look] = {}

    def taken(look: Look) -> tuple[bool, int, bool]:
        colors = [other.color for other in looks.values()]
        in_grey = {(other.dash, other.marker) for other in (*_FIXED.values(), *looks.values())}
        alike = (look.dash, look.marker) in in_grey
        return look in looks.values(), colors.count(look.color), alike

    for learner in dict.fromkeys(map(inside, learners)):
        if learner not in _FIXED:
            looks[learner] = min(_OTHERS, key=taken)
    token = _GIVEN.set(looks)
    try:
        yield
    finally:
        _GIVEN.reset(token)


def inside(learner: str) -> str:
    """The id of the learner that is wrapped, however often."""
    for ending in WRAPPED:
        if learner not in _FIXED and learner.endswith(ending):
            return inside(learner.removesuffix(ending))
    return learner


def learner_look(learner: str) -> Look:
    """The look of a learner id; one that is not fixed depends on the id, see `looks_apart`.

    A wrapped learner has a shade of the colour, and the marker, of the one inside.
    """
    if learner in _FIXED:
        return _FIXED[learner]
    for ending, (dash, light) in WRAPPED.items():
        inside = learner.removesuffix(ending)
        if inside != learner:
            look = learner_look(inside)
            dash = dash if look.dash != dash else DASH_DOT_DOT
            return replace(look, dash=dash, color=_darker(look.color, light))
    return _GIVEN.get().get(learner) or _drawn_look(learner)


def _drawn_look(learner: str) -> Look:
    digest = hashlib.sha256(learner.encode()).digest()
    return Look(
        _OTHER_COLORS[digest[0] % len(_OTHER_COLORS)],
        _OTHER_DASHES[digest[1] % len(_OTHER_DASHES)],
        _OTHER_MARKERS[digest[2] % len(_OTHER_MARKERS)],
    )


def _darker(color: str, light: float) -> str:
    red, green, blue = to_rgb(color)
    return color if light == 1.0 else to_hex((light * red, light * green, light * blue))
