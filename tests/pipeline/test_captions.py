"""Captions of all figures of the studies: what they say, of what settings."""

from __future__ import annotations

import string
from dataclasses import replace

import msgspec
import pytest
from helpers import example_studies
from helpers.all_kinds import all_kinds

from streameval.items.kind import ItemKind, texts_of
from streameval.pipeline.configuration import complete, merge_files
from streameval.pipeline.items import (
    PAPERS,
    Item,
    figure_caption,
    items_of,
    table_caption,
)
from streameval.report.names import item_title

SHIPPED = items_of(complete({**merge_files([]), "studies": "all"}))
FIGURES = {name: item for name, item in SHIPPED.items() if item.kind.is_figure}
OF_STREAMS = {name: item for name, item in FIGURES.items() if not item.kind.pictures}
#: Other values than the studies have, and the words that say them.
OTHERS = {
    "window": (777, "777"),
    "lags": (778, "778"),
    "seeds": (tuple(range(79)), "79"),
    "measures": (("accuracy", "mcc"), "accuracy and MCC"),
}
#: Those of kinds of regressors.
OF_REGRESSORS = OTHERS | {"measures": (("root_mean_squared_error", "r_squared"), "RMSE and R²")}


def quoted(kind: ItemKind) -> set[str]:
    """The names in braces in the caption of a kind."""
    return {name for _, name, _, _ in string.Formatter().parse(texts_of(kind).caption) if name}


def with_other(item: Item, setting: str) -> tuple[Item, str]:
    """An item with another value of a setting, and the words that say it."""
    value, words = (OF_REGRESSORS if item.kind.trains == "regressors" else OTHERS)[setting]
    other = msgspec.structs.replace(item.settings, **{setting: value})
    return replace(item, settings=other), words


def test_the_studies_have_figures_of_every_kind():
    figure_kinds = {name for name, kind in all_kinds().items() if kind.is_figure}
    shipped = {item.kind.name for item in FIGURES.values()}
    assert shipped <= figure_kinds <= shipped | example_studies.KINDS


@pytest.mark.parametrize("name", OF_STREAMS)
def test_a_caption_says_the_settings_that_it_quotes(name):
    item = OF_STREAMS[name]
    caption = figure_caption(item, "elec2", simulated=False)
    for setting in OTHERS.keys() & quoted(item.kind):
        other, words = with_other(item, setting)
        assert words not in caption
        assert words in figure_caption(other, "elec2", simulated=False)


def test_a_caption_names_panels_over_time_where_there_are_any():
    over_time = "Below: accuracy in single bins over all labels so far."
    for name, has_panels in (("grzenda2019/fig5", True), ("beyond/delayed_kappas", False)):
        assert bool(OF_STREAMS[name].settings.stages) is has_panels
        assert (
            over_time in figure_caption(OF_STREAMS[name], "elec2", simulated=False)
        ) is has_panels


def test_a_caption_says_what_is_known_later():
    items = [OF_STREAMS[f"beyond/{name}"] for name in ("evolving_inputs", "departure_delays")]
    plain, later = (figure_caption(item, "elec2", simulated=False) for item in items)
    assert later == plain.replace(" Protocol:", " Known later: DepDelay. Protocol:")


@pytest.mark.parametrize("name", OF_STREAMS)
def test_a_caption_says_stream_learners_and_paper(name):
    item = OF_STREAMS[name]
    real, simulated = (
        figure_caption(item, "elec2", simulated=is_simulated) for is_simulated in (False, True)
    )
    assert real.startswith("Stream elec2: ")
    assert real.endswith(".")
    assert not set("{}[]") & set(real)
    assert len(simulated.split()) < 95 or not item.kind.name.startswith("bin")
    without = msgspec.structs.replace(
        item.settings, **({"learners": ("majority",)} if item.learners else {})
    )
    other = figure_caption(replace(item, settings=without), "elec2", simulated=False)
    says, says_not = ("below that of No-Change" in text for text in (real, other))
    assert says is (item.kind.name == "measures" and "no_change" in item.learners)
    assert not says_not
    paper = PAPERS.get(item.study)
    if paper is None:
        assert simulated == real
        assert "After " not in real
    else:
        title = item_title(item.name).partition(",")[0]
        place = f"{title} of {paper}" if title[-1].isdigit() else paper
        assert f"After {place}" in real
        assert simulated.removesuffix(", here for a simulated stream.") == real.removesuffix(".")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("grzenda2019/table2", "Table 2 of Grzenda et al. (2019)."),
        ("grzenda2019/table1_rules", "Table 1 of Grzenda et al. (2019), rules."),
        ("zliobaite2015/propositions", "After Žliobaitė et al. (2015)."),
    ],
)
def test_no_table_is_given_to_a_paper_that_has_none(name, source):
    assert table_caption(SHIPPED[name]).endswith(f" {source}")


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("fig2", "Figure 2"),
        ("table_significance", "Significance"),
        ("fig6-8", "Figures 6 to 8"),
        ("sec6.7", "Section 6.7"),
        ("fig6-8_recorded_twice", "Figures 6 to 8, recorded twice"),
    ],
)
def test_items_are_called_as_in_the_papers(item, title):
    assert item_title(item) == title
