"""Looks of lines. Learners of the papers and classes have fixed looks; others are computed.

Colour-blind readers can distinguish the colours, from Okabe and Ito (2008), *Color universal
design*, and the "muted" scheme of Tol (2021), *Colour schemes*. Dashes and markers differ in grey
print, too.
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

from streameval.evaluation.roles import AUGMENTED, CORRECTED, MOA_SUFFIX

Dash: TypeAlias = Literal["-"] | tuple[float, tuple[float, ...]]

# Dashes have an offset, and lengths of strokes and gaps in units of the line width.
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


#: Fixed looks of the learners in figures of papers; others depend on the learners of the run.
LEARNER_LOOKS: dict[str, Look] = {
    # Baselines are grey to black, and are drawn above the other learners, to compare with them.
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

#: Fixed looks of regressors. No figure also has classifiers, so both may share looks.
REGRESSOR_LOOKS: dict[str, Look] = {
    # Baselines, with looks similar to the baselines of classifiers.
    "previous_target": Look("#6E6E6E", DASH_DOT, "", 2.2),
    "seasonal": Look("#8C8C8C", DOTTED, "", 2.3),
    "target_mean": Look("#000000", SHORT, "", 2.4),
    "fimt_dd": Look("#0072B2", LONG, "s"),
    "orto": Look("#56B4E9", DASH_DOT, "^"),
    "amrules": Look("#D55E00", SHORT, "D"),
    "arf_reg": Look("#117733", DASH_DOT_DOT, "P"),
}
#: All fixed looks.
_FIXED = {**LEARNER_LOOKS, **REGRESSOR_LOOKS}

#: Dash and brightness of lines by the ending of a learner's id, for wrapped learners and for those
#: that run as in MOA. The brightness is relative to the colour of the learner inside.
WRAPPED_LOOKS: dict[str, tuple[Dash, float]] = {
    AUGMENTED: (DASH_DOT, 1.0),
    CORRECTED: (DOTTED, 0.5),
    MOA_SUFFIX: (SOLID, 1.0),
}

#: Colours of learners without a fixed look: bright, since dark and grey ones stand for baselines.
_OTHER_COLORS = ("#EE3377", "#44AA99", "#AA4499", "#6699CC", "#B8A000")
_OTHER_DASHES: tuple[Dash, ...] = (LONG, SHORT, DASH_DOT, DASH_DOT_DOT)
_OTHER_MARKERS = ("h", "d", "*", "H", "8")

#: All looks for learners without a fixed one, in order of preference.
_OTHER_LOOKS = [
    Look(color, dash, marker)
    for marker in _OTHER_MARKERS
    for dash in _OTHER_DASHES
    for color in _OTHER_COLORS
]
#: Looks of the learners of the current run that have no fixed one.
_RUN_LOOKS: ContextVar[Mapping[str, Look]] = ContextVar("looks", default=MappingProxyType({}))

#: Looks of classes, in order of their frequency.
CLASS_LOOKS: tuple[Look, ...] = (
    Look("#0072B2", SOLID),
    Look("#D55E00", LONG),
    Look("#009E73", SHORT),
    Look("#CC79A7", DASH_DOT),
    Look("#56B4E9", DASH_DOT_DOT),
    Look("#E69F00", SOLID),
)
#: Look of all further classes, drawn as one.
OTHER_CLASSES_LOOK = Look("#6E6E6E", DOTTED)


@contextmanager
def distinct_looks(learners: Iterable[str]) -> Iterator[None]:
    """Give learners without a fixed look different looks, while the figures of a run are drawn.

    `learners` are the ids of all learners of the run, in the order of the registry.
    """
    looks: dict[str, Look] = {}

    def preference(look: Look) -> tuple[bool, int, bool]:
        """Sort key: prefers unused looks, then rare colours, then looks that differ in grey."""
        colors = [other.color for other in looks.values()]
        in_grey = {(other.dash, other.marker) for other in (*_FIXED.values(), *looks.values())}
        is_same_in_grey = (look.dash, look.marker) in in_grey
        return look in looks.values(), colors.count(look.color), is_same_in_grey

    for learner in dict.fromkeys(map(wrapped_learner, learners)):
        if learner not in _FIXED:
            looks[learner] = min(_OTHER_LOOKS, key=preference)
    token = _RUN_LOOKS.set(looks)
    try:
        yield
    finally:
        _RUN_LOOKS.reset(token)


def wrapped_learner(learner: str) -> str:
    """The id of the learner inside all wrappers."""
    for ending in WRAPPED_LOOKS:
        if learner not in _FIXED and learner.endswith(ending):
            return wrapped_learner(learner.removesuffix(ending))
    return learner


def learner_look(learner: str) -> Look:
    """The look of a learner id: fixed, set by `distinct_looks`, or else computed from the id.

    A wrapped learner has the marker of the learner inside, and its colour or a shade of it.
    """
    if learner in _FIXED:
        return _FIXED[learner]
    for ending, (dash, brightness) in WRAPPED_LOOKS.items():
        learner_inside = learner.removesuffix(ending)
        if learner_inside != learner:
            look = learner_look(learner_inside)
            dash = dash if look.dash != dash else DASH_DOT_DOT  # unlike the learner inside
            return replace(look, dash=dash, color=_darker(look.color, brightness))
    return _RUN_LOOKS.get().get(learner) or _look_by_id(learner)


def _look_by_id(learner: str) -> Look:
    """A look that depends on the id only, by its hash."""
    digest = hashlib.sha256(learner.encode()).digest()
    return Look(
        _OTHER_COLORS[digest[0] % len(_OTHER_COLORS)],
        _OTHER_DASHES[digest[1] % len(_OTHER_DASHES)],
        _OTHER_MARKERS[digest[2] % len(_OTHER_MARKERS)],
    )


def _darker(color: str, brightness: float) -> str:
    red, green, blue = to_rgb(color)
    return (
        color
        if brightness == 1.0
        else to_hex((brightness * red, brightness * green, brightness * blue))
    )
