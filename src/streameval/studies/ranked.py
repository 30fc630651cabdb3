"""What comparisons of learners by ranks need and return; imports nothing, as kinds read it."""

from __future__ import annotations

from collections.abc import Collection

#: Fewer streams or learners are refused.
LEAST = 3
#: Columns of the mean ranks.
COLUMNS = (
    *("learner", "mean_rank", "mean", "streams", "simulated"),
    *("statistic", "p_value", "critical_difference", "alike"),
)


def too_few(streams: Collection[str], learners: Collection[str]) -> str:
    """Return what is wrong if there are too few streams or learners; "" if there are enough."""
    if min(len(streams), len(learners)) >= LEAST:
        return ""
    names = ", ".join(streams) or "none"
    return (
        f"expected at least {LEAST} streams and {LEAST} learners, found {len(streams)} streams "
        f"({names}) and {len(learners)} learners. Name more of them, or leave the item out."
    )
