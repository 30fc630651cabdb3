"""The three theorems of Bifet et al. (2015) by simulation."""

from __future__ import annotations

import pandas as pd

from streameval.items.inputs import ItemInput
from streameval.items.theorems.adwin_bounds import alarms, detections
from streameval.items.theorems.bound_coverage import coverage
from streameval.items.theorems.fold_discrepancy import discrepancies
from streameval.items.theorems.settings import TheoremsSettings

#: Simulated test sets for each run of the others, as these take less time.
_TESTS = 5


def study(given: ItemInput[TheoremsSettings]) -> dict[str, pd.DataFrame]:
    """Return the frames of all figures."""
    instances, runs = given.settings.instances, given.settings.seeds
    return {
        "coverage": coverage(_TESTS * runs),
        "discrepancies": discrepancies(instances, runs),
        "alarms": alarms(instances, runs),
        "detections": detections(instances // 2, runs),
    }
