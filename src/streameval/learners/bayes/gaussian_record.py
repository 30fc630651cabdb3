"""Layout of a *record*: the running Gaussians of the numeric attributes of one class.

A record is one block of memory: first what is derived from all attributes, then the attributes in
blocks of eight (see `lanes`), of each block eight means, eight sums of squares, and so on. Many
records lie one after the other in a flat array. Derived terms are those of `engine.terms`.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH

#: Places of derived terms in a record, before the blocks. Logarithm of the class weight times the
#: densities' maxima; a sum of the absolute logarithms of these, infinite where logarithms cannot
#: stand for densities. UNSEEN before the first instance, 1 while all instances have been complete
#: (see `engine.load_instance`), less after one that was not. Bounds within which the terms stay
#: useful.
LOG_PEAK, MAGNITUDE, EASY, BOUND, PRIOR_BOUND = range(5)
UNSEEN = 2.0
HEAD = 8
#: Places in a block: mean (0 before the first observation), sum of squared deviations,
#: weight, 1/(2·variance), which is derived, smallest and largest value.
MEAN, SQUARES, WEIGHT, INVERSE, LOW, HIGH = (i * WIDTH for i in range(6))
BLOCK = 6 * WIDTH
#: Value of 1/(2·variance) for a constant: any value other than the mean gets density 0.
POINT_MASS = 1e300


def empty_record(blocks: int) -> Floats:
    """Record of an unseen class."""
    record = np.zeros(HEAD + blocks * BLOCK)
    record[LOG_PEAK], record[EASY] = -np.inf, UNSEEN
    for at in range(HEAD, len(record), BLOCK):
        record[at + INVERSE : at + INVERSE + WIDTH] = POINT_MASS
        record[at + LOW : at + LOW + WIDTH] = np.inf
        record[at + HIGH : at + HIGH + WIDTH] = -np.inf
    return record


@inlined
def offset_of(place: int) -> int:
    """Place in a record of the Gaussian of a numeric attribute."""
    return HEAD + place // WIDTH * BLOCK + place % WIDTH
