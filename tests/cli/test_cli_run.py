"""`streameval run` in the folders that users have: shadows of modules, full and read-only disks."""

from __future__ import annotations

import argparse
import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pytest
from helpers.projects import ROOT
from helpers.shadows import SHADOWS, command, shadow

from streameval.base.errors import ConfigError, StreamevalError
from streameval.cli import main, run

STUDY = """
studies: [mine]
streams:
  weather: {file: weather.csv, target: rain}
learners:
  last: {learner: "my_last:Last"}
items:
  mine:
    table1: {kind: overall_measures, streams: [weather], learners: [no_change, last]}
"""
LEARNER = """
class Last:
    label = None

    def learn(self, x, y, w):
        self.label = y

    def predict(self, x):
        return self.label
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    rows = [f"{i % 7},{i % 5},{'yes' if i % 3 else 'no'}" for i in range(200)]
    (tmp_path / "weather.csv").write_text("\n".join(["a,b,rain", *rows]), encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "my_last.py").write_text(LEARNER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (("evaluate", "weather.csv", "--target", "rain", "--learner", "my_last:Last"), True),
        (("check", "weather.csv", "--target", "rain"), False),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_files_here_do_not_take_the_place_of_modules(here, words, module):
    # That jobs import none either, a run of studies shows (`pipeline/test_own_study.py`).
    # Python itself imports the package from the working folder for `python -m streameval`.
    shadow(here, SHADOWS[:-1] if module else SHADOWS)
    before = sorted(path.name for path in here.iterdir())
    done = command(*words, module=module)
    assert done.returncode == 0, done.stderr
    after = {path.name for path in here.iterdir()} - {"__pycache__"}
    assert sorted(after) == before, "no shadow has run"


BROKEN = """learners:
  last: {learner: "my_last:Last", slow: true}
  broken: {learner: "my_broken:Broken"}
items:
  mine:
    table1: {kind: overall_measures, streams: [weather], learners: [no_change, last, broken]}
"""


def snakemake(*targets: str) -> subprocess.CompletedProcess[str]:
    """Run the study, or what some targets need, by Snakemake itself."""
    words = ["--snakefile", ROOT / "Snakefile", "--workflow-profile", ROOT / "profiles/default"]
    words += ["--configfile", "mine.yaml", "--cores", "2", "--", *targets]
    return subprocess.run(
        [sys.executable, "-m", "snakemake", *words],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.workflow
@pytest.mark.long("Snakemake runs a study, and runs it again with corrected code")
def test_learners_that_fail_are_cells_with_their_reasons_and_the_rest_is_made(here):
    before, _ = STUDY.split("learners:", 1)
    (here / "mine.yaml").write_text(before + BROKEN, encoding="utf-8")
    (here / "my_last.py").write_text(LEARNER.replace("self.label = y", "1 / 0"), encoding="utf-8")
    (here / "my_broken.py").write_text("raise ValueError('not ready')\n", encoding="utf-8")
    done = command("run", "mine.yaml", "--cores", "2")
    assert done.returncode == 1, done.stderr
    assert "Done. Open" in done.stdout
    last, broken, advice = done.stderr.strip().splitlines()[-3:]
    assert advice.startswith("streameval: 2 runs of learners failed; tables and captions say so. ")
    assert last.startswith("  last on weather, prequential: my_last:Last failed at row 0: ")
    assert "ZeroDivisionError: division by zero" in last
    assert broken.startswith("  broken on weather, prequential: cannot import 'my_broken:Broken'")
    assert "ValueError: not ready" in broken
    log = "logs/evaluate_learners/alone/last/weather.prequential.log"
    assert last.endswith(f"(log: {log})")
    assert "ZeroDivisionError" in (here / log).read_text(encoding="utf-8")
    assert "`streameval run mine.yaml --retry`" in advice
    table = pd.read_csv(here / "results/tables/mine/table1.csv", index_col="learner")
    assert table["failed"].dropna().index.tolist() == ["last", "broken"]
    assert table["accuracy"].notna().equals(table["failed"].isna())
    text = (here / "results/tables/mine/table1.md").read_text(encoding="utf-8")
    assert "last failed on weather and is left out there: my\\_last:Last failed at row 0" in text
    page = (here / "results/summary/mine/mine.html").read_text(encoding="utf-8")
    assert "last failed on weather and is left out there" in page

    files = {path for folder in ("results", "figures") for path in (here / folder).rglob("*.*")}
    before = {path: path.stat().st_mtime_ns for path in files}
    again = snakemake()
    assert again.returncode == 1, again.stderr
    assert f"2 runs of learners failed; tables and captions say so.\n{last}\n{broken}\n" in (
        again.stderr
    )
    assert re.findall(r"^Job \d+: (.*)", again.stderr, re.MULTILINE) == [
        "Checking that no learner failed"
    ]
    files = {path for folder in ("results", "figures") for path in (here / folder).rglob("*.*")}
    assert {path: path.stat().st_mtime_ns for path in files} == before

    planned = command("run", "mine.yaml", "--retry", "--dry-run")
    assert "Running last over weather: prequential" in planned.stdout
    assert "Running the learners over weather: prequential" in planned.stdout
    assert "cannot import 'my_broken:Broken'" in planned.stderr
    (here / "my_last.py").write_text(LEARNER, encoding="utf-8")
    (here / "my_broken.py").write_text(LEARNER.replace("Last", "Broken"), encoding="utf-8")
    complete = "results/summary/mine/complete.txt"
    done = snakemake(complete, "results/tables/mine/table1.csv")
    assert done.returncode == 0, done.stderr
    assert (here / complete).is_file()
    table = pd.read_csv(here / "results/tables/mine/table1.csv")
    assert "failed" not in table
    assert table["accuracy"].notna().all()


FAILED = """\
Job 7: Study mine/fig1 of weather
Error: DataError: cut short (log: logs/studies/mine.log)
RuleException:
CalledProcessError in file "studies.smk", line 52:
    Command 'python script.py' died with <Signals.SIGKILL: 9>.
Error in rule mine_fig1:
    message: None
    jobid: 7
    input: src/a.py, src/b.py
    log: logs/studies/mine.log (check log file(s) for error details)

Job 8: Reading weather
Error in rule convert_stream:
    message: None
    jobid: 8
    input: src/a.py
    log: logs/convert_stream/weather.log (check log file(s) for error details)

"""


def run_program(errors: str, code: int = 1, **options: Any) -> bool:
    """Run a program that writes a text as Snakemake does, and ends with a code."""
    program = f"import sys; sys.stderr.write({errors!r}); sys.exit({code})"
    return run.run_snakemake([sys.executable, "-c", program], **options)


def test_each_failed_job_is_named_with_its_last_line_and_its_log():
    """Of the second one, which was killed, nobody says more."""
    with pytest.raises(StreamevalError) as caught:
        run_program(FAILED)
    head, first, second = str(caught.value).splitlines()
    assert "did not finish" in head
    assert first == "Study mine/fig1 of weather: DataError: cut short (log: logs/studies/mine.log)"
    assert second.startswith("Reading weather: ")
    assert "killed" in second
    assert second.endswith("(log: logs/convert_stream/weather.log)")
    assert "src/" not in str(caught.value)


def test_a_second_run_in_one_folder_is_told_what_to_do(capfd):
    text = (
        "Another run is at work in this folder (process 7).\n"
        "LockException:\nError: Directory cannot be locked. Please make sure that no other process"
        "\n/a/b\nIf you are sure, use the --unlock argument.\n"
    )
    with pytest.raises(StreamevalError, match=r"is active .* If no run is active, .* --unlock"):
        run_program(text)
    assert capfd.readouterr().err == "Another run is at work in this folder (process 7).\n"


@pytest.mark.workflow
def test_a_dry_run_says_in_ten_lines_what_it_would_do(here):
    before = {path.name for path in here.iterdir()}
    words = ("run", "mine.yaml", "--dry-run", "--slurm", "--", "results/tables/mine/table1.csv")
    lines = command(*words).stdout.splitlines()
    assert {path.name for path in here.iterdir()} == before
    assert lines[0] == "3 jobs to do:"
    assert len(lines) == 5
    assert "  Running the learners over weather: prequential" in lines
    # Of a stream whose size is not known, a million rows with a learner in plain Python.
    said = re.fullmatch(
        r"1 job for SLURM, each with at most ([\d,]+) MB and ([\d,]+) minutes\.", lines[-1]
    )
    assert said
    megabytes, minutes = (int(number.replace(",", "")) for number in said.groups())
    assert megabytes > 1600
    assert minutes > 60


def test_the_file_that_was_meant_is_named():
    text = (
        "MissingRuleException:\nNo rule to produce results/tables/mine/tabel1.csv (if you use "
        "input functions make sure that they don't raise unexpected exceptions).\n"
    )
    files = ["results/tables/mine/table1.csv", "results/measures.csv"]
    with pytest.raises(StreamevalError) as caught:
        run_program(text, known_files=lambda: files)
    assert "'results/tables/mine/tabel1.csv'" in str(caught.value)
    assert "mean 'results/tables/mine/table1.csv'" in str(caught.value)


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        ({"Study 1": 12.0}, "a core-minute"),
        ({"Study 0": 60.0, "Study 1": 1.0, "Study 2": 1e9}, "2 core-minutes"),
        ({"Study 1": 36_001.0}, "11 core-hours"),
    ],
)
def test_a_dry_run_says_how_long_learners_take_in_the_jobs_to_do(capsys, seconds, time):
    with run._dry_run_summary(argparse.Namespace(file="mine.yaml"), lambda: seconds) as output:
        output.write("Job 0: Study 0\nJob 1: Study 1\n")
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"Learners take at most {time}, ")


@pytest.mark.parametrize(("jobs", "lines"), [(0, 1), (8, 9), (700, 10)])
def test_a_dry_run_of_many_jobs_has_ten_lines_too(capsys, jobs, lines):
    options = argparse.Namespace(file="mine.yaml")
    with run._dry_run_summary(options, dict) as output:
        output.write("".join(f"[now]\nJob {n}: Study {n}\n" for n in range(jobs)))
    out = capsys.readouterr().out.splitlines()
    assert len(out) == lines
    if jobs == 700:
        assert out[-1] == "  and 692 others; `streameval run mine.yaml -- -n` lists all"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("target: rain", "target: reign", "reign"), ("rain}", "rain, drop: [wind]}", "wind")],
)
def test_a_dry_run_reads_the_files(here, capsys, old, new, said):
    (here / "mine.yaml").write_text(STUDY.replace(old, new), encoding="utf-8")
    assert main(["run", "mine.yaml", "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert "mine.yaml: at streams.weather: " in error
    assert said in error


def test_a_stream_is_no_study(here, capsys):
    assert main(["run", "weather.csv"]) == 2
    error = capsys.readouterr().err
    assert "expected a study, a YAML file" in error
    assert "streameval evaluate weather.csv" in error


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.EROFS, "can be written to, found"), (errno.ENOSPC, "The disk is full at")],
)
def test_a_folder_that_cannot_be_written_to_is_one_line(tmp_path, monkeypatch, number, said):
    def refuse(**_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(ConfigError, match=said) as error:
        run.check_folder(tmp_path)
    assert str(tmp_path) in str(error.value)


def test_a_full_disk_is_named_before_anything_else(capfd):
    with pytest.raises(StreamevalError, match=r"^The disk is full at"):
        run_program("Building\nOSError: [Errno 28] No space left on device\nTraceback\n  File\n")
    first, second = capfd.readouterr().err.splitlines()
    assert first == "Building"
    assert second.startswith("streameval: The disk is full at")


def test_errors_of_the_workflow_itself_are_shown(capfd):
    with pytest.raises(StreamevalError, match="did not finish"):
        run_program("WorkflowError:\nCannot reach the cluster\n")
    assert "Cannot reach the cluster" in capfd.readouterr().err


def test_a_disk_that_a_silent_program_has_filled_is_named(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def full(folder):
        raise ConfigError(f"The disk is full at {folder}: no space.")

    monkeypatch.setattr(run, "check_folder", full)
    with pytest.raises(ConfigError, match="The disk is full at"):
        run_program("")
    with pytest.raises(StreamevalError, match="did not finish"):
        run_program("", writes=False)


def test_an_interrupted_run_has_ended_when_the_command_ends(tmp_path):
    """Or the same command, given again at once, would find another run at work."""
    slow = (
        "import signal, sys, time\n"
        "def stop(*_):\n"
        "    time.sleep(2)\n"
        "    open('ended', 'w').close()\n"
        "    sys.exit(1)\n"
        "signal.signal(signal.SIGINT, stop)\n"
        "print('Job 1: slow', file=sys.stderr, flush=True)\n"
        "time.sleep(60)\n"
    )
    called = (
        "import sys; from streameval.cli import run; "
        "from streameval.base.terminal import run_guarded"
        f"\nsys.exit(run_guarded(lambda: run.run_snakemake([sys.executable, '-c', {slow!r}])))"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "always", "-c", called],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Shells have what they start in the background ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "Job 1: slow\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read() == "streameval: Interrupted.\n"
    assert process.returncode == 130
    assert (tmp_path / "ended").exists()


SLOW = """
import time

class Last:
    def learn(self, x, y, w):
        time.sleep(60)

    def predict(self, x):
        return 0
"""


@pytest.mark.workflow
def test_a_run_that_a_signal_ends_leaves_no_process_and_no_lock(here):
    """SIGTERM and SIGKILL of `streameval run` alone; the run after each begins at once."""
    (here / "my_last.py").write_text(SLOW, encoding="utf-8")
    log, locks = here / "logs/evaluate_learners/weather.prequential.log", here / ".snakemake/locks"
    for number in (signal.SIGTERM, signal.SIGKILL):
        log.unlink(missing_ok=True)
        with subprocess.Popen(
            [sys.executable, "-m", "streameval", "run", "mine.yaml", "--cores", "2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            while not log.is_file():
                assert process.poll() is None
                time.sleep(0.05)
            below = psutil.Process(process.pid).children(recursive=True)
            assert any("evaluate_learners" in " ".join(each.cmdline()) for each in below)
            assert any(locks.iterdir())
            process.send_signal(number)
        assert process.returncode in (-number, 128 + number)
        assert not psutil.wait_procs(below, timeout=20)[1]
        assert not locks.exists()


@pytest.mark.parametrize(
    ("plugin", "program", "said"),
    [(None, "sbatch", r"pip install .streameval\[slurm\]"), ("found", None, "program sbatch")],
)
def test_a_cluster_that_cannot_be_reached_is_named_before_any_work(
    here, monkeypatch, capsys, plugin, program, said
):
    find = run.find_spec
    names = {"snakemake_executor_plugin_slurm": plugin}
    monkeypatch.setattr(run, "find_spec", lambda name: names.get(name, find(name)))
    monkeypatch.setattr("shutil.which", lambda name: program)
    assert main(["run", "mine.yaml", "--slurm"]) == 2
    assert re.search(said, capsys.readouterr().err)
    assert not (here / ".snakemake").exists()


def test_a_run_on_a_cluster_takes_its_profile_and_two_cores_here(here, monkeypatch):
    calls = []
    monkeypatch.setattr(run, "_require_slurm", lambda: None)
    monkeypatch.setattr(run, "run_snakemake", lambda command, **_: calls.append(command))
    assert main(["run", "mine.yaml", "--slurm"]) == 0
    (words,) = calls
    assert Path(words[words.index("--workflow-profile") + 1]).name == "slurm"
    assert words[-2:] == ["--local-cores", "2"]
    assert "--cores" not in words


@pytest.mark.parametrize(
    ("text", "has_run"),
    [
        ("Unlocked working directory.", False),
        ("Nothing to be done (all requested files are present and up to date).", True),
        ("Job 1: Reading weather", True),
    ],
)
def test_a_call_tells_whether_there_was_something_to_run(text, has_run):
    assert run_program(text, code=0) is has_run


def test_a_cache_that_cannot_be_written_is_replaced_while_snakemake_runs(tmp_path, monkeypatch):
    program = "import os; print(one := os.environ['XDG_CACHE_HOME']); os.mkdir(f'{one}/x')"
    (tmp_path / "taken").write_text("a file")
    used = []
    for place in (tmp_path / "cache", tmp_path / "taken"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        with (tmp_path / "output").open("w+", encoding="utf-8") as output:
            run.run_snakemake([sys.executable, "-c", program], output=output)
            output.seek(0)
            used.append(Path(output.read().strip()))
    assert used[0] == tmp_path / "cache"
    assert used[1] != tmp_path / "taken"
    assert [place.exists() for place in used] == [True, False]
