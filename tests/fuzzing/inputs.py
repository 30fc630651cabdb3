"""Generated and mangled files, read by the package and by the oracle in `naive.readers`.

A file that was generated must be read as what it was generated from. A mangled one must be
refused in one short message, or be read as the oracle reads it: never a traceback, another
table, or a hang.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import lzma
import math
import random
import signal
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from naive.readers import Cell, Reading, RefusedError

from fuzzing.cases import Case
from fuzzing.files import make_case
from fuzzing.settings import draw_settings, load_settings
from streameval.base.errors import StreamevalError
from streameval.cli import main as main_of_the_command
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.stream import Attribute, Stream

#: No input may take longer, in seconds, and no message may be longer, in characters.
PATIENCE, LONGEST = 20, 2_000
#: Characters of which nobody has said whether they are blank in ARFF.
_EXOTIC = [chr(c) for c in (0x00, 0x0B, 0x0C, *range(0x1C, 0x20), 0x85, 0xA0, 0x2028, 0x2029)]


class HangError(Exception):
    """An input has taken too long."""


@contextmanager
def patience() -> Iterator[None]:
    """Stop a block after a time limit."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError(f"more than {PATIENCE} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def wrapped(case: Case) -> tuple[str, bytes]:
    """The name and the bytes of the file, inside its wrapper."""
    name, content = _packed(case)
    if not case.harm:
        return name, content
    # In an archive the name of a member, and so the format, is part of what can be damaged.
    at = len(content) - 1 - case.harm % len(content)
    rest = b"" if case.harm % 2 == 0 else bytes([content[at] ^ 1]) + content[at + 1 :]
    return name, content[:at] + rest


def _packed(case: Case) -> tuple[str, bytes]:
    name, half = f"a.{case.ending}", len(case.body) // 2
    pack = partial(gzip.compress, mtime=0)
    if case.wrapper == "gz":
        return f"{name}.gz", pack(case.body)
    if case.wrapper == "gz.gz":
        return f"{name}.gz", pack(pack(case.body))
    if case.wrapper == "gz+gz":  # as parts that were compressed one by one are joined
        return f"{name}.gz", pack(case.body[:half]) + pack(case.body[half:])
    if case.wrapper == "xz":
        return f"{name}.xz", lzma.compress(case.body)
    if case.wrapper == "zip":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, case.body)
        return f"{name}.zip", file.getvalue()
    return name, case.body


def draw(rng: random.Random) -> Case:
    """Draw an input: one in eight is a YAML file."""
    if rng.random() > 1 / 8:
        return make_case(rng)
    what, body, mangled = draw_settings(rng)
    return Case("yaml", "", body, what, mangled)


def outcome(case: Case, folder: Path) -> str:
    """Read a case; return "read" or "refused".

    Raises
    ------
    Exception
        Whatever the package raises that it should not, or what is wrong with its answer.
    """
    name, content = wrapped(case)
    path = folder / name
    path.write_bytes(content)
    try:
        with patience(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if case.ending == "yaml":
                load_settings(str(case.target), path)
                return "read"
            if case.is_for_registry:
                stream = read_csv(path, case.target or "", **case.options)
            else:
                stream = read_any(path, case.target, **case.options)
    except StreamevalError as error:
        if len(str(error)) > LONGEST:
            raise AssertionError(f"a message of {len(str(error))} characters") from error
        if not case.is_mangled:
            raise AssertionError(f"a valid file is refused: {error}") from error
        return "refused"
    finally:
        path.unlink()
    if case.expected is not None:
        stream = stream.take(np.argsort(stream.file_rows))  # the rows as they stand in the file
        compare(stream, case.expected)
        if case.times is not None:
            assert stream.time is not None
            assert stream.label_time is not None
            assert (stream.time.tolist(), stream.label_time.tolist()) == case.times, "times"
    if case.oracle is not None:
        text = case.body.decode("utf-8", "replace")
        if case.ending.lower() == "arff" and any(mark in text for mark in _EXOTIC):
            return "read"
        try:
            reading = case.oracle(case.body) if case.expected is None else case.expected
        except RefusedError as error:
            raise AssertionError(f"the oracle refuses what was read: {error}") from error
        compare(stream, reading)
    return "read"


def compare_baselines(case: Case, folder: Path) -> None:
    """Run `compare` on a valid file and hold its difference and verdict against the labels."""
    learners = ("--learner", "no_change", "--learner", "majority")
    report = _told(case, folder, "compare", *learners, "--cores", "1")
    first, second = _repeats(case), _most_frequent(case)
    n = len(first)
    accuracies = [report["learners"][name]["accuracy"] for name in ("no_change", "majority")]
    assert np.allclose(accuracies, [sum(first) / n, sum(second) / n], rtol=0, atol=1e-12)
    assert math.isclose(report["difference"], (sum(first) - sum(second)) / n, abs_tol=1e-12)
    ends = report["interval"]
    if n < MIN_EFFECTIVE_SIZE:
        assert ends is None, f"an interval from {n} instances"
    expected, rope = "cannot be told from", 0.02 * (1.0 - max(accuracies))
    assert math.isclose(report["rope"], rope, abs_tol=1e-12)
    if ends is not None:
        low, high = ends
        assert low <= report["difference"] <= high
        expected = "beats" if low > rope else "loses to" if high < -rope else expected
        expected = "practically equal" if low >= -rope and high <= rope else expected
    assert report["verdict"] == expected, f"{report['verdict']}, not {expected}: {ends}"


def _told(case: Case, folder: Path, *words: str) -> dict[str, Any]:
    """JSON output of a command for a file that it must accept."""
    name, content = wrapped(case)
    path = folder / name
    path.write_bytes(content)
    command, *options = words
    options += [f"--target={case.target}"] if case.target else []
    options += [word for option, value in case.options.items() for word in _words(option, value)]
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(record=True),
    ):
        status = main_of_the_command([command, str(path), *options, "--json"])
    path.unlink()
    assert status == 0, f"exit code {status}"
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def _known(case: Case) -> tuple[list[str], list[str]]:
    """Labels and the classes of a valid file."""
    assert case.expected is not None
    return case.expected.labels, case.expected.classes or []


def _repeats(case: Case) -> list[bool]:
    """Whether the previous label, at first the first class, is correct, by instance."""
    labels, classes = _known(case)
    before = [classes[0], *labels[:-1]]
    return [label == previous for label, previous in zip(labels, before, strict=True)]


def _most_frequent(case: Case) -> list[bool]:
    """Whether the most frequent label so far is correct, by instance.

    Of several it is the one that came first, or in ARFF, which declares them, the first class.
    """
    labels, classes = _known(case)
    is_declared = case.ending.lower() == "arff"
    counts, right = dict.fromkeys(classes if is_declared else (), 0), []
    for label in labels:
        right.append(label == (max(counts, key=counts.__getitem__) if counts else classes[0]))
        counts[label] = counts.get(label, 0) + 1
    return right


def _words(option: str, value: object) -> list[str]:
    """An option of the reader as options of the command."""
    texts = [value] if isinstance(value, str) else value
    return [f"--{option}={text}" for text in texts]  # type: ignore[attr-defined]


def compare(stream: Stream, reading: Reading) -> None:
    """Compare a stream with the content of its file."""
    schema = stream.schema
    assert len(stream) == len(reading.labels), f"n {len(stream)}, not {len(reading.labels)}"
    names = [attribute.name for attribute in schema.attributes]
    assert names == reading.names, f"names {names}, not {reading.names}"
    classes = schema.classes
    assert (classes and [*classes]) == reading.classes, f"classes {classes}"
    known = zip(stream.y.tolist(), stream.labelled, strict=True)
    labels = [None if not has else y if classes is None else classes[y] for y, has in known]
    assert labels == reading.labels, "labels"
    for attribute, ours, theirs in zip(schema.attributes, stream.X.T, reading.columns, strict=True):
        cells = [_cell(attribute, value) for value in ours.tolist()]
        for row, (mine, other) in enumerate(zip(cells, theirs, strict=True)):
            assert _same(mine, other), f"{attribute.name!r}, row {row}: {mine!r}, not {other!r}"


def _cell(attribute: Attribute, value: float) -> Cell:
    if math.isnan(value):
        return None
    return value if attribute.values is None else attribute.values[int(value)]


def _same(mine: Cell, other: Cell) -> bool:
    if isinstance(mine, float) and isinstance(other, float):
        # Fractions of a second are added up in another order here.
        return mine == other or abs(mine - other) <= 1e-6 * (abs(other) > 1e6)
    return mine == other and type(mine) is type(other)
