"""Figures by their kind: everything that the plan names can be drawn, and has a caption."""

from __future__ import annotations

import copy

import pytest

from streameval import settings
from streameval.errors import ConfigError
from streameval.plan import DATA, FIGURES, TIMED
from streameval.report.captions import figure_caption
from streameval.report.drawings import Subject, draw

ITEMS = settings.load_yaml(settings.ROOT / "config" / "config.yaml")["items"]


def test_every_kind_has_data_and_a_drawing():
    kinds = set(FIGURES.values())
    assert kinds == set(DATA)
    subject = Subject({"measures": [], "learners": []}, {}, "A stream", False)
    for kind in kinds:
        with pytest.raises(KeyError, match=DATA[kind][0]):  # it asks for its data
            draw(kind, {}, subject)
    with pytest.raises(ConfigError, match="No kind of figure is called 'pie'"):
        draw("pie", {}, subject)
    assert set(TIMED) <= set(FIGURES)


def test_the_default_run_has_every_figure():
    named = {f"{paper}/{item}" for paper, items in ITEMS.items() for item in items}
    assert set(FIGURES) <= named


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_a_caption_with_its_settings(name):
    paper, key = name.split("/")
    item = copy.deepcopy(ITEMS[paper][key])
    real = figure_caption(FIGURES[name], name, "elec2", item, simulated=False)
    assert real.startswith("Stream elec2: ")
    assert real.endswith(".")
    assert "{" not in real
    assert "[" not in real
    for setting in {"window", "measures", "seeds"} & set(item):
        value = item[setting]
        shown = value[0] if setting == "measures" else len(value) if setting == "seeds" else value
        assert str(shown) in real or FIGURES[name] == "wrapped"
    drawn_no_change = FIGURES[name] == "measures" and "no_change" in item["learners"]
    assert ("below that of No-Change" in real) is drawn_no_change
    simulated = figure_caption(FIGURES[name], name, "markov_elec2", item, simulated=True)
    if paper == "beyond":
        assert real.endswith("Not in the papers.")
    else:
        assert f"{key.replace('fig', 'Figure ')} of" in real
        assert simulated.endswith("here for a simulated stream.")
