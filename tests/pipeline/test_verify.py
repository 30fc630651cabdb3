"""Which results of a run equal those of the published run, and why others do not."""

import json
import sys
from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from streameval.base.errors import DataError
from streameval.base.settings import ROOT
from streameval.pipeline import verify as module
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import make_plan
from streameval.pipeline.verify import COMPUTING_PACKAGES, DRAWING_PACKAGES, RunDigests, verify

TABLE = "results/tables/bifet2013/table2.csv"
FRAME = "results/data/bifet2013/fig2/elec2.measures.csv"
PICTURE = "figures/bifet2013/fig2/elec2.svg"
ALL = "results/measures.csv"
VERSIONS = dict.fromkeys({*DRAWING_PACKAGES, *COMPUTING_PACKAGES}, "1.0")
PUBLISHED = RunDigests(
    digests={TABLE: "a", FRAME: "b", PICTURE: "c", ALL: "d"},
    items={
        "bifet2013/table2": {"content": "k", "streams": ["elec2", "covtype"]},
        "bifet2013/fig2": {"content": "l", "streams": ["elec2"]},
    },
    streams={"elec2": "e", "covtype": "f"},
    left_out={"airlines": ""},
    versions=VERSIONS,
)


def changed(name, **entries):
    return replace(PUBLISHED, **{name: getattr(PUBLISHED, name) | entries})


def reasons(here):
    """The reasons by path, and the paths whose reasons lie in the run."""
    comparison = verify(here, PUBLISHED)
    both = {**comparison.expected, **comparison.unexpected}
    assert sorted(
        [*comparison.equal, *(path for some in both.values() for path in some)]
    ) == sorted(PUBLISHED.digests)
    by_path = {path: why for why, paths in both.items() for path in paths}
    return by_path, {path for paths in comparison.expected.values() for path in paths}


def test_an_equal_run_has_no_differences():
    comparison = verify(PUBLISHED, PUBLISHED)
    assert sorted(comparison.equal) == sorted(PUBLISHED.digests)
    assert not comparison.expected
    assert not comparison.unexpected
    assert [line.partition(":")[0] for line in comparison.lines()] == [
        "tables",
        "data of figures",
        "pictures",
        "summaries",
    ]
    assert all("1 of 1 equal" in line for line in comparison.lines())
    named = [line.strip() for line in comparison.lines(list_equal=True) if line.startswith(" ")]
    assert sorted(named) == sorted(PUBLISHED.digests)


def test_a_stand_in_is_a_reason_for_the_items_that_show_it():
    items = PUBLISHED.items | {
        "bifet2013/table2": {"content": "k", "streams": ["elec2", "markov_covtype"]}
    }
    here = replace(
        changed("digests", **{TABLE: "x", ALL: "y"}),
        items=items,
        left_out={"covtype": "no network"},
        streams={"elec2": "e", "markov_covtype": "g"},
    )
    why, expected = reasons(here)
    assert why.keys() == {TABLE, ALL} == expected
    for said in ("covtype (no network)", "markov_covtype"):
        assert said in why[TABLE]


def test_other_content_of_a_stream_is_a_reason():
    here = replace(changed("digests", **{FRAME: "x"}), streams={"elec2": "z", "covtype": "f"})
    why, expected = reasons(here)
    assert expected == {FRAME}
    assert "content of elec2" in why[FRAME]


def test_other_settings_and_items_that_were_not_run_are_reasons():
    here = replace(
        PUBLISHED,
        digests={FRAME: "x", PICTURE: "c", ALL: "y"},
        items={"bifet2013/fig2": {"content": "other", "streams": ["elec2"]}},
    )
    why, expected = reasons(here)
    assert expected == {TABLE, FRAME, ALL}
    assert "settings" in why[FRAME]
    assert "did not include" in why[TABLE]


def test_pictures_may_differ_by_what_draws_them_and_tables_may_not():
    here = replace(
        changed("digests", **{PICTURE: "x", TABLE: "x"}),
        versions=VERSIONS | {"matplotlib": "2.0", "numpy": "3.0"},
    )
    why, expected = reasons(here)
    assert expected == {PICTURE}
    assert "matplotlib 2.0 instead of 1.0" in why[PICTURE]
    assert "numpy 3.0 instead of 1.0" in why[TABLE]


def test_without_a_reason_code_or_processor_differ_or_a_file_is_missing():
    why, expected = reasons(replace(PUBLISHED, digests={TABLE: "x", PICTURE: "y", ALL: "d"}))
    assert not expected
    assert "code" in why[TABLE]
    assert "code" in why[PICTURE]
    assert "missing" in why[FRAME]


@pytest.fixture
def results(tmp_path):
    """The folder of a finished run."""
    origin = {"versions": {name: {"1.0": 3} for name in VERSIONS}}
    item = {"kind": "measures", "settings": [{}], "learners": {}, "streams": ["elec2"]}
    run = {
        "origin": origin,
        "items": {"bifet2013/fig2": item},
        "streams": {"elec2": {"rows": 3, "digest": "e"}},
        "left_out": {"covtype": "this machine's reason"},
    }
    (tmp_path / "digests.json").write_text(json.dumps({FRAME: "b", PICTURE: "c"}))
    (tmp_path / "run.json").write_text(json.dumps(run))
    return tmp_path


def call(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["verify", *map(str, words)])
    try:
        module._main()
    except SystemExit as stop:
        return stop.code
    return 0


def test_the_command_writes_and_compares(results, tmp_path, monkeypatch, capsys):
    file = tmp_path / "published.json"
    assert call(monkeypatch, results, "--write", file) == 0
    assert "this machine" not in file.read_text()
    assert call(monkeypatch, results, "--published", file) == 0
    assert capsys.readouterr().out.count("1 of 1 equal") == 2
    (results / "digests.json").write_text(json.dumps({FRAME: "other", PICTURE: "c"}))
    assert call(monkeypatch, results, "--published", file) == 1
    output = capsys.readouterr().out
    assert "data of figures: 0 of 1 equal" in output
    assert FRAME in output


def test_a_run_that_is_not_finished_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"digests\.json: expected .* found none"):
        RunDigests.read_folder(tmp_path)


def test_the_published_run_is_a_default_run():
    """Continuous integration compares it with the results of its run; here are only the names."""
    published = RunDigests.read_file(ROOT / "tests" / "digests" / "default.json")
    plan = make_plan(merge_files([]), decide=False)
    assert published.items.keys() <= plan.items.keys()
    assert {PurePosixPath(path).parts[0] for path in published.digests} == {"results", "figures"}
    items = {published.item_of(path) for path in published.digests}
    assert None not in items
    assert "" in items
    assert len(items) > 40
    assert published.left_out.keys() <= plan.registry.keys()
