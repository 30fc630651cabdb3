"""Each kind of item about predictions, where a learner, or each one, failed on the stream."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from helpers.all_kinds import all_kinds
from helpers.study_inputs import written_run

import streameval as se
from streameval.base.settings import ROOT
from streameval.drawing.failed import draw_reason, is_empty, keep_learners_with_rows
from streameval.drawing.looks import distinct_looks
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import read_learner_errors
from streameval.items.inputs import FAILED, ItemInput, StreamInput
from streameval.items.kind import function_of
from streameval.learners.registry import load_learners

ROWS = load_learners(ROOT / "config" / "learners.yaml")
KINDS = {
    name: kind
    for name, kind in all_kinds().items()
    if kind.reads == "predictions" and "learners" in kind.settings.__struct_fields__
}
NAMES = ["naive_bayes", "hoeffding_tree", "ddm_nb", "leveraging_bagging"]
#: Settings of a kind that has no default for them, or a long one.
SETTINGS = {
    "measures": ["accuracy"],
    "window": 100,
    "windows": [50],
    "points": 20,
    "streams": ["abc"],
    "learners": NAMES,
}
ERROR = "RuntimeError: three classes at most"
REASON = f"the learner failed: {ERROR}"


def inputs(kind, folder, failed):
    """The inputs of a study about a stream, on which some learners failed."""
    known = {name: value for name, value in SETTINGS.items() if hasattr(kind.settings, name)}
    if kind.name == "literature":
        known["published"] = "resources/published/zliobaite2015/elec2_literature.csv"
    settings = kind.settings_from(known)
    stream = replace(se.generate("sea", rows=400), name="abc")
    names = settings.evaluated_learners()
    failed = [name for name in names if name.startswith(tuple(failed))]  # wrapped ones, too
    ran = [name for name in names if name not in failed]
    return StreamInput(
        settings=settings,
        name="abc",
        learner_specs={name: ROWS[name] for name in settings.learners},
        columns=kind.columns,
        files={name: str(ROOT / name) for name in settings.resources()},
        **written_run(stream, ran, folder / "run", **dict.fromkeys(failed, ERROR)),
    )


@pytest.mark.parametrize("failed", [NAMES[-1:], NAMES], ids=["one", "all"])
@pytest.mark.parametrize("name", KINDS)
def test_the_others_are_shown(tmp_path, name, failed):
    kind = KINDS[name]
    stream_input = inputs(kind, tmp_path, failed)
    assert stream_input.failed == read_learner_errors(stream_input.prediction_files["original"])
    assert set(failed) <= set(stream_input.failed)
    assert set(stream_input.failed.values()) == {ERROR}
    ran = set(NAMES) - set(failed)
    subject = Subject(settings=stream_input.settings, streams={"abc": "Abc"}, title="Abc")
    study = function_of(kind, "study")
    of_streams = {name: replace(stream_input, name=name) for name in ("abc", "abd", "abe")}
    joined = "streams" in kind.joins
    about = ItemInput(
        settings=stream_input.settings,
        columns=kind.columns,
        learner_specs=stream_input.learner_specs,
    )
    if kind.is_figure:
        frames = study(of_streams, about) if joined else study(stream_input)
        for frame, columns in kind.frames.items():
            assert tuple(frames[frame].columns) == columns
        of_learners = [frame for frame in frames.values() if "learner" in frame]
        shown_as_undefined = {
            name
            for frame in of_learners
            if "reason" in frame
            for name in frame.loc[frame["reason"] == REASON, "learner"]
        }
        named = {name for frame in of_learners for name in frame["learner"]}
        assert named & set(NAMES) == ran | shown_as_undefined
        if shown_as_undefined:
            assert shown_as_undefined == set(failed)
            for frame in of_learners:
                about = frame[frame["learner"].isin(failed)]
                assert (
                    about[about.columns.intersection(["value", "mean", "rank"])]
                    .isna()
                    .all(axis=None)
                )
        chosen = keep_learners_with_rows(stream_input.settings, frames)
        assert set(chosen.learners) == ran | shown_as_undefined
        chosen_subject = replace(subject, settings=chosen)
        with distinct_looks(NAMES):
            if is_empty(chosen, frames):
                assert "why the others failed" in draw_reason(chosen_subject).texts[-1].get_text()
            else:
                assert function_of(kind, "draw")(frames, chosen_subject).axes
            assert is_empty(chosen, frames) is not bool(ran | shown_as_undefined)
    if kind.is_table:
        table = frames[kind.table_frame] if kind.is_figure else study({"abc": stream_input}, about)
        cells = function_of(kind, "layout")(table, subject).cells
        if FAILED in table:
            assert dict(zip(table["learner"], table[FAILED], strict=True)) == {
                learner: ERROR if learner in failed else "" for learner in table["learner"]
            }
            measures = table.columns.difference([*table.columns[:3], FAILED])
            assert table.loc[table[FAILED] != "", measures].isna().all(axis=None)
            assert sum("failed" in row for row in cells) == len(failed)
        elif not (kind.is_figure and shown_as_undefined):
            assert not set(failed) & {cell for row in cells for cell in row}


def test_a_stream_without_failures_has_the_table_that_it_had(tmp_path, monkeypatch):
    monkeypatch.setitem(SETTINGS, "learners", NAMES[:1])
    kind = KINDS["overall_measures"]
    stream_input = inputs(kind, tmp_path, [])
    table = function_of(kind, "study")(
        {"abc": stream_input}, ItemInput(settings=stream_input.settings, columns=kind.columns)
    )
    assert FAILED not in table
    assert not pd.isna(table["accuracy"]).any()
