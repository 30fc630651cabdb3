"""Gain from inputs that change while labels are pending, by age."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.age_bins import ages, by_age, gains, in_units
from streameval.evaluation.evolving import evolving, parted
from streameval.evaluation.running import run_learners
from streameval.items.inputs import StreamInput
from streameval.items.pending.settings import EvolvingInputsSettings
from streameval.items.reevaluated import of_given
from streameval.protocols.ages import aged

COLUMNS = (
    *("learner", "variant", "age", "at_risk", "accuracy", "low", "high"),
    *("gain", "gain_low", "gain_high"),
)


class Variant(NamedTuple):
    """Inputs besides those at arrival, and which of them are learnt."""

    waiting: bool = False
    later: bool = False
    each: bool = False


PLAIN = "plain"
VARIANTS = {
    PLAIN: Variant(),
    "time_last": Variant(waiting=True),
    "time_each": Variant(waiting=True, each=True),
    "later_last": Variant(later=True),
    "later_each": Variant(later=True, each=True),
    "both_each": Variant(waiting=True, later=True, each=True),
}


def study(given: StreamInput[EvolvingInputsSettings]) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``inputs``.

    Columns `COLUMNS`: the accuracy over instances at risk at an age, see
    `streameval.evaluation.age_bins.by_age`, and by how much one of `VARIANTS` is more accurate
    than "plain" there, with 95 % intervals; ``unit`` is what ages count. Those with later inputs
    need `known_at`.
    """
    settings = given.settings
    made = of_given(given, settings.every)
    base, blocks = parted(made.stream, settings.known_at)
    made = made._replace(stream=base)
    found = aged(made.polls)
    at = ages(found, settings.ages, settings.least)
    places, true = found.in_force(at), base.y[made.polls.scored]
    learners, right = given.learners(), dict[tuple[str, str], NDArray[np.bool_]]()
    for name, variant in VARIANTS.items():
        if variant.later and not blocks:
            continue
        used = blocks if variant.later else []
        evolved = evolving(made, used, waiting=variant.waiting, each=variant.each)
        table, costs = run_learners(evolved.stream, evolved.tape, learners)
        for cost in costs:
            given.announce(f"{cost.learner}, {name}: {cost.seconds:.2f} s")
        for learner in learners:
            labels = table.predicted[learner][places]
            right[learner, name] = labels == true[:, None]
    parts = [pd.DataFrame(columns=[*COLUMNS])]
    for (learner, name), own in right.items():
        frame = by_age(found, at, own)
        frame[["gain", "gain_low", "gain_high"]] = gains(found, at, own, right[learner, PLAIN])
        parts.append(frame.assign(learner=learner, variant=name))
    frame = pd.concat(parts[1:] or parts, ignore_index=True)[[*COLUMNS]]
    return {"inputs": in_units(frame, base, settings.unit)}
