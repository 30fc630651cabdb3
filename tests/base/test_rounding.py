"""Rounding of results for people: one rule for tables, sentences, pages and papers."""

from __future__ import annotations

import ast
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import streameval
from streameval.base.rounding import (
    format_lower_bound,
    format_number,
    format_upper_bound,
    percentage,
    percentage_bound,
)
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.view.formats import percent, score
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

ROOM = Context(prec=400)
#: The packages that write results for people.
ROOMS = ("api", "evaluation", "items", "pages", "papers", "report", "view")
#: Coordinates of drawings, which nobody reads.
DRAWINGS = Path("view/notebook.py")
#: A field of `str.format` with a precision.
FIELD = re.compile(r"\{\w*:[^{}]*\.\d+[fge%]\}")


def plain(text):
    return Decimal(text.replace("−", "-").replace(",", ""))


@given(
    st.floats(-1e9, 1e9) | st.integers(-(10**6), 10**6).map(lambda n: n / 800),
    st.integers(0, 5),
    st.sampled_from([1, 100]),
)
def test_numbers_are_rounded_as_their_shortest_decimals(value, decimals, factor):
    exact, unit = Decimal(repr(value)) * factor, Decimal(1).scaleb(-decimals)
    text = format_number(value, f",.{decimals}f", factor)
    assert plain(text) == exact.quantize(unit, ROUND_HALF_UP, ROOM)
    assert not text.startswith("−") or plain(text) < 0
    lower, upper = (
        plain(bound(value, f".{decimals}f", factor))
        for bound in (format_lower_bound, format_upper_bound)
    )
    exact = Decimal(f"{value:.12g}") * factor
    assert lower == exact.quantize(unit, ROUND_FLOOR, ROOM)
    assert upper == exact.quantize(unit, ROUND_CEILING, ROOM)


@given(st.floats(1e-12, 1e12), st.integers(1, 6))
def test_significant_digits_are_rounded_half_up(value, digits):
    exact = Decimal(repr(value))
    unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = Decimal(format_number(value, f".{digits}g"))
    assert rounded == exact.quantize(unit, ROUND_HALF_UP, ROOM)


def test_every_renderer_rounds_a_half_up():
    # 729 of 800: a float just below the half in binary, and exactly 91.125 %.
    assert number_text(0.91125) == score(0.91125) == "0.9113"
    assert (
        CLASSIFICATION_TASK.value_text(0.91125)
        == percent(0.91125)
        == percentage(0.91125, 2)
        == "91.13 %"
    )
    assert (
        CLASSIFICATION_TASK.interval(0.00125, -0.00125, 0.00135, unit=False)
        == "+0.13 [−0.13, +0.14]"
    )


def test_bounds_are_rounded_outwards_but_not_by_errors_of_floats():
    assert (percentage_bound(0.0425), percentage_bound(0.0425, 0)) == ("4.3 %", "5 %")
    assert percentage_bound(0.15 / 3, 0) == percentage_bound(0.045 / 0.9, 0) == "5 %"
    assert (upper_bound_text(0.12341), lower_bound_text(0.12349)) == ("0.1235", "0.1234")
    assert (upper_bound_text(-0.12349), lower_bound_text(-0.12341)) == ("−0.1234", "−0.1235")


@pytest.mark.parametrize("form", ["4f", ".4", ".2e", "z.4f", ""])
def test_a_format_without_decimals_is_refused(form):
    with pytest.raises(ValueError, match="expected a format"):
        format_number(0.5, form)


def formats(path):
    """Formats of a module that round a number: of f-strings, and of texts with fields."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        value, form = "", ""
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            parts = node.format_spec.values
            form = "".join(part.value if isinstance(part, ast.Constant) else "9" for part in parts)
            value = ast.unparse(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            form = "".join(FIELD.findall(node.value))
        # Seconds on the screen are no result; twelve digits are all that a key needs.
        if "." in form and not value.endswith("seconds") and ".12g" not in form:
            yield f"{path.name}, line {node.lineno}: {form}"


def test_results_are_rounded_by_this_module_only():
    source = Path(streameval.__file__).parent
    paths = [path for room in ROOMS for path in (source / room).rglob("*.py")]
    places = [place for path in paths if path != source / DRAWINGS for place in formats(path)]
    assert len(paths) > 150
    assert not places, "use streameval.base.rounding: " + "; ".join(places)
