"""Measures: functions of true and predicted labels, never of a model (floor 1).

A stretch of predictions is counted into a `Tally`, batched over as many stretches as wanted
(`tally`, `cumulative_tallies`, `window_tallies`, `fading_tallies`, `adwin_tallies`); every
measure of `MEASURES` maps tallies to values, and to the reasons where it is undefined.
"""

from streameval.measures.fading import AlgorithmOne, algorithm_1
from streameval.measures.moa import moa_evaluate
from streameval.measures.registry import MEASURES, Measure
from streameval.measures.tally import Tally, tally
from streameval.measures.windows import (
    adwin_tallies,
    cumulative_tallies,
    fading_tallies,
    window_tallies,
)

__all__ = [
    "MEASURES",
    "AlgorithmOne",
    "Measure",
    "Tally",
    "adwin_tallies",
    "algorithm_1",
    "cumulative_tallies",
    "fading_tallies",
    "moa_evaluate",
    "tally",
    "window_tallies",
]
