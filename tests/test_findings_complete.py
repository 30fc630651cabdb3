"""Each number of docs/findings.md stands in a sentence that a test computes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from helpers.findings import TEXT

from streameval.base.settings import ROOT

NUMBER = re.compile(r"(?<![\w₀-₉/])\d+(?:[.,/]\d+)*(?![\w₀-₉])")
#: How many letters of a sentence a test must state, lest it match any text.
ENOUGH = 12
#: Where a sentence that ends with a number ends.
END = "(?=[.,;:)]?(?: |$))"
#: What is no result: the claim of a paper as it prints it, titles, names of files, keys and data
#: sets, places in papers, dates, the confidence of intervals, and a comparison with zero.
NO_RESULT = re.compile(
    r"\*\*Claim(?:\.\*\*| \*\*|\*\* ).*?(?=- \*\*Here)"
    r"|`[^`]*`|SHA-256|\]\([^)]*\)|\d{4}-\d\d-\d\d|\(\d{4}\)|\bof 20\d\d\b|\b\d{4} paper\b"
    r"|\b(?:Figures?|Tables?|Sections?|Propositions?|Theorems?|Algorithm) "
    r"[\d.]*\d(?:(?:,| to| and) [\d.]*\d)*"
    r"|\b95 %|\b(?:B \+ 1|bins? 0)\b|\b0(?![.,]\d)"
)


def _patterns() -> Iterator[str]:
    """Yield a pattern for each sentence that a test compares, whatever numbers it computes."""
    for file in sorted((ROOT / "tests").glob("test_findings_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "said":
                words, pattern = _pattern(node.args[0])
                if words >= ENOUGH or pattern.startswith(r"\|"):
                    yield pattern


def _pattern(node: ast.expr) -> tuple[int, str]:
    """Return how many letters a sentence states, and its pattern; a number may be any text."""
    if isinstance(node, ast.Constant):
        text = str(node.value)
        within = r"(?!\d)" if text.endswith((".", ",")) else ""  # no end within a number
        return len(text), re.escape(text) + within
    if isinstance(node, ast.JoinedStr):
        parts = [_pattern(value) for value in node.values]
        ends = "" if isinstance(node.values[-1], ast.Constant) else END
        return sum(words for words, _ in parts), "".join(pattern for _, pattern in parts) + ends
    if isinstance(node, ast.Call):  # a row of a table, with its minus signs replaced
        assert isinstance(node.func, ast.Attribute)
        return _pattern(node.func.value)
    assert isinstance(node, ast.FormattedValue), ast.unparse(node)
    is_cells = ast.unparse(node.value).startswith("' | '.join")
    return 0, "[^|]+?(?: \\| [^|]+?)*" if is_cells else "[^|]{1,60}?"


def _titles() -> Iterator[str]:
    for line in (ROOT / "docs" / "findings.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            yield re.escape(line)


def _held(patterns: Iterator[str]) -> set[int]:
    """Return the places of the page that patterns cover."""
    found = (match.span() for pattern in patterns for match in re.finditer(pattern, TEXT))
    return {place for start, end in found for place in range(start, end)}


def test_no_number_is_in_none_of_the_tested_sentences():
    held = _held(iter([NO_RESULT.pattern, *_titles(), *_patterns()]))
    numbers = list(NUMBER.finditer(TEXT))
    assert len(numbers) > 300
    loose = [match for match in numbers if not held.issuperset(range(*match.span()))]
    assert not loose, "\n".join(TEXT[max(0, m.start() - 60) : m.end() + 20] for m in loose)
