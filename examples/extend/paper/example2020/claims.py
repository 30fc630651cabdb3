"""The claims of Example and Sample (2020)."""

from __future__ import annotations

from streameval.report.claims import INTERVAL_RULE, Condition, Predicate, accuracy_gaps
from streameval.report.results import Results

from .published import MIN_GAIN


def _no_change_is_better(results: Results) -> list[Condition]:
    """Section 3: "on electricity, No-Change is better than a Hoeffding tree"."""
    (gap,) = accuracy_gaps(results, "elec2", [("hoeffding_tree", "no_change")])
    numbers = f"accuracy of the tree minus that of No-Change {gap.text}"
    return [Condition(gap.at_most(-MIN_GAIN), numbers)]


CLAIMS = {
    "no_change_is_better": Predicate(
        f"No-Change is more accurate than the Hoeffding tree by at least {MIN_GAIN}; "
        f"{INTERVAL_RULE}",
        _no_change_is_better,
    )
}
