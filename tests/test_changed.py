"""Tests are chosen by what an edit reaches."""

from __future__ import annotations

import pytest
from helpers.changed import TESTS, reached

from streameval.settings import ROOT
from streameval.sources import PACKAGE


@pytest.mark.parametrize(
    ("test", "file", "expected"),
    [
        ("significance/test_mcnemar.py", PACKAGE / "significance" / "mcnemar.py", True),
        ("significance/test_mcnemar.py", PACKAGE / "learners" / "knn.py", False),
        ("significance/test_mcnemar.py", TESTS / "significance" / "test_mcnemar.py", True),
        ("significance/test_mcnemar.py", TESTS / "conftest.py", True),
        ("learners/test_knn.py", PACKAGE / "learners" / "knn.py", True),
        ("test_findings_errata.py", TESTS / "helpers" / "findings.py", True),
        ("test_findings_errata.py", ROOT / "README.md", False),
        ("test_first_page_numbers.py", ROOT / "README.md", True),
    ],
)
def test_what_an_edit_reaches(test, file, expected):
    assert file.is_file()
    assert reached(TESTS / test, {file}) is expected
