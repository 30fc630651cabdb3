"""Tests are chosen by what an edit reaches."""

from __future__ import annotations

import pytest
from helpers.changed import TESTS, VALIDATION, reached

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE


@pytest.mark.parametrize(
    ("test", "file", "expected"),
    [
        ("significance/test_mcnemar.py", PACKAGE / "significance" / "mcnemar.py", True),
        ("significance/test_mcnemar.py", PACKAGE / "learners" / "knn.py", False),
        ("significance/test_mcnemar.py", TESTS / "significance" / "test_mcnemar.py", True),
        ("significance/test_mcnemar.py", TESTS / "conftest.py", True),
        ("learners/test_knn.py", PACKAGE / "learners" / "knn.py", True),
        ("test_findings.py", ROOT / "docs" / "findings" / "errata.py", True),
        ("test_findings.py", ROOT / "docs" / "howto" / "which_test.md", True),
        ("test_findings.py", ROOT / "README.md", True),
        # By a name: a kind, a learner of the public functions and of a command, a sentence.
        ("items/test_kinds.py", PACKAGE / "items" / "dependence" / "lags.py", True),
        ("api/test_evaluate.py", PACKAGE / "learners" / "knn.py", True),
        ("cli/test_cli_protocol.py", PACKAGE / "learners" / "knn.py", True),
        ("pipeline/test_captions.py", PACKAGE / "items" / "dependence" / "show.py", True),
        ("learners/test_knn.py", PACKAGE / "items" / "dependence" / "show.py", False),
        ("items/test_kinds.py", VALIDATION / "label_costs" / "show.py", True),
        (
            "validation/label_costs/test_label_budget.py",
            VALIDATION / "label_costs" / "label_budget.py",
            True,
        ),
        ("learners/test_knn.py", VALIDATION / "label_costs" / "show.py", False),
        # By a folder that is copied, or searched: a workflow, its rules, any text.
        ("pipeline/test_workflow.py", PACKAGE / "items" / "dependence" / "show.py", True),
        ("pipeline/test_workflow.py", ROOT / "workflow" / "rules" / "studies.smk", True),
        ("pipeline/test_workflow.py", ROOT / "validation" / "beyond.yaml", True),
        ("test_words.py", PACKAGE / "items" / "dependence" / "show.py", True),
        ("learners/test_knn.py", ROOT / "workflow" / "rules" / "studies.smk", False),
        # By what stands among the tests: twins, other tests, fixtures, files of numbers.
        ("learners/test_knn.py", TESTS / "naive" / "learners.py", True),
        ("significance/test_mcnemar.py", TESTS / "naive" / "learners.py", False),
        ("cli/test_cli_protocol.py", TESTS / "helpers" / "commands.py", True),
        ("report/test_browser.py", TESTS / "helpers" / "readers.py", True),
        ("evaluation/test_golden_bins.py", PACKAGE / "streams" / "raw" / "fetch.py", True),
        ("significance/test_mcnemar.py", PACKAGE / "streams" / "raw" / "fetch.py", False),
        ("pipeline/test_workflow.py", TESTS / "digests" / "tiny.json", True),
    ],
)
def test_what_an_edit_reaches(test, file, expected):
    assert file.is_file()
    assert reached(TESTS / test, {file}) is expected
