"""The looks of learners: the same in all figures of a study, whichever learners these show."""

from __future__ import annotations

from streameval.drawing.looks import LEARNER_LOOKS, distinct_looks, learner_look
from streameval.pipeline import products

FIGURE = {"kind": "measures", "streams": ["elec2"], "measures": ["accuracy"]}
OWN = ("mine_a", "mine_b", "mine_c")


def test_all_figures_of_a_study_are_drawn_with_the_looks_of_all_its_learners(plan_of):
    items = {
        "fig1": {**FIGURE, "learners": ["mine_b", "naive_bayes"]},
        "fig2": {**FIGURE, "learners": ["mine_a", "mine_b"]},
        "fig3": {**FIGURE, "learners": ["mine_c", "mine_b"]},
    }
    rows = {name: {"learner": "hoeffding_tree", "title": name} for name in OWN}
    plan_of_study = plan_of(items, learners=rows)
    assert len([task for job in products.drawing_jobs(plan_of_study) for task in job.tasks]) == 3
    # The titles are those of every drawing; looks follow from them alone.
    with distinct_looks(plan_of_study.titles):
        looks = {name: learner_look(name) for name in [*LEARNER_LOOKS, *OWN]}
    assert len({(look.color, look.dash) for look in looks.values()}) == len(looks)
    for name, look in LEARNER_LOOKS.items():
        assert looks[name] == look
