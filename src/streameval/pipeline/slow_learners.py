"""Learners that should have separate jobs to shorten a run, by the costs of the last run."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from streameval.pipeline.plan import Plan
from streameval.pipeline.study_jobs import costs_for

#: Smallest saving in seconds for which a separate job is advised.
LEAST_SECONDS = 60.0


class SlowRun(NamedTuple):
    """CPU seconds of a learner on a stream or variant, and of the whole job that ran it."""

    learner: str
    stream: str
    evaluation: str
    seconds: float
    seconds_of_job: float


def slow_runs(plan: Plan) -> list[SlowRun]:
    """Runs of learners that would save `LEAST_SECONDS` in a separate job, the longest first.

    A learner that runs in parallel to the other learners of its job saves the smaller one of two
    times: its own, and the time of the others. Learners with separate jobs are left out.
    """
    runs = [*((*key, 1) for key in plan.predictions), *plan.seed_runs]
    separable = list[SlowRun]()
    for name, protocol, seed in runs:
        path = Path(costs_for(plan, name, protocol, seed))
        if not path.is_file():
            continue
        with path.open(encoding="utf-8", newline="") as lines:
            # The seconds of a learner may be unknown.
            seconds = {row["learner"]: float(row["seconds"] or 0) for row in csv.DictReader(lines)}
        seconds_in_job = {
            learner: own_seconds
            for learner, own_seconds in seconds.items()
            if learner in plan.learners and not plan.learners[learner].slow
        }
        total = sum(seconds_in_job.values())
        evaluation = f"{protocol}, seed {seed}" if seed > 1 else str(protocol)
        separable += [
            SlowRun(learner, name, evaluation, own_seconds, total)
            for learner, own_seconds in seconds_in_job.items()
            if min(own_seconds, total - own_seconds) > LEAST_SECONDS
        ]
    return sorted(separable, key=lambda run: -run.seconds)


def advice(runs: list[SlowRun], max_learners: int = 5) -> list[str]:
    """Lines that advise separate jobs for the learners of some runs; empty without runs."""
    longest = dict[str, SlowRun]()
    for run in runs:  # the longest ones come first
        longest.setdefault(run.learner, run)
    if not longest:
        return []
    lines = [
        f"  {run.learner}: {run.seconds:,.0f} of {run.seconds_of_job:,.0f} CPU seconds on "
        f"{run.stream}, {run.evaluation}"
        for run in longest.values()
    ]
    more = [f"  and {len(lines) - max_learners:,} more"] * (len(lines) > max_learners)
    return [
        "With `slow: true` in its row, each of these learners would run in parallel to the others:",
        *lines[:max_learners],
        *more,
    ]
