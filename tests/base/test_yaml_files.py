"""YAML as people write it: its plain meaning, or one short message with the line."""

from __future__ import annotations

import copy

import pytest

from streameval.base import settings
from streameval.base.errors import ConfigError
from streameval.base.settings import load_yaml
from streameval.base.values import arguments_of
from streameval.learners.registry import load_learners
from streameval.pipeline import plan
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.registry import load_registry


def load(tmp_path, text: str | bytes):
    path = tmp_path / "a.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_yaml(path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-7", 1e-7),
        ("-2E+3", -2000.0),
        ("1.5e3", 1500.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("10", 10),
        ("1_000", 1000),
        ("010", "010"),
        ("1:30", "1:30"),
        ("2020-02-30", "2020-02-30"),
        ("1e", "1e"),
        ("e7", "e7"),
        ("1.2.3", "1.2.3"),
        ("~", None),
        ("", None),
        ("no", False),
        ("'no'", "no"),
        ("\ufeffa", "a"),
    ],
)
def test_scalars(tmp_path, text, value):
    content = load(tmp_path, text)
    assert (content, type(content)) == (value, type(value))


@pytest.mark.parametrize("text", ["a: !\n", "{k? v}\n", "a: 1\n\ufeffb: 2\n", "a: >-#\n  b\n"])
def test_files_are_read_as_by_the_parser_whose_messages_count(tmp_path, monkeypatch, text):
    """Libyaml takes each of these for something else, or for right."""

    def outcome() -> object:
        try:
            return load(tmp_path, text)
        except ConfigError as error:
            return str(error)

    fast_outcome = outcome()
    monkeypatch.setattr(settings, "_is_safe_for_libyaml", lambda text: False)
    assert fast_outcome == outcome()


def bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a: 1\nb: caf\xe9\n", "line 2: expected text in UTF-8, found the byte 0xe9"),
        ("a:\n\tb: 1\n", r"line 2: expected YAML, .* Indent with blanks"),
        ("a: [1,\nb: {", "line 2: expected YAML"),
        ("a: 1\nb: 2\na: 3\n", "line 1: the key 'a' occurs twice"),
        ("a: 1\n---\nb: 2\n", "line 2: expected YAML"),
        ("a: !!python/object:os.system x\n", "line 1: expected YAML"),
        ("a: \0\n", "expected YAML"),
        ("? [a]\n: b\n", "line 1: expected YAML"),
        ("a: " + "9" * 5000, "expected YAML"),
        (bomb(), "aliases"),
        ("a: &a [*a]\n", "aliases .* or contain themselves"),
        ("a: " + "{a: " * 3000, "too deeply nested lists"),
        ("".join(f"k{i}: 1\n" for i in range(500_000)), "more than"),
        (f"{'k' * 900}: 1\n{'k' * 900}: 2\n", "occurs twice"),
        ("a: *nothing\n", "line 1: expected YAML, found an error: found undefined alias"),
    ],
)
def test_what_is_wrong_is_said_shortly(tmp_path, text, message):
    with pytest.raises(ConfigError, match=message) as caught:
        load(tmp_path, text)
    assert len(str(caught.value)) < 600
    assert "a.yaml" in str(caught.value)


def test_a_long_line_is_read_as_fast_as_many_lines(tmp_path, monkeypatch):
    """Only the parser written in C reads it: the other one takes minutes for 400,000 names."""
    names = [f"name{i}" for i in range(5000)]
    monkeypatch.setattr(settings._loaders()[1], "get_single_node", None)
    assert load(tmp_path, f"a: [{', '.join(names)}]\n") == {"a": names}


@pytest.mark.parametrize("sign", ["", "!!str "])
def test_too_many_values_are_refused_while_they_are_read(tmp_path, monkeypatch, sign):
    monkeypatch.setattr(settings, "MAX_NODES", 100)
    text = f"a: [{sign}b, {', '.join(['c'] * 400)}"
    assert settings._is_safe_for_libyaml(text) is not bool(sign)
    with pytest.raises(ConfigError, match="more than 100 values"):
        load(tmp_path, f"{text}]\n")
    # PyYAML's own parser ends there, and never sees the fault behind.
    with pytest.raises(ConfigError, match="more than 100 values"):
        load(tmp_path, text)


def test_aliases_that_are_few_stay(tmp_path):
    assert load(tmp_path, "a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n")["b"] == {"x": 1, "y": 2}


@pytest.mark.parametrize("read", [load_registry, load_learners])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "it is empty"),
        ("just a text", "at the top level: "),
        ("- " + "x" * 50_000, "at the top level: "),
        ("true: {a: 1}\n", "expected a name, found True"),
        ("1: {a: 1}\n", "'1'|unknown key 1"),
        ("x: {title: .nan}\n", "at x: |unknown key x"),
        ("x: [", "line 1: expected YAML"),
        ("streams:\n  a: {title: x}\n  b: {}\n  a: {}\n", "line 2: .*'a' occurs twice"),
        (None, "expected a YAML file, found none"),
    ],
)
def test_registries_that_are_none(tmp_path, read, text, message):
    path = tmp_path / "r.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        read(path)
    assert len(str(caught.value)) < 2000
    assert "r.yaml" in str(caught.value)


# --- The plain meaning ------------------------------------------------------------------


def test_the_configuration_means_what_is_plain(config):
    """As Snakemake reads it, by YAML 1.1."""
    fig2 = {"streams": "elec2", "window": 2e2, "measures": "kappa"}
    fig7 = {"probabilities": ["1e-3", 1], "seeds": 7}
    config["items"] = {"bifet2013": {"fig2": fig2}, "zliobaite2015": {"fig7": fig7}}
    before = copy.deepcopy(config)
    run_plan = plan.make_plan(config, decide=True)
    assert config == before  # the caller's is left alone
    item = run_plan.items["bifet2013/fig2"].settings
    assert (item.streams, item.window, item.measures) == (("elec2",), 200, ("kappa",))
    assert isinstance(item.window, int)
    item = run_plan.items["zliobaite2015/fig7"].settings
    assert (item.probabilities, item.seeds) == ((1e-3, 1), (7,))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1], "fig2.streams: .*stream '1'"),
        (1, "fig2.streams: .*stream '1'"),
        ([True], "at items.bifet2013.fig2.streams.0: .*a name, found True"),
        (["elec2", "x" * 100_000], "there is no stream"),
    ],
)
def test_numbers_as_names_of_streams(config, value, message):
    config["items"] = {"bifet2013": {"fig2": {"streams": value}}}
    with pytest.raises(ConfigError, match=message) as caught:
        plan.make_plan(config, decide=True)
    assert len(str(caught.value)) < 2000


def test_options_of_readers_are_texts(tmp_path):
    text = """
streams:
  mine:
    title: Mine
    file: a.csv
    reader: csv
    class_counts: {1: 20, 2: 30}
    options: {target: 5, classes: [1, 2], drop: a, missing: -1, header: no}
"""
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    spec = load_registry(path)["mine"]
    texts = {"target": "5", "classes": ["1", "2"], "drop": ["a"], "missing": ["-1"]}
    assert spec.options == texts | {"header": False}
    assert spec.class_counts == {"1": 20, "2": 30}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": [True, False]}, "at classes: .*found True .as YAML reads yes"),
        ({"classes": [1.0]}, "at classes: .*found 1.0. If it is a name, write it in quotes"),
        ({"drop": {"a": 1}}, "at drop: expected a name, found"),
        ({"header": "maybe"}, "at header: .*true or false, found 'maybe'"),
        ({"target": None}, "at target: .*a name, found None"),
    ],
)
def test_options_of_readers_that_are_no_texts(options, message):
    with pytest.raises(ConfigError, match=message):
        arguments_of(read_csv, options)
