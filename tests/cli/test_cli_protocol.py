"""The option ``--protocol`` of the command."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
from helpers.commands import json_of_first, printed, refused

from streameval.base.settings import ROOT
from streameval.streams.generators.markov import Markov
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER


def test_a_delay_of_labels_is_respected_or_ignored_in_words(capsys, monkeypatch):
    stream = Markov(priors=[0.6, 0.4], persistence=0.8, attributes=2, seed=1).stream(200)
    times = {"time": np.arange(200), "label_time": np.arange(200) + 50}
    late = replace(stream, name="markov_elec2", **times)
    monkeypatch.setattr("streameval.api.streams._make_stream", lambda _: late)
    words = ("evaluate", "markov_elec2", "--learner", "no_change")
    for protocol in ("prequential", "cross_validation"):
        err = refused(capsys, *words, "--protocol", protocol)
        assert "--protocol delayed:50" in err
        assert "--ignore-label-times" in err
        printed(capsys, *words, "--protocol", protocol, "--ignore-label-times")
    with warnings.catch_warnings():
        warnings.simplefilter("error", StreamWarning)
        printed(capsys, *words, "--protocol", "delayed:50")
        printed(capsys, *words)
    never = np.where(np.arange(200) < 3, NEVER, late.label_time)
    late = replace(late, label_time=never)
    out = printed(capsys, *words, "--protocol", "delayed:50")
    assert "3 labels have not arrived; these instances are neither scored nor learnt." in out


def test_the_numbers_of_the_first_page(capsys):
    page = (ROOT / "docs/explanation/protocols.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `(\w+_validation:\S+|delayed:\S+)` \|[^|]+\| (\S+) \| (\S+) \|", page)
    assert len(rows) == 3
    for protocol, *expected in rows:
        words = ("evaluate", "elec2", "--learner", "hoeffding_tree", "--protocol", protocol)
        measures = json_of_first(capsys, *words)
        cells = [
            f"{measures[name]:.4f}".replace("-", "−") for name in ("accuracy", "kappa_temporal")
        ]
        assert cells == expected
