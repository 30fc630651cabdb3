"""Plain data checked against types: what is taken, and what is refused where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from streameval.errors import ConfigError
from streameval.items import kinds
from streameval.plain_data import NO_KEY, ONCE, Id, bare, checked, fields_of

Few = Annotated[tuple[int, ...], Meta(min_length=1, max_length=2, extra_json_schema=ONCE)]


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
    def also_needed(row):
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
    assert checked(content, Row, "here") == taken


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
        checked(content, Row, "here")


def test_a_part_of_a_file_may_lack_keys():
    assert checked({"way": "slow"}, Row, "here", partly=True) == {"way": "slow"}
    with pytest.raises(ConfigError, match=r"at x\.y: .*\bid\b"):
        checked("Y", Id, "here", ["x", "y"])


@pytest.mark.parametrize("name", kinds())
def test_defaults_of_kinds_have_their_types(name):
    settings = kinds()[name].settings
    fields = fields_of(settings)
    assert all(bare(field.type)[1].get("description") for field in fields.values())
    given = {
        key: msgspec.to_builtins(field.default)
        for key, field in fields.items()
        if field.default is not msgspec.NODEFAULT
    }
    taken = checked(given, settings, "here", partly=True)
    assert taken == {k: [*v] if isinstance(v, tuple) else v for k, v in given.items()}
