"""MOA's learners, run by MOA itself in a separate process."""

from __future__ import annotations

import importlib.util
import math
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError, DataError, excerpt
from streameval.base.files import replacing_file
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.protocols.tape import PREDICT_THEN_LEARN, Tape
from streameval.streams.stream import Attribute, Stream

# Columns of MOA's learning curve that hold the costs in `Predictions`: time, memory and size.
SECONDS = "evaluation time (cpu seconds)"
BYTES = "model serialized size (bytes)"
SIZE = {"nodes": "tree size (nodes)", "leaves": "tree size (leaves)", "depth": "tree depth"}

#: Java class that measures the size of objects.
_AGENT = "sizeof.agent.SizeOfAgent"
# Files of a run: the stream, MOA's predictions, and its learning curve.
_STREAM, _PREDICTIONS, _CURVE = "stream.arff", "predictions.csv", "curve.csv"
#: Percentage of progress in MOA's output.
_PERCENT = re.compile(r"\[running\] +([\d.]+)%")
#: Number of lines of Java's output in an error: its message, and the beginning of a stack trace.
_MAX_ERROR_LINES = 15
#: Lines that MOA writes without an error.
_NORMAL_LINE = re.compile(
    r"\{M\}|Version:|Copyright:|Web:|.*\[(running|failed)\]|Task completed|\s*$"
)


@dataclass(frozen=True)
class MoaLearner(Learner):
    """A classifier of MOA, as written on MOA's command line.

    The stream is written as ARFF, and MOA's own ``EvaluatePrequential`` runs over it. Each row is
    predicted and then learnt with weight 1. Other tapes are an error, as MOA's command line cannot
    run them. Class scores are an error, as MOA does not write them. MOA predicts class 0 before the
    first label. Its command line seeds every learner with 1, so the seed of the run has no effect.

    ``Predictions.seconds`` is the time that MOA reports, including reading the file.
    ``Predictions.model_bytes`` and ``size`` are the sizes that MOA reports at the end;
    ``model_bytes`` is 0 if MOA cannot measure the model.

    Parameters
    ----------
    learner : str
        For example ``trees.HoeffdingTree -g 100``.
    measure_size : bool
        Run with MOA's agent that measures models. Without the agent, trees may exceed their memory
        limit (``-m``, by default 32 MB). MOA checks the limit once per million instances.

    Raises
    ------
    ConfigError
        If there is no Java, or no MOA.

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive Online Analysis.
    """

    uses_class_codes: ClassVar[bool] = True

    learner: str
    measure_size: bool = True

    name: ClassVar[str] = "moa"
    reference: ClassVar[str] = "Bifet, Holmes, Kirkby and Pfahringer (2010), MOA"

    def _check_combination(self) -> None:
        if not _has_balanced_brackets(self.learner):
            raise ConfigError(
                "moa: learner: expected the text after -l on MOA's command line, with brackets in "
                f"pairs, found {excerpt(self.learner)!r}. Add or remove a bracket."
            )
        find_java()
        find_jar()

    def check_scores(self, stream: Stream) -> None:
        """Raise ConfigError, as MOA gives no scores; see `Learner.check_scores`."""
        raise ConfigError(
            "MOA writes no class scores to its file of predictions. Run it without scores."
        )

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.run`."""
        self._check_can_run(stream, tape)
        _check_prequential(tape)
        if scores:
            self.check_scores(stream)
        n = len(tape)
        if n == 0:
            return Predictions(tape.row, np.empty(0, np.int16), stream.n_classes)
        # -i is the number of instances, and -f the number between two lines of the learning curve:
        # it has a single line, at the end.
        task = (
            f"EvaluatePrequential -l ({self.learner}) -s (ArffFileStream -f {_STREAM}) "
            f"-i {n} -f {n} -e BasicClassificationPerformanceEvaluator -o {_PREDICTIONS}"
        )
        with tempfile.TemporaryDirectory(prefix="streameval-moa-") as name:
            folder = Path(name)
            write_for_moa(stream.take(slice(0, n)), folder / _STREAM)
            report = run_task(task, folder, n, measure_size=self.measure_size, progress=progress)
            label = _read_predictions(folder / _PREDICTIONS, stream.y[:n])
        return Predictions(
            row=tape.predict_rows,
            label=label,
            n_classes=stream.n_classes,
            seconds=report[SECONDS],
            model_bytes=int(max(report.get(BYTES, 0), 0)),  # negative if MOA cannot measure it
            size={
                name: int(report[moa_name]) for name, moa_name in SIZE.items() if moa_name in report
            },
        )


def _has_balanced_brackets(text: str) -> bool:
    """True if the brackets in a text are balanced, so that it is one option of a task."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _check_prequential(tape: Tape) -> None:
    differences = {
        "rows out of order": (tape.row != np.arange(len(tape))).any(),
        "rows that are only predicted or only learnt": (tape.op != PREDICT_THEN_LEARN).any(),
        "weights other than 1": (tape.weight != 1).any(),
    }
    present = [name for name, is_present in differences.items() if is_present]
    if present:
        raise ConfigError(
            "MOA's command line runs over rows 0, 1, 2, ... once each, predicted and then learnt "
            f"with weight 1; the tape has {' and '.join(present)}. Use MOA's learners for "
            "prequential evaluation, or a learner of the package with the same predictions."
        )


def write_for_moa(stream: Stream, path: Path) -> None:
    """Write a stream as ARFF, with neutral names.

    MOA's reader fails at quoted question marks and escapes; its learners do not use names.
    """
    attributes = tuple(
        Attribute(f"a{j}", None if a.values is None else _numbered("v", len(a.values)))
        for j, a in enumerate(stream.schema.attributes)
    )
    schema = replace(
        stream.schema,
        attributes=attributes,
        target="class",
        classes=_numbered("c", stream.n_classes),
    )
    # The digest of `stream` is not the digest of the renamed stream.
    write_arff(replace(stream, schema=schema, name="stream"), path)


def _numbered(letter: str, n: int) -> tuple[str, ...]:
    """Names "a0", "a1" and so on."""
    return tuple(f"{letter}{i}" for i in range(n))


def run_task(
    task: str,
    folder: Path,
    n: int = 0,
    *,
    measure_size: bool = False,
    progress: Progress | None = None,
) -> dict[str, float]:
    """Run a task of MOA.

    Parameters
    ----------
    task : str
        The task in the notation of MOA's command line.
    folder : Path
        Working folder; file names in the task are relative to it.
    n : int
        Number of instances, for `progress`.
    measure_size : bool
        Run with MOA's agent that measures models, if MOA has it.
    progress : callable, optional
        Called with the number of instances since the last call.

    Returns
    -------
    dict of str to float
        Finite numbers of the last line of the learning curve, by MOA's names.

    Raises
    ------
    ConfigError
        If Java or MOA is not installed.
    DataError
        If the task fails. The message contains Java's output.
    """
    java, jar = find_java(), find_jar()
    class_path = f"{jar}{os.pathsep}{jar.parent / '*'}"
    agent = _agent_options(jar, folder) if measure_size else []
    command = [java, *agent, "-cp", class_path, "moa.DoTask", task]
    with (
        (folder / _CURVE).open("wb") as curve,
        subprocess.Popen(  # noqa: S603 - no shell: the words are one argument each
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=curve, stderr=subprocess.PIPE
        ) as process,
    ):
        try:
            output = _read_output(process, n, progress)
        except BaseException:
            process.kill()
            raise
    import pandas as pd  # takes 0.4 s, and is not needed elsewhere in this module

    lines = (folder / _CURVE).read_text(encoding="utf-8", errors="replace").splitlines()
    table = [line.split(",") for line in lines if "," in line]
    if len(table) < 2:
        raise DataError(_failure_message(task, output))
    numbers = {
        name: pd.to_numeric(text, errors="coerce")
        for name, text in zip(table[0], table[-1], strict=False)
    }
    return {name: float(number) for name, number in numbers.items() if math.isfinite(number)}


def _read_output(process: subprocess.Popen[bytes], n: int, progress: Progress | None) -> str:
    """Standard error of a process; the percentages in it are reported as progress."""
    assert process.stderr is not None  # noqa: S101  it was opened as a pipe
    output, reported = "", 0
    while chunk := os.read(process.stderr.fileno(), 1 << 16):
        output += chunk.decode(errors="replace")
        percentages = _PERCENT.findall(output[-1000:])  # the end has the latest percentage
        n_done = int(n * min(float(percentages[-1]) / 100, 1)) if percentages else 0
        if progress is not None and n_done > reported:
            progress(n_done - reported)
            reported = n_done
    if process.wait() == 0 and progress is not None:
        progress(n - reported)
    return output


def _failure_message(task: str, output: str) -> str:
    lines = [line for line in re.split(r"[\r\n]+", output) if not _NORMAL_LINE.match(line)]
    hint = ""
    if "is not an instance of moa.tasks" in output:
        hint = " MOA could not parse it: check the name of the learner, and its options."
    return f"MOA could not run {task!r}.{hint} Java says:\n" + "\n".join(lines[:_MAX_ERROR_LINES])


def _read_predictions(path: Path, true: Codes) -> NDArray[np.int16]:
    """Read lines of the predicted and the true class code."""
    if not path.is_file():
        raise DataError("MOA wrote no file of predictions, and gave no reason.")
    import pandas as pd

    table = pd.read_csv(path, header=None, usecols=[0, 1]).to_numpy()
    if len(table) != len(true) or (table[:, 1] != true).any():
        raise DataError(
            f"MOA evaluated other rows or labels: expected {len(true):,} rows of the stream, found "
            f"{len(table):,}. Does the learner contain a filter or sampling?"
        )
    label: NDArray[np.int16] = table[:, 0].astype(np.int16)
    return label


def find_java() -> str:
    """Path of the command ``java``; raises ConfigError if Java is not installed."""
    java = shutil.which("java")
    if java is None:
        raise ConfigError(
            "MOA needs Java, and there is no command 'java'. Install version 11 or later, for "
            "example with: apt install default-jre-headless, or conda install openjdk."
        )
    return java


def find_jar() -> Path:
    """Path of MOA's jar, from ``MOA_JAR`` or from an installed capymoa.

    Raises ConfigError, which says how to get MOA, if there is no jar.
    """
    setting = os.environ.get("MOA_JAR")
    if setting:
        if not Path(setting).is_file():
            raise ConfigError(f"MOA_JAR is {setting}: expected the file moa.jar, found none.")
        return Path(setting).resolve()
    package = importlib.util.find_spec("capymoa")
    if package is not None and package.origin is not None:
        jar = Path(package.origin).parent / "jar" / "moa.jar"
        if jar.is_file():
            return jar
    raise ConfigError(
        "MOA's jar: set the environment variable MOA_JAR to its path (it is in the lib folder of a "
        'release of MOA), or install it with CapyMOA: pip install "streameval[moa]".'
    )


def _agent_options(jar: Path, folder: Path) -> list[str]:
    """Java's options for MOA's agent, which measures sizes; empty if there is no agent.

    The agent is in MOA's jar, or in a jar ``sizeofag`` beside it.
    """
    member = f"{_AGENT.replace('.', '/')}.class"
    with zipfile.ZipFile(jar) as archive:
        is_in_jar = member in archive.namelist()
    if not is_in_jar and not [*jar.parent.glob("sizeofag*.jar")]:
        return []
    # Java loads an agent from a jar whose manifest names its class. The class itself is on the
    # class path.
    manifest = f"Manifest-Version: 1.0\nPremain-Class: {_AGENT}\n\n"
    with zipfile.ZipFile(folder / "agent.jar", "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", manifest)
    # Without these options the agent cannot inspect Java's lists, and sizes are far too small.
    options = [f"--add-opens=java.base/java.{part}=ALL-UNNAMED" for part in ("lang", "util")]
    return [*options, "-javaagent:agent.jar"]


#: Number of rows that are converted to text at a time.
BLOCK = 1 << 14
#: Texts that every reader of the format accepts without quotes.
_UNQUOTED = re.compile(r"[\w.+-]+", re.ASCII)
#: Escapes in quoted texts of ARFF.
_ESCAPES = str.maketrans({"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


def write_arff(stream: Stream, path: str | Path) -> None:
    """Write a stream as ARFF, the target last; `read_arff` reads it back unchanged.

    Numbers have enough digits to read back the same doubles. Missing values are ``?``. The time
    stamps of the stream are left out, as ARFF has none.

    Parameters
    ----------
    stream : Stream
        The stream.
    path : str or Path
        The new file; its folder is created if needed.

    Raises
    ------
    DataError
        If the stream contains an infinite number, which ARFF cannot express.
    """
    schema = stream.schema
    # (name, nominal values or None) of each column
    columns = [*((a.name, a.values) for a in schema.attributes), (schema.target, schema.classes)]
    texts = [None if values is None else [*map(_quote, values)] for _, values in columns]
    with replacing_file(Path(path)) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"@relation {_quote(stream.name)}\n")
        for (name, _), values in zip(columns, texts, strict=True):
            arff_type = "numeric" if values is None else "{" + ",".join(values) + "}"
            file.write(f"@attribute {_quote(name)} {arff_type}\n")
        file.write("@data\n")
        for start in range(0, len(stream), BLOCK):
            rows = slice(start, start + BLOCK)
            numbers = [*stream.X[rows].T, stream.y[rows]]
            cells = [_cells(*column) for column in zip(numbers, texts, strict=True)]
            _check_finite(stream, numbers, start)
            file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def _cells(column: NDArray[Any], values: list[str] | None) -> Iterable[str]:
    """Texts of a column: its numbers, or the nominal `values` of its codes."""
    if values is None:
        # NaN, a missing value, is the only number that differs from itself.
        return (repr(x) if x == x else "?" for x in column.astype(np.float64).tolist())
    # NaN, or the code of a missing label, selects the last text.
    codes = np.where(np.isnan(column) | (column < 0), len(values), column).astype(np.intp)
    return np.array([*values, "?"], dtype=object)[codes]


def _check_finite(stream: Stream, columns: list[NDArray[Any]], start: int) -> None:
    for j, column in enumerate(columns):
        infinite = np.flatnonzero(np.isinf(column))
        if infinite.size:
            names = [*(a.name for a in stream.schema.attributes), stream.schema.target]
            row = stream.file_row_of(start + int(infinite[0]))
            raise DataError(
                f"Stream {stream.name!r}, row {row}: {names[j]!r} is "
                f"{column[infinite[0]]}, which ARFF cannot express. Replace it by a finite number, "
                "or by NaN if it is missing."
            )


def _quote(text: str) -> str:
    return text if _UNQUOTED.fullmatch(text) else f"'{text.translate(_ESCAPES)}'"
