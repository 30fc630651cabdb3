"""The numbers in the text of the pages that no output below a command shows."""

from __future__ import annotations

import re

import pandas as pd
from helpers.pages import blocks, text

from streameval.learners.registry import LEARNERS, REGRESSORS
from streameval.settings import ROOT


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
    expected = (numbers[len(LEARNERS)], numbers[len(REGRESSORS)])
    assert told("docs/comparison.md", r"the (\w+) classifiers and (\w+) regressors") == expected
