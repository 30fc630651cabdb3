"""The figure of accuracy by the labels that are learnt."""

from __future__ import annotations

from typing import get_args

import pytest

from label_costs import CURVES, LabelBudgetSettings, Strategy
from label_costs.label_budget import study
from streameval.drawing.label_budget import STRATEGIES
from streameval.evaluation.label_budget import BudgetPoint, label_curves, number_of_runs
from streameval.items.inputs import StreamInput
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.partial import INDEPENDENT, SCORE_BASED
from streameval.streams.generators.sea import Sea

SETTINGS = LabelBudgetSettings(
    streams=("s",),
    learners=("naive_bayes",),
    budgets=(0.05, 0.3),
    strategies=("random", "variable_uncertainty"),
    runs=2,
)


@pytest.fixture(scope="module")
def curves():
    stream_input = StreamInput(settings=SETTINGS, name="s", spec=None)
    stream_input.__dict__["stream"] = Sea().stream(800)
    object.__setattr__(stream_input, "learners", lambda: {"naive_bayes": NaiveBayes()})
    return study(stream_input)["curves"]


def test_the_study_is_that_of_the_command(curves):
    assert BudgetPoint._fields == CURVES
    expected = label_curves(
        Sea().stream(800),
        {"naive_bayes": NaiveBayes()},
        SETTINGS.budgets,
        SETTINGS.strategies,
        runs=2,
        workers=2,
    )
    assert [tuple(row) for row in curves.itertuples(index=False)] == [tuple(r) for r in expected]


def test_strategies_have_one_list():
    assert get_args(Strategy) == (*INDEPENDENT, *SCORE_BASED) == tuple(STRATEGIES)


def test_the_cost_is_that_of_the_runs():
    assert SETTINGS.cost().runs == number_of_runs(1, 2, 2, 2)


def test_too_many_panels_are_refused():
    many = LabelBudgetSettings(
        streams=("s",), learners=tuple("abcde"), budgets=(0.1,), strategies=("every",)
    )
    assert [*many.setting_faults({})] == ["learners: expected at most 4, a panel for each, found 5"]
