"""Checks of plain data against types: accepted values, and places of refused values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
import pytest
from helpers.all_kinds import all_kinds
from helpers.declared import wrong
from msgspec import Meta

from streameval.base.errors import ConfigError
from streameval.base.schema import (
    NO_KEY,
    UNIQUE_ITEMS,
    Id,
    check_data,
    fields_of,
    without_annotations,
)
from streameval.items.recorded import RecordName
from streameval.learners.registry import LearnerSpec
from streameval.streams.registry import FileSpec, GeneratorSpec

Few = Annotated[tuple[int, ...], Meta(min_length=1, max_length=2, extra_json_schema=UNIQUE_ITEMS)]


@dataclass
class Row:
    name: Annotated[str, NO_KEY]
    size: Annotated[float, Meta(gt=0, lt=1)]
    delay: dict[str, Annotated[int, Meta(ge=0)] | tuple[int, ...] | None] | None = None
    parts: Few = (1,)
    way: Literal["fast", "slow"] = "fast"
    texts: tuple[str, ...] = ()
    options: Any = None

    @staticmethod
    def required_keys(row):
        return ["texts"] if row.get("way") == "slow" else []


@pytest.mark.parametrize(
    ("content", "taken"),
    [
        ({"size": "5e-1"}, {"size": 0.5}),
        ({"size": 0.5, "parts": 3}, {"size": 0.5, "parts": [3]}),
        ({"size": 0.5, "texts": [2008, "a"]}, {"size": 0.5, "texts": ["2008", "a"]}),
        (
            {"size": 0.5, "delay": {1: "2", date(2008, 1, 31): [3], "c": None}},
            {"size": 0.5, "delay": {"1": 2, "2008-01-31": [3], "c": None}},
        ),
        (
            {"size": 0.5, "options": {1: (float("inf"),)}},
            {"size": 0.5, "options": {"1": [float("inf")]}},
        ),
    ],
)
def test_what_is_plain_is_taken(content, taken):
    assert check_data(content, Row, "here") == taken


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "here: expected settings, found none"),
        ([1], "here: .*at the top level: .*mapping .*found "),
        ({}, "here: .*at the top level: .*key size, .*none"),
        ({"name": "x", "size": 0.5}, "here: .*at the top level: .*key name;.*delay"),
        ({"size": 0.5, "way": "slow"}, "expected the key texts, found size, way"),
        ({"size": 0.5, "way": "slwo"}, "at way: expected one of fast, slow, .* mean 'slow'"),
        ({"size": 1}, "at size: .*above 0 and below 1, found 1"),
        ({"size": True}, "at size: .*above 0 and below 1, found True"),
        ({"size": "1e999"}, "at size: .*finite .*found inf"),
        ({"size": 0.5, "delay": {"a": -1}}, "at delay.a: .*from 0, found -1"),
        ({"size": 0.5, "delay": {"a": {}}}, "at delay.a: expected a whole .* or null, found {}"),
        ({"size": 0.5, "parts": [1, 1]}, "at parts: .*once, found 1"),
        ({"size": 0.5, "parts": [1, 2, 3]}, "at parts: expected at most 2 values, found 3"),
        ({"size": 0.5, "options": {True: 1}}, "at options: .*a name, found True"),
    ],
)
def test_what_is_wrong_is_named(content, message):
    with pytest.raises(ConfigError, match=message):
        check_data(content, Row, "here")


def test_a_part_of_a_file_may_lack_keys():
    assert check_data({"way": "slow"}, Row, "here", is_partial=True) == {"way": "slow"}
    for value, wanted in (("Y", Id), ([1], Id | None)):
        with pytest.raises(ConfigError, match=r"at x\.y: expected an id\b"):
            check_data(value, wanted, "here", ["x", "y"])


@pytest.mark.parametrize(
    ("wanted", "name"),
    [(Id, "ab"), (RecordName, "a/b"), (Annotated[str, Meta(pattern="^a$")], "a")],
)
def test_no_name_has_a_line_break(wanted, name):
    """A pattern that ends in $ takes one at the end."""
    assert check_data(name, wanted, "here") == name
    for broken in (f"{name}\n", f"\n{name}", f"{name}\nx"):
        with pytest.raises(ConfigError, match=r"found .*\\n"):
            check_data(broken, wanted, "here")


@pytest.mark.parametrize("name", all_kinds())
def test_defaults_of_kinds_have_their_types(name):
    settings = all_kinds()[name].settings
    fields = fields_of(settings)
    assert all(without_annotations(field.type)[1].get("description") for field in fields.values())
    defaults = {
        key: msgspec.to_builtins(field.default)
        for key, field in fields.items()
        if field.default is not msgspec.NODEFAULT
    }
    taken = check_data(defaults, settings, "here", is_partial=True)
    assert taken == {k: [*v] if isinstance(v, tuple) else v for k, v in defaults.items()}


@pytest.mark.parametrize(
    "wanted",
    [*(kind.settings for kind in all_kinds().values()), FileSpec, GeneratorSpec, LearnerSpec],
    ids=lambda wanted: wanted.__name__,
)
def test_wrong_values_are_refused_where_they_are(wanted):
    for key, field in fields_of(wanted).items():
        for value in wrong(field.type):
            with pytest.raises(ConfigError, match=rf"^here: at {key}\b.*: (expected|unknown key)"):
                check_data({key: value}, wanted, "here", is_partial=True)
