"""The examples on the pages run, and print what the pages show."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
import snakemake.cli as snakemake_cli
import yaml
from helpers.own_pages import unrendered
from helpers.pages import blocks, paths, steady, text

from streameval import cli
from streameval.base.settings import ROOT
from streameval.pipeline.configuration import complete, merge_files, with_command_line
from streameval.pipeline.items import items_of

PAGES = [str(path.relative_to(ROOT)) for path in paths()]
#: Streams of commands that have to be there.
REAL = {"bike", "elec2", "elec2:shuffled:1", "kdd99", "ozone"}
#: Beginnings of lines that no test of this file runs, and the tests that do.
ELSEWHERE = {
    ("pip", "install"): "test_installation.py",
    (".venv/bin/pip", "install"): "test_cluster.py",
    (".venv/bin/snakemake", "--workflow-profile"): "test_cluster.py",
    ("export",): "test_cluster.py",
    ("docker",): "test_container.py",
    ("streameval", "run"): "pipeline/test_own_study.py",
    ("cd",): "test_example_files.py",
}


def console_examples() -> list[tuple[str, str, str]]:
    """Page, command and output of each example that shows both."""
    examples = [
        (page, block.replace("\\\n", "")) for page in PAGES for block in blocks(page, "console")
    ]
    return [
        (page, *block.removeprefix("$ ").split("\n", 1))
        for page, block in examples
        if block.startswith("$ ")
    ]


def plain() -> list[tuple[str, list[str]]]:
    """Page and words of each command without an output."""
    lines = [
        (page, shlex.split(line, comments=True))
        for page in PAGES
        for block in blocks(page, "console")
        if not block.startswith("$ ")
        for line in block.replace("\\\n", "").splitlines()
    ]
    return [(page, words) for page, words in lines if words]


def of(*programs: str) -> list[tuple[str, list[str]]]:
    """The commands of a program that are run here."""
    return [
        (page, words)
        for page, words in plain()
        if Path(words[0]).name in programs
        and not any(tuple(words[: len(begin)]) == begin for begin in ELSEWHERE)
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the examples, which are also there as from the top folder."""
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "examples" / "extend" / "learner", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "nearest_mean", raising=False)  # other tests have their own
    monkeypatch.setenv("COLUMNS", "120")  # or narrow terminals leave columns out of frames
    return tmp_path


#: What blocks that stand alone print: so often, as their comments say.
PRINTED = {
    "docs/howto/python.md": ("naive_bayes_augmented", 3),
    "docs/howto/own_learner.md": ("StandardScaler | SGDClassifier", 2),
    "docs/howto/delayed_labels.md": ("hoeffding_tree", 7),
    "docs/howto/big_files.md": ("True", 1),
}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
@unrendered()
def test_python_runs_and_prints_what_its_comments_say(folder, capsys, page):
    namespace = {"__name__": "__main__"}
    for code in blocks(page, "python"):
        before = {} if page in PRINTED else namespace
        with pd.option_context("display.width", 300, "display.max_columns", 20):
            exec(compile(code, page, "exec"), before)
    text, times = PRINTED.get(page, ("", 0))
    output = capsys.readouterr().out
    assert not times or output.count(text) == times
    assert page != "docs/howto/delayed_labels.md" or (folder / "bins.svg").stat().st_size > 1000


def check_output(command: str, expected: str, capsys) -> None:
    words = shlex.split(command)
    if Path(words[0]).name == "streameval":
        short = [] if expected or not REAL & {*words} else ["--rows", "3000"]
        assert cli.main([*words[1:], *short]) == 0
        output = capsys.readouterr().out
    else:
        output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    if expected:
        assert steady(output) == steady(expected)


@pytest.mark.parametrize(
    ("page", "command", "output"),
    [example for example in console_examples() if not REAL & {*example[1].split()}],
)
@unrendered()
def test_commands_print_the_output_of_the_page(folder, monkeypatch, capsys, page, command, output):
    monkeypatch.delenv("COLUMNS")
    check_output(command, output, capsys)


@pytest.mark.parametrize(
    ("page", "command", "output"),
    [example for example in console_examples() if REAL & {*example[1].split()}],
)
def test_commands_over_real_streams_do_too(monkeypatch, capsys, page, command, output):
    monkeypatch.delenv("COLUMNS", raising=False)
    check_output(command, output, capsys)


@pytest.mark.parametrize(("page", "words"), of("streameval"))
@unrendered()
def test_commands_run(folder, capsys, page, words):
    assert cli.main(words[1:]) == 0


@pytest.mark.workflow
def test_snakemake_plans_all_studies(tmp_path):
    """The largest run of the pages; `.ci/run` plans those with a configuration of their own."""
    (words,) = {tuple(words) for _, words in of("snakemake") if words[-1] == "studies=all"}
    call = [sys.executable, "-m", *words, "--dry-run", "--quiet", "all", "--directory", tmp_path]
    done = subprocess.run(list(map(str, call)), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


#: Pages with commands beside those of the documentation; and a command in a text.
OTHER_PAGES = [
    *("CONTRIBUTING.md", "config/README.md", "benchmarks/README.md", "results/README.md"),
    *("resources/published/README.md", "resources/recorded/README.md"),
]
INLINE = re.compile(r"`((?:streameval|snakemake|make) [^`]+)`")


def written() -> dict[str, list[list[str]]]:
    """The words of all commands, in blocks and in texts of all pages, by program."""
    commands: dict[str, list[list[str]]] = {}
    for page in [*PAGES, *OTHER_PAGES]:
        texts = [" ".join(command.split()) for command in INLINE.findall(text(page))]
        for block in blocks(page, "console"):
            lines = block.replace("\\\n", "").splitlines()
            open_ = ""
            for line in lines[:1] if block.startswith("$ ") else lines:
                open_ += line.removeprefix("$ ").partition(" #")[0] + "\n"
                if open_.count("'") % 2 == 0:  # a quoted text can have several lines
                    texts.append(open_)
                    open_ = ""
        for command in texts:
            words = shlex.split(command.partition(" | ")[0], comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words = words[1:]
            if words:
                commands.setdefault(Path(words[0]).name, []).append(words[1:])
    return commands


WRITTEN = written()


def test_every_make_that_is_written_has_its_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {word for words in WRITTEN["make"] for word in words if "=" not in word}
    assert {"reproduce", "digests"} < targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_streameval_that_is_written_has_its_options():
    seen = set()
    for words in WRITTEN["streameval"]:
        if "COMMAND" in words or words == ["--version"]:
            continue
        parser = cli._parser(words)
        (commands,) = (
            action
            for action in parser._actions
            if action.dest == argparse.SUPPRESS and action.choices
        )
        known = commands.choices[words[0]]._option_string_actions
        words_of_command = words[: words.index("--")] if "--" in words else words
        options = {
            word.partition("=")[0] for word in words_of_command if re.match(r"--?[a-z]", word)
        }
        assert options <= {*known}, words
        seen |= {(words[0], option) for option in options}
    assert len(seen) > 40


def test_every_snakemake_that_is_written_is_one_of_the_project():
    parser, shipped = snakemake_cli.get_argument_parser(), merge_files([])
    plain_items = items_of(complete(shipped))
    (block,) = blocks("docs/howto/extend.md", "yaml", "An item")  # which the page then asks for
    added = {
        f"{study}/{item}" for study, of in yaml.safe_load(block)["items"].items() for item in of
    }
    for words in [
        *WRITTEN["snakemake"],
        *(words[words.index("--") + 1 :] for words in WRITTEN["streameval"] if "--" in words),
    ]:
        if "--executor" in words:  # of a plugin that is not here; test_cluster.py
            continue
        arguments = parser.parse_args(words)
        for file in arguments.configfile or ():
            assert (ROOT / file).is_file() or "path/to" in str(file), words
        config = snakemake_cli.parse_config(arguments.config)
        items = items_of(complete(with_command_line(shipped, config))) if config else plain_items
        for target in arguments.targets:
            if match := re.match(r"(?:figures|results/\w+)/(\w+/\w+)", target):
                assert match[1] in items or (match[1] in added and config), words


def test_every_python_that_is_written_is_there():
    assert len(WRITTEN["python"]) > 10
    for words in WRITTEN["python"]:
        exists = find_spec(words[1]) if words[0] == "-m" else (ROOT / words[0]).is_file()
        assert exists, words


def test_every_command_is_run_somewhere():
    here = [words for _, words in [*of("streameval"), *of("make"), *of("snakemake")]]
    rest = [words for _, words in plain() if words not in here]
    assert rest
    for words in rest:
        (file,) = {file for begin, file in ELSEWHERE.items() if (*words,)[: len(begin)] == begin}
        assert (ROOT / "tests" / file).is_file(), words
