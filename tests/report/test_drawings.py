"""Figures by their kind: everything that the plan names can be drawn, and has a caption."""

from __future__ import annotations

import copy
import re

import pytest
from streameval.report.captions import figure_caption, figure_label, table_label
from streameval.report.drawings import Subject, draw

from streameval import papers, settings
from streameval.errors import ConfigError
from streameval.pipeline.plan import DATA, FIGURES, TIMED
from streameval.report.names import FIGURE_SPACE, chapters, item_title

TITLES = {paper.id: paper.title for paper in papers.listed().values()}
ITEMS = settings.load_yaml(settings.ROOT / "config" / "config.yaml")["items"]
#: Other values than the default run has, and the words that say them in a caption.
OTHER_SETTINGS = {
    "window": (777, " 777"),
    "lags": (778, " lag 778"),
    "seeds": (list(range(79)), " 79 seeds"),
    "measures": (["accuracy", "mcc"], "accuracy and MCC"),
}
#: The settings that the caption of a kind says.
SAID = {
    "class_distribution": {"window", "lags"},
    "measures": {"window", "measures"},
    "lags": {"measures"},
    "estimates": {"window", "measures"},
    "false_alarms": {"seeds"},
    "order": {"seeds"},
}


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
    real = figure_caption(FIGURES[name], name, "elec2", item, False, TITLES)
    assert real.startswith("Stream elec2: ")
    assert real.endswith(".")
    assert "{" not in real
    assert "[" not in real
    drawn_no_change = FIGURES[name] == "measures" and "no_change" in item["learners"]
    assert ("below that of No-Change" in real) is drawn_no_change
    simulated = figure_caption(FIGURES[name], name, "markov_elec2", item, True, TITLES)
    if paper == "beyond":
        assert real.endswith("Not in the papers.")
    else:
        assert f"{key.replace('fig', 'Figure ')} of" in real
        assert simulated.endswith("here for a simulated stream.")


@pytest.mark.parametrize("name", FIGURES)
def test_a_caption_says_the_settings_that_its_kind_names(name):
    kind = FIGURES[name]
    item = ITEMS[name.split("/")[0]][name.split("/")[1]]
    real = figure_caption(kind, name, "elec2", item, simulated=False)
    for setting, (other, words) in OTHER_SETTINGS.items():
        changed = figure_caption(kind, name, "elec2", item | {setting: other}, simulated=False)
        assert (words in changed) is (setting in SAID.get(kind, ())), setting
        assert words not in real
        assert setting in item or words not in changed


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_says_in_the_menu_what_it_shows(name):
    paper, key = name.split("/")
    item = ITEMS[paper][key]
    real = figure_label(FIGURES[name], name, "elec2", item, simulated=False)
    assert list(real) == ["result"]  # further ones may be taken for switches
    assert re.fullmatch(r"[A-Z][^:{}\[\]]+: [^:{}\[\]]+, elec2", real["result"])
    simulated = figure_label(FIGURES[name], name, "markov_elec2", item, simulated=True)
    assert simulated["result"].endswith(", markov_elec2 (simulated)")


def test_the_menu_sorts_as_people_count():
    names = ["fig1", "fig2", "fig9", "fig10", "fig11", "order", "table1", "table12"]
    shown = [table_label(name, "subject")["result"] for name in names]
    # Browsers sort this space before all digits; tests/report/test_browser.py asks one.
    assert sorted(shown, key=lambda text: text.replace(FIGURE_SPACE, " ")) == shown
    assert shown[0] == f"Figure {FIGURE_SPACE}1: subject"
    assert shown[3] == "Figure 10: subject"


@pytest.mark.parametrize("many", [1, 8, 9, 12])
def test_chapters_are_the_studies_in_their_order(many):
    studies = [*TITLES, *(f"study_{number}" for number in range(many)), "beyond"]
    found = chapters(studies, TITLES | {"beyond": "Beyond the papers"})
    assert list(found) == ["overview", *studies]
    shown = list(found.values())
    assert sorted(shown, key=lambda text: text.replace(FIGURE_SPACE, " ")) == shown
    assert shown[0].endswith("1 Overview")
    assert found["bifet2013"].endswith("2 Bifet et al. (2013)")
    assert found["study_0"].endswith("6 Study 0")
    assert shown[-1] == f"{6 + many} Beyond the papers"


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("fig2", "Figure 2"),
        ("table_significance", "Significance"),
        ("fig6-8", "Figures 6 to 8"),
        ("sec6.7", "Section 6.7"),
    ],
)
def test_items_are_called_as_in_the_papers(item, title):
    assert item_title(item) == title
