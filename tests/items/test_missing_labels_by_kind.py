"""Each kind of item about streams, where some labels are missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers import example_studies
from helpers.all_kinds import all_kinds
from helpers.study_inputs import written_run
from hypothesis import given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.base.settings import ROOT, load_yaml
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.kind import function_of
from streameval.learners.registry import load_learners
from streameval.pipeline.plan import make_plan
from streameval.streams.generators.markov import Markov
from streameval.streams.stream import NEVER, NO_LABEL, Stream

KINDS = all_kinds()
#: Kinds that read a stream or predictions for it.
ABOUT = [name for name, kind in KINDS.items() if kind.reads in ("stream", "predictions", "source")]
#: What instances that never get a label do not change, of kinds that respect the times of labels.
#: What these kinds have besides is about the waiting instances themselves.
BESIDE = {
    "binned_measures": ["bins", "contrasts", "skills"],
    "binned_errors": ["bins", "skills"],
    "bin_numbers": ["bin_numbers"],
    "accuracy_by_age": [],
    "evolving_inputs": [],
    "label_waiting": ["latency"],
    "repredictions": [],
}
ROWS = load_learners(ROOT / "config" / "learners.yaml")


@pytest.fixture(scope="module")
def items():
    """An item of each kind in the tiny run, or else in the examples, with its settings."""
    config = load_yaml(ROOT / "config" / "config.yaml") | {"studies": "all"}
    plan = make_plan(config, decide=False, files=[ROOT / "config" / "test.yaml"])
    tiny = load_yaml(ROOT / "config" / "test.yaml")["items"]
    settings_of = {}
    for item in plan.items.values():
        if item.streams or item.kind.name not in settings_of:
            changed = tiny.get(item.study, {}).get(item.name, {})
            settings_of.setdefault(item.kind.name, {**item.plain_settings(), **changed})
    for item in example_studies.items():
        rest = {key: value for key, value in item.items() if key not in ("kind", "published")}
        settings_of.setdefault(item["kind"], rest)
    return settings_of


def labels(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(seed)
    known = draws.random(n) < draws.uniform(0.5, 0.95)
    known[:60] = True
    return known, draws.integers(5, 40, n)


def stream_with(n: int, seed: int, *, times: bool, numbers: bool = False) -> Stream:
    """A stream of which some labels are missing, with the times of labels or without."""
    if numbers:
        full = replace(se.generate("planes", rows=n, seed=seed), name="mine")
    else:
        full = replace(Markov([0.7, 0.3], 0.8, 3, seed).stream(n), name="mine")
    known, waits = labels(n, seed)
    y = np.where(known, full.y, np.nan if numbers else NO_LABEL).astype(full.y.dtype)
    if not times:
        return replace(full, y=y)
    time = np.arange(n) * 2
    label_time = np.where(known, time + waits, NEVER)
    return replace(full, y=y, time=time, label_time=label_time)


def study_frames(kind: str, settings_of: dict[str, Any], stream: Stream, folder: Any) -> Any:
    """What the study of a kind returns for a stream, with few short settings."""
    of = KINDS[kind]
    chosen_settings = {**settings_of, "streams": ["mine"]}
    for key in ("labels", "delay"):
        if key in chosen_settings and not isinstance(chosen_settings[key], int):
            chosen_settings[key] = {}
    if "label_first" in chosen_settings:
        chosen_settings["label_first"] = []
    for key, value in {
        "window": 50,
        "windows": [20, 50],
        "variants": ["original"],
        "bins": 4,
        "stages": [0],
    }.items():
        if key in chosen_settings:
            chosen_settings[key] = value
    if of.trains == "regressors":
        chosen_settings["learners"] = ["target_mean"]
        chosen_settings.pop("seeds", None)
    if kind == "type_errors":
        chosen_settings |= {
            "bins": 50,
            "instances": [150],
            "runs": 2,
            "runs_per_job": 2,
            "learners": ["naive_bayes"],
        }
    elif "learners" in chosen_settings and of.trains != "regressors":
        chosen_settings["learners"] = [
            learner for learner in chosen_settings["learners"] if learner in CHEAP
        ] or CHEAP[:3]
    chosen = of.settings_from(chosen_settings)
    names, run = {*getattr(chosen, "learners", ())}, {}
    if of.reads == "predictions":
        stem = folder / f"{len(stream)}.{int(stream.labelled.sum())}"
        run = written_run(stream, dict.fromkeys([*names, *chosen.evaluated_learners()]), stem)
    stream_input = StreamInput(
        settings=chosen,
        name="mine",
        learner_specs={name: ROWS[name] for name in names},
        columns=of.columns,
        titles={},
        files={path: str(ROOT / path) for path in chosen.resources()},
        **run,
    )
    stream_input.__dict__["stream"] = stream
    if of.parts:
        return function_of(of, "part")(stream_input, 0)
    study = function_of(of, "study")
    if of.frames:
        # Ranks need several streams.
        return (
            study(dict.fromkeys("abc", stream_input), stream_input)
            if "streams" in of.joins
            else study(stream_input)
        )
    about = ItemInput(
        settings=chosen,
        columns=of.columns,
        files=stream_input.files,
        learner_specs=stream_input.learner_specs,
    )
    return {"table": study({"mine": stream_input}, about)}


CHEAP = ["no_change", "majority", "naive_bayes", "hoeffding_tree"]
#: What no two runs share.
TIMES = {"costs", "seconds"}


def same(first: dict[str, pd.DataFrame], second: dict[str, pd.DataFrame]) -> None:
    for name, frame in first.items():
        if name in TIMES:
            continue
        timed = [c for c in frame if c in ("seconds", "model_bytes", "time", "size")]
        pd.testing.assert_frame_equal(
            frame.drop(columns=timed),
            second[name].drop(columns=timed),
            check_exact=False,
            rtol=1e-12,
        )


@pytest.mark.parametrize("kind", ABOUT)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_instances_without_a_label_change_nothing_of_others(kind, items, tmp_path_factory, seed):
    times, numbers = kind in BESIDE, KINDS[kind].trains == "regressors"
    stream = stream_with(400, seed, times=times, numbers=numbers)
    folder = tmp_path_factory.mktemp("made")
    some, rest = (
        study_frames(kind, items[kind], part, folder) for part in (stream, stream.with_labels())
    )
    assert some.keys() == rest.keys()
    same(*({name: of[name] for name in BESIDE.get(kind, some)} for of in (some, rest)))
    if times:
        for frame in some.values():
            counts = frame[frame.columns.intersection(["predictions", "arrived", "labels"])]
            assert (counts.max() <= stream.labelled.sum()).all()
