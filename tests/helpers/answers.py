"""What ``evaluate --json`` says."""

from __future__ import annotations

import json
from typing import Any


def first(out: str) -> dict[str, Any]:
    """Return what is said of the stream and, beside it, of the first learner."""
    answer: dict[str, Any] = json.loads(out)
    learners = answer.pop("learners")
    return answer | next(iter(learners.values()))
