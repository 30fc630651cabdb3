"""Help of the command, and errors about options that do not exist."""

from __future__ import annotations

import re
import shlex

import pytest
from helpers.commands import run

from streameval import cli
from streameval.cli import GLOSSARY
from streameval.protocols.registry import protocol_forms

#: The technical words that a help has to explain; other words of `GLOSSARY` may be there, too.
EXPLAINED = {
    "evaluate": {"prequential", "κ_t", "κ_m", "No-Change", "Majority", "delay", "bin", "fold"},
    "compare": {"prequential", "rope", "fold", "interval", "seed"},
    "check": {"baseline", "delay", "nominal"},
    "run": {"item"},
}


def help_of(capsys, command, columns=80, form="--help"):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as end:
            run(capsys, *command.split(), form)
    assert end.value.code == 0
    return capsys.readouterr().out


def refused(capsys, *words):
    with pytest.raises(SystemExit) as end:
        run(capsys, *words)
    assert end.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    return re.sub(r"\s+", " ", err)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["evaluate", "elec2", "--lerner=hoeffding_tree"], "--learner"),
        (["evaluate", "--lerner", "hoeffding_tree"], "--learner"),  # and the stream is missing
        (["check", "elec2", "--no-heder"], "--no-header"),
        (["run", "a.yaml", "--core", "5", "--dryrun"], "--dry-run"),  # --core is an abbreviation
    ],
)
def test_errors_about_options_suggest_similar_ones(capsys, words, hint):
    said = refused(capsys, *words)
    assert f"Did you mean '{hint}'?" in said
    assert "are required" not in said
    assert said.startswith(f"usage: streameval {words[0]} ")


@pytest.mark.parametrize("name", ["--metric", "--window"])
def test_options_that_nothing_is_near_to_get_no_suggestion(capsys, name):
    said = refused(capsys, "evaluate", "elec2", "--learner", "no_change", name, "x")
    assert (
        f"unrecognized arguments: {name} x. `streameval evaluate --help` lists all options." in said
    )
    assert "Did you mean" not in said


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["evaluate"], "STREAM, --learner"),
        ([], "COMMAND"),
    ],
)
def test_errors_name_missing_arguments(capsys, words, missing):
    assert refused(capsys, *words).endswith(f"the following arguments are required: {missing} ")


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_begins_with_two_examples_that_can_be_typed(capsys, command):
    text = help_of(capsys, command, 200)
    (block,) = re.findall(r"\A[^\n]*\n\nexamples:\n((?:  .*\n)+)\n", text)
    examples = [line.partition(" | ")[0] for line in block.splitlines()]
    assert len(examples) == 2
    for example in examples:
        program, *words = shlex.split(example)
        assert (program, words[0]) == ("streameval", command)
        assert cli._parser(words).parse_args(words).run


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_explains_the_technical_words_in_it(capsys, command):
    text = re.sub(r"\s+", " ", help_of(capsys, command))
    before, _, words = text.partition(" words: ")
    explained = {word for word, about in GLOSSARY.items() if f"{word} {about}" in words}
    assert EXPLAINED.get(command, set()) <= explained
    for word in GLOSSARY:
        is_used = re.search(rf"(?<!\w){word}s?(?!\w)", before, re.IGNORECASE) is not None
        assert (word in explained) >= is_used, word


def test_help_says_how_each_protocol_is_written(capsys):
    text = re.sub(r"\s+", "", help_of(capsys, "evaluate"))
    assert all(form in text for form in protocol_forms())


@pytest.mark.parametrize("command", ["", *cli.COMMANDS])
def test_lines_break_between_words(capsys, command):
    wide, narrow = help_of(capsys, command, 1000), help_of(capsys, command, 60)
    assert [line for line in narrow.splitlines() if len(line) > 60] == []
    known = set(wide.split())
    parted = {word for word in set(narrow.split()) - known if "[:" not in word}
    assert parted == set()
    usage = narrow.partition("\n\n")[0]
    assert re.sub(r"\s+", " ", usage) == re.sub(r"\s+", " ", wide.partition("\n\n")[0])
    assert all(line.count("[") == line.count("]") for line in usage.splitlines())


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_the_short_help_fits_a_screen(capsys, command):
    short, full = help_of(capsys, command, form="-h"), help_of(capsys, command)
    lines = short.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert short == full or f"`streameval {command} --help` shows all options" in short
    options = re.findall(r"^  (--[\w-]+)", short, re.MULTILINE)
    assert {*options} <= {*re.findall(r"(--[\w-]+)", full)}
    assert len(options) <= 14


def test_all_options_are_in_groups(capsys):
    text = help_of(capsys, "evaluate")
    titles = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert titles == ["examples", "positional arguments", *cli.GROUPS, "words"]
    known = {f"--{name}" for names in cli.GROUPS.values() for name in names}
    for command in cli.COMMANDS:
        parser = cli._parser([command])._subparsers._group_actions[0].choices[command]
        options = {cli._long(action) for action in parser._actions if action.option_strings}
        assert options - known == {"-h"}, command
