"""Generated and mangled files: read as they were written, or refused in one message."""

from __future__ import annotations

import random

import pytest
from fuzzing.files import make_case
from fuzzing.inputs import compare_baselines, draw, outcome
from hypothesis import given, note, settings
from hypothesis import strategies as st

#: Each number is an input, by the generator that it seeds: the same ones at each run.
inputs = st.integers(0, 10**9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("inputs")


@settings(max_examples=500, derandomize=True)
@given(inputs)
def test_files_are_read_rightly_or_refused(folder, number):
    case = draw(random.Random(number))
    note(f"{case.ending}: {case.body[:500]!r}, {case.options}")
    outcome(case, folder)


def is_simple(number):
    case = make_case(random.Random(number))
    is_valid = case.expected is not None and not case.is_mangled
    return is_valid and not case.is_for_registry and case.times is None


@settings(max_examples=40, derandomize=True)
@given(inputs.filter(is_simple))
def test_commands_say_of_valid_files_what_follows_from_their_labels(folder, number):
    case = make_case(random.Random(number))
    note(f"{case.ending}: {case.body[:500]!r}, {case.options}")
    compare_baselines(case, folder)


@pytest.mark.parametrize("number", [524, 875, 1138, 1172])
def test_moments_that_go_back_are_not_those_of_a_clock_set_back(number, tmp_path):
    assert outcome(draw(random.Random(f"11:{number}")), tmp_path) == "read"
