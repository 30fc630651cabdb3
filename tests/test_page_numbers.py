"""The numbers in the text of the pages that no output below a command shows."""

from __future__ import annotations

import re

import pandas as pd
from helpers.pages import blocks, text

from streameval.base.settings import ROOT
from streameval.learners.registry import built_in
from streameval.learners.tasks import CLASSIFICATION, REGRESSION


def told(page: str, pattern: str) -> tuple[str, ...]:
    """Return what stands for the groups of a pattern, which the page has once or more."""
    (found,) = set(re.findall(pattern, " ".join(text(page).split())))
    return found if isinstance(found, tuple) else (found,)


def test_how_often_it_is_dry():
    rain = pd.read_csv(ROOT / "examples/demand.csv")["rain"]
    dry = f"{100 * (rain == 0).mean():.1f}"
    assert told("docs/explanation/accuracy.md", r"`examples/demand.csv` (\S+) % of the hours") == (
        dry,
    )
    assert told("docs/explanation/accuracy.md", r"correct in (\S+) % of them") == (dry,)
    assert told("docs/tutorials/csv_to_verdict.md", r"Yet (\S+) % of the hours are dry") == (dry,)


def test_what_the_tutorial_says_of_its_outputs():
    (shown,) = (
        block
        for block in blocks("docs/tutorials/csv_to_verdict.md", "console")
        if "compare demand" in block
    )
    accuracy = dict(re.findall(r"^(\w+) +(\d+\.\d+) %", shown, re.MULTILINE))
    learner, majority = told(
        "docs/tutorials/csv_to_verdict.md",
        r"Naive Bayes predicts (\S+) % of the hours .* predicting \"dry\" gives (\S+) %",
    )
    assert (learner, majority) == (accuracy["naive_bayes"], accuracy["majority"])


def test_how_many_independent_instances_there_are():
    (shown,) = (block for block in blocks("docs/howto/which_test.md", "console"))
    effective, n = re.search(r"effective instances +(\S+) of (\S+)", shown).groups()
    pattern = r"A stream of (\S+) half-hours can be worth (\S+) independent"
    said = told("docs/explanation/significance.md", pattern)
    assert said == (n, effective)


def test_how_many_learners_there_are():
    numbers = {16: "sixteen", 7: "seven"}
    expected = (numbers[len(built_in(CLASSIFICATION))], numbers[len(built_in(REGRESSION))])
    assert told("docs/comparison.md", r"the (\w+) classifiers and (\w+) regressors") == expected


def test_how_often_verdicts_after_tuning_are_false():
    rest, prefix, whole = (
        told("docs/findings.md", pattern)[0]
        for pattern in (
            r"judged on the rest, the verdict is false in at most (\S+) %",
            r"seems to be better than an equal rival, or worse, in up to (\S+) %",
            r"Chosen and judged on the whole stream, as is often done, it does in up to (\S+) %",
        )
    )
    assert told(
        "docs/howto/tuning.md",
        r"false in at most (\S+) % of simulated streams; those judged on the prefix itself in up "
        r"to (\S+) %",
    ) == (rest, prefix)
    assert told(
        "docs/explanation/significance.md",
        r"differ from an equal rival in up to (\S+) % of simulated streams, and where it was "
        r"chosen and judged on the whole stream in up to (\S+) %",
    ) == (prefix, whole)
    assert told("docs/explanation/significance.md", r"it did in at most (\S+) %") == (rest,)
