"""Two thousand generated and mangled files: read rightly, or refused in one message."""

from __future__ import annotations

import random

import pytest
from fuzzing.files import make_case
from fuzzing.inputs import draw, outcome, run


@pytest.mark.parametrize("seed", range(8))
def test_files_are_read_rightly_or_refused(seed, tmp_path):
    counts, failures = run(100, seed, tmp_path)
    assert not failures, "\n".join(f"{f.seed}: {f.why}" for f in failures[:5])
    assert sum(count for kind, count in counts.items() if "valid" in kind) > 32
    assert sum(count for kind, count in counts.items() if "mangled: refused" in kind) > 8


@pytest.mark.parametrize("seed", range(400))
def test_the_oracle_reads_what_was_written(seed):
    case = make_case(random.Random(seed))
    if case.oracle is not None and case.expected is not None:
        assert case.oracle(case.body) == case.expected


def test_most_files_need_no_option_that_says_how_they_are_written():
    cases = [make_case(random.Random(seed)) for seed in range(600)]
    plain = {"separator": ",", "decimal": ".", "encoding": "utf-8"}
    valid = [case for case in cases if case.style is not None and not case.is_mangled]
    other = [case for case in valid if not plain.items() <= case.style.items()]
    silent = [case for case in other if "separator" not in case.options]
    assert len(silent) > len(other) / 2, f"{len(silent)} of {len(other)}"
    assert len(silent) > 30


@pytest.mark.parametrize("number", [524, 875, 1138, 1172])
def test_moments_that_go_back_are_not_those_of_a_clock_set_back(number, tmp_path):
    assert outcome(draw(random.Random(f"11:{number}")), tmp_path) == "read"
