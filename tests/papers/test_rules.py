"""The record of the rules that judge claims: none changes without an entry with both results."""

from __future__ import annotations

import ast
import hashlib
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from streameval import papers
from streameval.base.settings import ROOT
from streameval.report import claims
from streameval.report.claims import UNIVERSAL, Condition, Predicate, judge
from streameval.report.number_verdicts import TWO_SAMPLES
from streameval.report.results import Results
from streameval.report.scorecard import VERDICTS

#: The lines of the record on 2026-11-22, and their digest. New entries are appended behind them.
PINNED, DIGEST = 34, "57a6f0c03fe2bd768b3870bff92a9333485f2f0fa831bf297d96afc822804228"
RECORD = pd.read_csv(ROOT / "docs" / "rules.csv", keep_default_na=False)
FOLDERS = [Path(folder) for folder in papers.__path__]
SOURCES = [Path(claims.__file__), *(path for place in FOLDERS for path in place.rglob("*.py"))]
#: The words that entries of the past have for verdicts.
FORMERLY = ("holds", "holds in part", "does not hold", "undecided", "not run: quick scale")
PREDICATES = {
    (paper.id, key): predicate
    for paper in papers.all_papers().values()
    for key, predicate in paper.claims.items()
}
#: The modules that have thresholds: those that claims share, and those of each paper.
WITH_THRESHOLDS = {
    "claims": claims,
    **{
        paper: import_module(f"streameval.papers.{paper}.published")
        for paper in papers.all_papers()
    },
}


def floats(statements: list[ast.stmt]) -> list[float]:
    """The numbers with a decimal point, other than 0, in a source."""
    return [
        node.value
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value
    ]


def parsed(source: Path) -> list[ast.stmt]:
    return ast.parse(source.read_text(encoding="utf-8")).body


THRESHOLDS = {
    f"{owner}.{node.id}": getattr(module, node.id)
    for owner, module in WITH_THRESHOLDS.items()
    for statement in parsed(Path(module.__file__))
    if isinstance(statement, ast.Assign) and floats([statement])
    for node in ast.walk(statement)
    if isinstance(node, ast.Name)
}


def objections(record: pd.DataFrame, rules: dict[tuple[str, str], str]) -> list[str]:
    """Return what is wrong with a record of rules, given those in the code."""
    texts = []
    for key, rows in record.groupby(["paper", "key"], sort=False):
        if key not in rules:
            texts.append(f"{key}: no such claim")
        elif rows["rule"].iloc[-1] != rules[key]:
            texts.append(f"{key}: the rule in the code is not the last one of the record")
        if rows["since"].tolist() != sorted(rows["since"]):
            texts.append(f"{key}: the entries are not in the order of their days")
        later = rows.iloc[1:]
        if (
            not later[["before", "after"]].isin([*VERDICTS, *FORMERLY]).all(axis=None)
            or (later["why"] == "").any()
        ):
            texts.append(f"{key}: a changed rule lacks both results or the reason")
    recorded = set(zip(record["paper"], record["key"], strict=True))
    return texts + [f"{key}: not in the record" for key in rules if key not in recorded]


#: Rules for claims, and the one for rates that all tables share.
RULES = {key: predicate.rule_text for key, predicate in PREDICATES.items()}
RULES["bifet2015", "rates"] = TWO_SAMPLES
RULES["bifet2015", "power_by_validation"] = (
    "withdrawn: a second row for the one sentence of overall_by_validation"
)


def test_each_rule_is_the_last_one_of_its_record():
    assert objections(RECORD, RULES) == []


def test_entries_of_the_past_stay_as_they_are():
    lines = (ROOT / "docs" / "rules.csv").read_bytes().splitlines(keepends=True)[:PINNED]
    assert hashlib.sha256(b"".join(lines)).hexdigest() == DIGEST  # append; do not edit


@pytest.mark.parametrize("name", THRESHOLDS)
def test_every_threshold_stands_in_a_rule_that_it_decides(name):
    owner, value = name.partition(".")[0], THRESHOLDS[name]
    texts = [
        rule
        for (paper, _), predicate in PREDICATES.items()
        if owner in (paper, "claims")  # a paper's own thresholds decide its own claims
        for rule in (predicate.rule, predicate.alternative.rule if predicate.alternative else "")
    ]
    assert any(f"{value:g}" in text or f"{100 * value:g} %" in text for text in texts), name


def test_thresholds_stand_in_one_place():
    places = {Path(module.__file__): owner for owner, module in WITH_THRESHOLDS.items()}
    for source in SOURCES:
        values = [
            value for name, value in THRESHOLDS.items() if name.startswith(f"{places.get(source)}.")
        ]
        assert floats(parsed(source)) == values, source


def test_universal_claims_are_refuted_by_one_counterexample_and_others_are_not():
    held, failed, open_ = (Condition(holds, "a number") for holds in (True, False, None))
    verdicts = {
        universal: [
            judge(
                Predicate("a rule", lambda results, of=conditions: of, universal=universal),
                Results({}),
            ).verdict
            for conditions in ([held], [held, failed], [open_, failed], [held, open_], [failed])
        ]
        for universal in (True, False)
    }
    fails = "claim does not hold"
    assert verdicts[True] == ["claim holds", fails, fails, "claim undecided", fails]
    assert verdicts[False] == [
        "claim holds", "claim holds in part", fails, "claim undecided", fails
    ]  # fmt: skip


def test_the_rule_says_whether_a_claim_is_universal():
    for key, predicate in PREDICATES.items():
        assert (UNIVERSAL in RULES[key]) is predicate.universal
        assert UNIVERSAL not in predicate.rule
        assert (
            predicate.alternative is None or predicate.alternative.universal is predicate.universal
        )
