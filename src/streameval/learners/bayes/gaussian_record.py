"""Layout of a *record*: the running Gaussians of the numeric attributes of one class.

A record begins with terms that `engine.terms` derives from all attributes. Then the attributes
follow in blocks of eight (see `lanes`): eight means, eight sums of squares, and so on. Many records
lie one after the other in a flat array.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH

# Places of the derived terms in a record.
#: Logarithm of the class weight times the highest densities of all attributes.
LOG_PEAK = 0
#: Sum of the absolute logarithms of these densities; infinite if logarithms cannot replace
#: densities.
MAGNITUDE = 1
#: UNSEEN, COMPLETE or INCOMPLETE.
STATE = 2
#: Terms are used while the degrees of freedom, and the squares divided by the variance in INVERSE,
#: are at most this number.
BOUND = 3
#: Terms are used while the class weight is at most this number.
PRIOR_BOUND = 4
#: Length of the derived terms, a multiple of eight so that blocks are aligned.
HEAD = 8

#: States of a record: without an instance; all instances were complete (see
#: `engine.load_instance`); an instance was not.
UNSEEN, COMPLETE, INCOMPLETE = 2.0, 1.0, 0.0

#: Places in a block: mean (0 before the first observation), sum of squared deviations,
#: weight, 1/(2·variance), which is derived, smallest and largest value.
MEAN, SQUARES, WEIGHT, INVERSE, LOW, HIGH = (i * WIDTH for i in range(6))
#: Length of a block.
BLOCK = 6 * WIDTH
#: Value of 1/(2·variance) for a constant. Squared differences from the mean are 0 or at least
#: 1e-232 (see `terms.SMALLEST_VALUE`), so any value other than the mean gets density 0.
POINT_MASS = 1e300


def empty_record(n_blocks: int) -> Floats:
    """Record of a class without instances."""
    record = np.zeros(HEAD + n_blocks * BLOCK)
    record[LOG_PEAK], record[STATE] = -np.inf, UNSEEN
    for block in range(HEAD, len(record), BLOCK):
        record[block + INVERSE : block + INVERSE + WIDTH] = POINT_MASS
        record[block + LOW : block + LOW + WIDTH] = np.inf
        record[block + HIGH : block + HIGH + WIDTH] = -np.inf
    return record


@inlined
def offset_of(place: int) -> int:
    """Place in a record of the Gaussian of a numeric attribute."""
    return HEAD + place // WIDTH * BLOCK + place % WIDTH
