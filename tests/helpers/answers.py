"""What ``evaluate --json`` says."""

from __future__ import annotations

import json
from typing import Any


def first(out: str) -> dict[str, Any]:
    """Return what is said of the stream and, beside it, of the first learner."""
    answer: dict[str, Any] = json.loads(out)
    learners = answer.pop("learners")
    assert answer.pop("summary").endswith(".")
    return answer | next(iter(learners.values()))


def below_summary(out: str) -> str:
    """Return what is printed below the target of a file, if there is one, and the summary."""
    parts = out.split("\n\n")
    at = 1 if parts[0].startswith("The target of ") else 0
    assert parts[at].endswith(".")
    return "\n\n".join(parts[at + 1 :])
