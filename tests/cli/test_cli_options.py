"""Options for reading a file, and messages about options."""

from __future__ import annotations

import argparse
import ast
import json
import re
from functools import wraps
from pathlib import Path

import pytest
from helpers.commands import first, printed, refused, run
from helpers.own_pages import unrendered

import streameval
from streameval import cli
from streameval.base.errors import (
    ConfigError,
    DataError,
    StreamevalError,
    did_you_mean,
    listing,
    shorten_message,
)
from streameval.cli import options as options_of_commands
from streameval.learners.baselines import Majority
from streameval.streams.readers import any_file
from streameval.streams.readers.table import StreamWarning

CSV = "day,postal code,a,label\n" + "".join(
    f"{i},{1000 + i % 3},{('-', '-999', 1, 2, 3)[i % 5]},{('yes', 'no', 'no')[i % 3]}\n"
    for i in range(120)
)
EVALUATE = ("--target", "label", "--learner", "naive_bayes", "--json")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


@pytest.fixture
def opened(monkeypatch):
    """The streams that a command reads from files."""
    streams, original = [], options_of_commands.read

    @wraps(original)
    def read(*words, **options):
        streams.append(original(*words, **options))
        return streams[-1]

    monkeypatch.setattr(options_of_commands, "read", read)
    return streams


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--target", "a", "--target", "day"), "--target: expected one value, found 'a' and 'day'"),
        (("--target", "a", "day"), "unrecognized arguments: day. A command takes one STREAM"),
    ],
)
def test_a_second_stream_or_target_is_refused(capsys, table, words, said):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["evaluate", str(table), "--learner", "majority", *words])
    assert said in capsys.readouterr().err


def test_a_device_as_standard_input_is_refused(capsys):
    said = refused(capsys, "evaluate", "-", "--target", "a", "--learner", "majority")
    assert "/dev/stdin: expected a file" in said


def test_columns_are_dropped_and_made_nominal(capsys, table, opened):
    words = ("--drop", "day", "--nominal", "postal code", "--missing", "-", "-999")
    printed(capsys, "check", table, "--target", "label", *words)
    (stream,) = opened
    values = {attribute.name: attribute.values for attribute in stream.schema.attributes}
    assert values == {"postal code": ("1000", "1001", "1002"), "a": None}


def test_options_are_repeated_or_take_several(capsys, table, opened):
    missing = ("--missing=-999", "--missing", "-")
    several = (("--drop", "day", "a"), ("--drop", "day", "--drop", "a"), ("--drop=day", "--drop=a"))
    for words in several:
        printed(capsys, "check", table, "--target", "label", *words, *missing)
        assert [a.name for a in opened[-1].schema.attributes] == ["postal code"]


def test_options_reach_the_reader_only_if_they_are_given(capsys, monkeypatch, table):
    calls = []

    @wraps(options_of_commands.read)
    def read(*words, **options):
        calls.append((words, options))
        raise DataError("enough")

    monkeypatch.setattr(options_of_commands, "read", read)
    run(capsys, "check", table)
    run(capsys, "check", table, "--target", "x", "--numeric", "a,b", "c d", "--missing", "")
    assert calls == [
        ((table, None), {}),
        ((table, "x"), {"numeric": ("a,b", "c d"), "missing": ("",)}),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--no-header"], "--no-header applies to files only"),
        (["--numeric", "a", "--target", "b", "--missing=-1"], "--target and --numeric and --miss"),
    ],
)
def test_streams_of_the_registry_have_their_options_there(capsys, words, said):
    err = refused(capsys, "check", "hyp_10_0.001", *words)
    assert said in err
    assert "to files only; the options of 'hyp_10_0.001' are in the registry" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "elec22", "--learner", "no_change"], "Did you mean 'elec2' or 'elec2_mlj'?"),
        (["evaluate", "elec2", "--learner", "NaiveBayes"], "Did you mean 'naive_bayes' or"),
        (["evaluate", "elec2", "--learner", "knn", "--wrapper", "temporal_corection"], "mean 'tem"),
        (["evaluate", "x" * 5000, "--learner", "no_change"], "no stream 'xxx"),
        (["evaluate", "no/such", "--learner", "no_change"], "no/such: expected a file"),
        # A protocol is looked at before the stream is read.
        (["evaluate", "no/such", "--learner", "knn", "--protocol", "delaid"], "mean 'delayed'"),
    ],
)
def test_errors_suggest_similar_names(capsys, words, said):
    err = refused(capsys, *words)
    assert said in err
    assert len(err) < 2000


@pytest.mark.parametrize(("rows", "n"), [("1,x\n", 1), ("1,x\n2,x\n3,x\n", 3)])
def test_streams_of_one_label_are_measured_without_nan(capsys, tmp_path, rows, n):
    path = tmp_path / "one.csv"
    path.write_text("a,label\n" + rows, encoding="utf-8")
    with pytest.warns(StreamWarning, match="Stream 'one'"):
        _, out, _ = run(capsys, "evaluate", path, *EVALUATE)
    numbers = first(out)
    assert "NaN" not in out
    assert (numbers["n"], numbers["kappa"]) == (n, None)


def test_entities_are_those_of_a_column(capsys):
    words = ("evaluate", "agrawal", "--rows", 2000, "--learner", "naive_bayes")
    out = printed(capsys, *words, "--group", "elevel")
    assert "Instances belong to 5 entities, by 'elevel'" in out
    err = refused(capsys, *words, "--by-group")
    assert "--by-group: expected --group COLUMN, the column" in err


def test_a_table_of_many_columns_is_not_listed_in_full(capsys, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"column_{i}" for i in range(5000)) + "\n" + "1," * 4999 + "1\n")
    err = refused(capsys, "check", path, "--target", "column_5000")
    assert len(err) < 2000
    assert "Did you mean 'column_500' or" in err
    path.write_text("a,label\n1," + "x" * 9_000_000 + "\n2,y\n", encoding="utf-8")
    _, _, err = run(capsys, "check", path, "--target", "x" * 100_000)
    assert len(err) < 2000


def test_warnings_come_before_the_work_and_not_on_standard_output(capsys, monkeypatch, tmp_path):
    path = tmp_path / "price.csv"
    path.write_text("a,price\n" + "".join(f"1,{i}.5\n" for i in range(30)), encoding="utf-8")
    order, original = [], Majority.run

    def noted(self, *words, **options):
        order.append("run")
        return original(self, *words, **options)

    monkeypatch.setattr(Majority, "run", noted)
    monkeypatch.setattr(any_file, "warn_about", lambda *_, **__: order.append("warn"))
    words = ("evaluate", path, "--target", "price", "--learner", "majority")
    run(capsys, *words)
    assert order[:2] == ["warn", "run"]
    monkeypatch.undo()
    with pytest.warns(StreamWarning, match="price"):
        out = printed(capsys, *words, "--json")
    assert json.loads(out)["n"] == 30


def test_messages_are_bounded_and_keep_their_end():
    for kind in (StreamevalError, DataError, ConfigError):
        text = str(kind("x" * 10_000_000 + " Correct the file."))
        assert len(text) < 2000
        assert text.endswith(" Correct the file.")
    assert shorten_message("short") == "short"


def test_names_are_listed_as_far_as_there_is_room():
    assert listing([]) == ""
    listed = listing(f"column_{i}" for i in range(5000))
    assert listed.startswith("column_0, column_1, ")
    assert listed.endswith(", ... (5,000 in all)")
    assert len(listed) < 700
    assert len(listing(["x" * 10**6] * 5)) < 400


def test_near_names_are_found_in_any_case():
    assert did_you_mean("LABEL", ["a", "label"]) == "Did you mean 'label'?"
    assert did_you_mean("q", ["a", "label"]) == ""
    assert did_you_mean("--measure", ["--learner"]) == "Did you mean '--learner'?"
    assert did_you_mean("--measure", ["--learner"], 0.85) == ""
    assert did_you_mean("x" * 10**6, ["y" * 10**6] * 10) == ""


def test_a_row_of_units_is_named_and_can_be_left_out(capsys, tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(
        "x,z,y\n(mm),(kg),\n" + "".join(f"{i},{i}.5,{'uv'[i % 2]}\n" for i in range(90))
    )
    words = ("evaluate", path, "--target", "y", "--learner", "majority", "--json")
    with pytest.warns(StreamWarning, match=r"x \(\(mm\)\), z \(\(kg\)\).*: --skip-rows 1 leaves"):
        assert json.loads(printed(capsys, *words))["n"] == 91
    assert json.loads(printed(capsys, *words, "--skip-rows", 1))["n"] == 90
    assert "--skip-rows" in refused(capsys, *words, "--skip-rows", -1)


NA = "a,y\n" + "".join(f"{i % 9},{('NA', 'u', 'v', 'v')[i % 4 or i % 3]}\n" for i in range(240))
OF_EACH = {
    "evaluate": ["--learner", "naive_bayes"],
    "compare": ["--learner", "naive_bayes", "--learner", "knn"],
    "check": [],
    "detect": ["--learner", "naive_bayes", "--detector", "ddm", "--runs", "2"],
    "budget": ["--learner", "naive_bayes", "--budget", "0.5", "--strategy", "every", "--runs", "1"],
    "report": ["--learner", "naive_bayes", "--runs", "1"],
}


@unrendered()
@pytest.mark.parametrize("command", OF_EACH)
def test_each_command_names_the_target_and_how_labels_are_missing(
    capsys, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(NA)
    assert NA.count("NA") == 20
    words = (command, "s.csv", "--target", "y", *OF_EACH[command])
    out = printed(capsys, *words)
    assert out.splitlines()[0] == "The target of s is 'y', with 2 classes: u, v."
    assert "'NA' in 'y'; if NA is a class: --missing '?'" in " ".join(out.split())
    assert re.search(r"\b20 labels are missing|labels that are missing +20\n", out)


def parsers(parser: argparse.ArgumentParser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from parsers(child)


#: Options of other programs that are started: Java's, Snakemake's, and Git's.
OF_OTHERS = {"--add-opens", "--config", "--configfile", "--dryrun", "--quiet", "--snakefile"}
OF_OTHERS |= {"--forcerun", "--local-cores", "--default-resources"}
OF_OTHERS |= {"--abbrev", "--always", "--dirty", "--recurse-submodules", "--unlock"}
OF_OTHERS |= {"--create-dirs", "--workflow-profile"}
#: Options of ``python -m streameval.pipeline.verify``, which `make verify` calls.
OF_OTHERS |= {"--published", "--write"}
#: Properties of style sheets.
OF_OTHERS |= {"--above", "--c-", "--ink", "--paper"}


def test_every_option_that_a_text_names_exists():
    loaded = [p for name in cli.COMMANDS for p in parsers(cli._parser([name]))]
    known = {word for p in loaded for word in p._option_string_actions}
    option = r"(?<![\w-])--[a-z][a-z-]*"
    named = {}
    for path in Path(streameval.__file__).parent.rglob("*.py"):
        content = path.read_text(encoding="utf-8")
        if not re.search(option, content):
            continue
        for node in ast.walk(ast.parse(content)):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and "snakemake" not in text.lower():
                for word in re.findall(option, text):
                    named.setdefault(word, []).append(f"{path.name}:{node.lineno}")
    assert {"--target", "--sample", "--missing"} <= set(named)  # some are found at all
    assert {word: named[word] for word in set(named) - known - OF_OTHERS} == {}
