"""Each pair of options of a command gives a result, or an error that names an option.

Options are those that the parsers declare. Each has values here, made from its choices or from a
registry where it has such; an option without a value makes the test fail. A group of options that
runs at once covers its pairs if there is a result. Of a group that is refused, the two options that
suffice for it run by themselves, and are in no group from then on.
"""

from __future__ import annotations

import argparse
import inspect
import io
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from helpers.own_pages import unrendered
from msgspec import inspect as types

import streameval
from streameval import cli
from streameval.api import learners
from streameval.api.streams import read
from streameval.base.errors import ConfigError, DataError
from streameval.cli import options
from streameval.learners.wrappers.registry import WRAPPERS
from streameval.protocols.registry import PROTOCOLS
from streameval.streams.stream import Stream

#: Options that run at once, at most.
MOST = 12
ROWS = 48
#: By task the target, and two learners; the second draws at random.
TASKS = {
    "classes": ("y", "knn", "random_hoeffding_tree"),
    "numbers": ("z", "fimt_dd", "target_mean"),
}
#: What a command cannot do without.
NEEDED = {
    "check": (),
    "evaluate": ("--learner", "{0}"),
    "compare": ("--learner", "{0}", "--learner", "{1}", "--runs", "2"),
    "detect": ("--learner", "{0}", "--detector", "ddm"),
    "budget": ("--learner", "{0}", "--budget", "0.5"),
    "report": ("--learner", "{0}", "--learner", "{1}", "--runs", "2", "--output", "{page}"),
}
#: Arguments of each run, and the two helps.
GIVEN = {"stream", "target", "learner", "detectors", "output", argparse.SUPPRESS}
#: Options about the text of a file, the same for all commands: pairs of two run in one of them.
OF_TEXT = {*inspect.signature(read).parameters} - {"group", "time", "label_time"}
#: Checks of streams: those that a command makes of the one that was read are right.
FROM_INSIDE = {Stream.__post_init__.__name__, Stream._check_classes.__name__}
_PARSER = cli._parser


def protocols() -> Iterator[str]:
    """Texts of all protocols, with values of the parameters that have no default."""
    for protocol in PROTOCOLS.values():
        required = [
            parameter for parameter in protocol.declared_parameters() if parameter.is_required
        ]
        values = [
            "3" if isinstance(parameter.info, types.IntType) else "0.5" for parameter in required
        ]
        times = "--time t --label-time due" if protocol.name == "reevaluation" else ""
        yield f"{':'.join([protocol.name, *values])} {times}"


#: Values of options, with further options that they need. Of a flag, and of an option with choices,
#: they are declared.
VALUES = {
    "drop": ["word"],
    "nominal": ["word"],
    "numeric": ["x"],
    "missing": ["?"],
    "group": ["machine"],
    "separator": [","],
    "decimal": ["."],
    "thousands": ["'"],
    "encoding": ["utf-8"],
    "member": ["rows.csv"],
    "skip_rows": ["0"],
    "rows": ["40"],
    "name": ["A {names}"],
    "wrapper": [*WRAPPERS],
    "protocol": [*protocols()],
    "seasonal": ["2"],
    "intervals": ["0.5"],
    "seed": ["2"],
    "tune": ["{grid}"],
    "tune_on": ["12 --tune {grid}"],
    "figure": ["{folder}/a.svg"],
    "table": ["{folder}/a.csv"],
    "time": ["t"],
    "label_time": ["due --time t"],
    "delay": ["2"],
    "every": ["2 --delay 3"],
    "bins": ["2 --delay 3"],
    "runs": ["2"],
    "rope": ["0.1"],
    "cores": ["1"],
    "budgets": ["1"],
    "strategies": ["random"],
    "sample": ["30"],
}
#: Further options that flags and choices need.
BESIDE = {
    "header": "--skip-rows 1 --target {target}",
    "by_group": "--group machine",
    "label_first": "--time t --label-time due",
    "ignore_label_times": "--time t --label-time due",
    "by": "--delay 3",
    "rule": "--delay 3",
    "more": "--delay 3",
}


class Choice(NamedTuple):
    """An option with a value, and with the options that it needs."""

    dest: str
    words: str


#: What messages may name of the arguments of each run.
NAMED = [Choice(name, f"--{name}") for name in ("target", "learner", "detector", "budget")]


@cache
def choices(command: str) -> list[Choice]:
    """The options of a command, each with one value or several."""
    listed = []
    for action in declared(command):
        is_fixed = isinstance(action, cli._StoreOnce) and {*action.option_strings} & {
            *NEEDED[command]
        }
        if action.dest in GIVEN or is_fixed:
            continue
        option = max(action.option_strings, key=len)
        if action.nargs == 0:
            values = [""]
        elif action.choices:
            values = [str(value) for value in action.choices]
        else:
            assert action.dest in VALUES, f"{command} {option}: give it a value in VALUES."
            values = VALUES[action.dest]
        for value in values:
            listed.append(Choice(action.dest, f"{option} {value} {BESIDE.get(action.dest, '')}"))
    return listed


def declared(command: str) -> list[argparse.Action]:
    """The arguments and options that the parser of a command declares."""
    return parser(command)._subparsers._group_actions[0].choices[command]._actions


@cache
def parser(command: str) -> cli.Parser:
    """The parser of a command, made once."""
    return _PARSER([command])


class Runs:
    """Runs of a command over a small stream, in one process."""

    def __init__(self, command: str, task: str, folder: Path) -> None:
        target, *named = TASKS[task]
        needed = " ".join(NEEDED[command]).format(*named, page=folder / "page.html")
        self._base = [command, str(folder / "s.csv"), *needed.split()]
        self._target = ["--target", target]
        self._refusals: dict[frozenset[Choice], str] = {}
        #: The pairs that are still to run; a run with a result takes its pairs out.
        self.left: dict[frozenset[Choice], None] = {}
        self._values = {
            "folder": folder,
            "grid": f"{named[0]}:{'k=3,5' if task == 'classes' else 'grace_period=10,20'}",
            "names": "--name B" * (needed.count("--learner") - 1),
            "target": "x6" if task == "classes" else "x7",
        }

    def refusal(self, *chosen: Choice) -> str:
        """What the command says that does nothing; empty if there is a result."""
        if frozenset(chosen) in self._refusals:
            return self._refusals[frozenset(chosen)]
        options = self._arguments(chosen)
        words = [*self._base, *(() if "--target" in options else self._target), *options]
        try:
            # What an option adds to pages is drawn in its groups.
            with unrendered(drawn=len(chosen) > 1):
                said = refusal(lambda: cli.main(words))
        except Exception as error:
            raise AssertionError(" ".join(words)) from error
        self._refusals[frozenset(chosen)] = said
        for pair in combinations(chosen, 2) if not said else ():
            self.left.pop(frozenset(pair), None)
        return said

    def _arguments(self, chosen: Sequence[Choice]) -> list[str]:
        """The options of choices, and of those that they need the ones that no choice has."""
        parts = [re.split(r" (?=--)", choice.words.format(**self._values)) for choice in chosen]
        options = {part[0].split()[0]: part for part in parts}
        arguments = {
            name: [text for text in part if text.split()[0] == name]
            for name, part in options.items()
        }
        for part in parts:
            for text in part:
                arguments.setdefault(text.split()[0], [text])
        return [word for texts in arguments.values() for text in texts for word in text.split()]


def refusal(run: Callable[[], object]) -> str:
    """What is said by a run that does nothing; empty if there is a result."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        try:
            run()
        except (ConfigError, DataError) as error:
            if traceback.extract_tb(error.__traceback__)[-1].name in FROM_INSIDE:
                raise AssertionError("An error from inside.") from error
            return str(error)
        except SystemExit:
            return said.getvalue().splitlines()[-1]
    return ""


def is_named(said: str, choice: Choice) -> bool:
    """True if a message names an option of a choice, or quotes its value."""
    names = {choice.dest, *re.findall(r"--([\w-]+)", choice.words)}
    spelt = {spelling for name in names for spelling in (name, name.replace("_", "-"))}
    quoted = (f"'{word}'" in said for word in choice.words.split())
    return any(quoted) or any(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.I) for name in spelt
    )


def is_clear(said: str, command: str) -> bool:
    """True if a message names an option of the command, or quotes the value of one."""
    return any(is_named(said, choice) for choice in (*choices(command), *NAMED))


def pairs_of(command: str, task: str) -> list[tuple[Choice, Choice]]:
    """The pairs of options.

    Those of two options about the text of a file run in one command, with one of them by one task,
    but not in pages, which take longest.
    """
    most = {"check": 2, "report": 0}.get(command, 1 if task == "classes" else 0)
    return [
        (a, b)
        for a, b in combinations(choices(command), 2)
        if a.dest != b.dest and (a.dest in OF_TEXT) + (b.dest in OF_TEXT) <= most
    ]


def grown(
    first: frozenset[Choice],
    others: list[Choice],
    left: dict[frozenset[Choice], None],
    apart: set[frozenset[Choice]],
) -> list[Choice]:
    """Options that run at once: a pair, and options that cover most of the pairs left."""
    group = [*first]
    while len(group) < MOST:
        free = [
            choice
            for choice in others
            if choice.dest not in {member.dest for member in group}
            and not any(frozenset({choice, member}) in apart for member in group)
        ]
        gains = {c: sum(frozenset({c, member}) in left for member in group) for c in free}
        if not any(gains.values()):
            break
        group.append(max(free, key=gains.__getitem__))
    return group


def culpable(group: list[Choice], said: str, runs: Runs) -> frozenset[Choice]:
    """Two options of a refused group that its message names, or that suffice to refuse it."""
    named = [
        choice
        for choice in group
        if is_named(said, choice._replace(words=choice.words.split(" --")[0]))
    ]
    if len(named) == 2:
        return frozenset(named)
    last = group[shortest(group, runs)]
    turned = [last, *group[: group.index(last)]]
    return frozenset({last, turned[shortest(turned, runs)]})


def shortest(group: list[Choice], runs: Runs) -> int:
    """The place of the last option of the shortest beginning of a group that is refused."""
    low, high = 1, len(group) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if runs.refusal(*group[: middle + 1]) else (middle + 1, high)
    return high


def write_stream(folder):
    """Write the stream: its times, labels that arrive later, three machines, and both targets."""
    draws = np.random.default_rng(1)
    lines = ["t,due,x,word,machine,y,z"]
    for place in range(ROWS):
        x, kind = draws.normal(), draws.integers(3)
        y = "ab"[(x + draws.normal() > 0) ^ (place // 9 % 2)]
        lines.append(
            f"{place},{place + 3 + kind},{x:.3f},{'uv'[place % 2]},{'pqr'[kind]},{y},"
            f"{2 * x + draws.normal():.3f}"
        )
    (folder / "s.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs")
    write_stream(path)
    return path


@pytest.fixture
def quick(monkeypatch):
    """No second parser, no files of figures, and short streams that can be tuned on."""
    monkeypatch.setattr(cli, "run_guarded", lambda run: run())
    monkeypatch.setattr(cli, "_parser", lambda words: parser(words[0]))
    monkeypatch.setattr(options, "write_figure", lambda figure, path: None)  # takes a second
    monkeypatch.setattr("streameval.api.tune.MIN_INSTANCES", 4)
    monkeypatch.setattr(learners, "load_learners", cache(learners.load_learners))


def test_each_command_that_reads_a_stream_is_here():
    reads = {
        name for name in cli.COMMANDS if "stream" in {action.dest for action in declared(name)}
    }
    assert reads == {*NEEDED}, "Name the command in NEEDED, with what it cannot do without."


@pytest.mark.long("a command runs several hundred times")
@pytest.mark.filterwarnings("ignore::streameval.streams.readers.table.StreamWarning")
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("command", NEEDED)
def test_each_pair_has_a_result_or_an_error_that_names_an_option(folder, command, task):
    runs = Runs(command, task, folder)
    left = runs.left = dict.fromkeys(map(frozenset, pairs_of(command, task)))
    alone = {choice: runs.refusal(choice) for choice in choices(command)}
    wrong = {said for said in alone.values() if said and not is_clear(said, command)}
    apart: set[frozenset[Choice]] = set()  # pairs that some group is refused for
    while left:
        first = min(left, key=lambda pair: not any(alone[choice] for choice in pair))
        group = grown(
            first, [choice for choice in choices(command) if not alone[choice]], left, apart
        )
        said = runs.refusal(*group)
        refused = [choice for choice in group if alone[choice]]
        if said and not refused and len(group) > 2:
            culprits = culpable(group, said, runs)
            group = [*(first if culprits in apart else culprits)]
            apart.add(frozenset(group))
            said = runs.refusal(*group)
        if said and not is_clear(said, command):
            wrong.add(f"{' '.join(choice.words for choice in group)}: {said}")
        for pair in map(frozenset, combinations(group, 2)):
            if not refused or pair & {*refused}:
                left.pop(pair, None)
    assert not wrong, "\n".join(wrong)


#: Values of what functions have and commands do not, and of what stands beside it.
ARGUMENTS = {
    "pretrain": [12],
    "progress": [False],
    "protocol": ["delayed:3", "partial:0.5", "reevaluation:3", "cross_validation:3:held_out"],
    "delay": [3],
    "every": [2],
    "label_first": [True],
    "ignore_label_times": [True],
    "seasonal": [[2, 3]],
    "intervals": ["0.5"],
    "scores": [True],
    "seed": [2],
    "runs": [2],
    "rope": [0.1],
    "bins": [2],
    "cores": [1],
}


@pytest.mark.long("a function runs up to a hundred times")
@pytest.mark.filterwarnings("ignore::streameval.streams.readers.table.StreamWarning")
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("function", [streameval.evaluate, streameval.compare])
def test_arguments_that_commands_lack_stand_beside_each_other(folder, function, task):
    target, *named = TASKS[task]
    about = {"numeric_target": task == "numbers", "group": "machine"}
    plain = read(folder / "s.csv", target, drop=("t", "due"), **about)
    late = read(folder / "s.csv", target, time="t", label_time="due", **about)
    known = [*inspect.signature(function).parameters][2:]
    assert set(known) <= {*ARGUMENTS}, "Give a new argument a value in ARGUMENTS."
    lacking = set(known) - {choice.dest for choice in choices(function.__name__)}
    usual = {"progress": False} | ({"runs": 2} if "runs" in known else {})
    for first, other in product(sorted(lacking), known):
        for value, stream in product(ARGUMENTS[other], (plain, late)[: 1 + (first == "pretrain")]):
            arguments = usual | {first: ARGUMENTS[first][0], other: value}
            said = refusal(
                lambda stream=stream, arguments=arguments: render(
                    function(stream, named, **arguments)
                )
            )
            names = {*known, "target", "label_time", "learner"}
            assert not said or any(re.search(rf"\b{name}\b", said) for name in names), arguments


def render(result: streameval.Result | streameval.Comparison) -> None:
    """Make the text and the numbers by group of a result."""
    assert f"{result}"
    assert len(result.by_group())
