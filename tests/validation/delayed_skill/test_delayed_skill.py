"""The table of skill over comparators with the same delays."""

from __future__ import annotations

from helpers.all_kinds import all_kinds
from helpers.shown_tables import cells_of
from helpers.study_inputs import stream_input_for

from delayed_skill import show
from delayed_skill.show import layout_delayed_skill as layout
from streameval.drawing.subject import Subject
from streameval.items.inputs import ItemInput
from streameval.items.reevaluation import binned_measures

LEARNERS = ["naive_bayes", "no_change", "majority"]


def test_the_table_compares_with_both(monkeypatch):
    item = {"learners": LEARNERS, "bins": 4, "stages": [], "delay": {"markov_ozone": 30}}
    frames = binned_measures.study(stream_input_for("binned_measures", "markov_ozone", item))
    monkeypatch.setattr(
        ItemInput, "frames_of_streams", lambda _, name: {"markov_ozone": frames[name]}
    )
    kind = all_kinds()["delayed_skill"]
    item = ItemInput(settings=kind.settings_from({"of": ["a"], "bins": [3]}), columns=kind.columns)
    table = show.study_delayed_skill({}, item)
    assert list(dict.fromkeys(table["which"])) == ["0", "3", "B+1"]
    bins = frames["bins"].set_index(["learner", "bin"])["kappa_temporal"]
    learner_rows = table[(table["learner"] == "naive_bayes") & (table["reference"] == "no_change")]
    assert learner_rows["published"].tolist() == [bins["naive_bayes", b] for b in (0, 3, 5)]
    cells = cells_of(layout(table, Subject(settings=None)))
    assert len(cells) == 3 * len(LEARNERS)
    assert list(cells)[3:5] == ["κ_t: published", "κ_t: same delays"]
