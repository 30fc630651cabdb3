"""What the pipeline plans, before any work or with very little."""

from __future__ import annotations

import pytest
from helpers.projects import run, run_with, two_items

from streameval.base.file_digests import file_digest

pytestmark = pytest.mark.workflow


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--config", "scal=quick"], "unknown key scal"),
        (["--shared-fs-usage", "persistence"], "expected machines that share the disk"),
    ],
)
def test_mistakes_stop_the_run_before_any_work(project, environment, words, message):
    assert message in run(project, environment, "--cores", "1", *words, fails=True)
    assert not (project / "results").exists()


def test_a_raw_file_survives_whatever_changes(project, environment, tmp_path):
    lines = "".join(f"{i % 3},{'a' if i % 5 else 'b'}\n" for i in range(300))
    mirror = tmp_path / "mirror"
    (mirror / "tiny").mkdir(parents=True)
    (mirror / "tiny" / "tiny.csv").write_text(f"x,class\n{lines}", encoding="utf-8")
    registry = project / "config" / "streams.yaml"
    entry = (
        "\n  tiny: {title: Tiny, file: tiny/tiny.csv, reader: csv, options: {target: class},\n"
        f"    sha256: {file_digest(mirror / 'tiny' / 'tiny.csv')}}}\n"
    )
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before + entry, encoding="utf-8")
    converted = "resources/streams/tiny.parquet"
    words = (two_items(project, streams=["tiny"]), "--cores", "1", converted)
    there = {**environment, "STREAMEVAL_DATA": str(mirror)}
    run_with(*words, cwd=project, environment=there)
    assert (project / converted).is_file()

    changed = entry.replace("title: Tiny", "page: http://nowhere.invalid/, title: Tiny")
    registry.write_text(before + changed, encoding="utf-8")
    assert "fetch_raw" in run_with(*words, cwd=project, environment=environment)
    assert (project / "resources" / "raw" / "tiny" / "tiny.csv").read_text().endswith(lines)
