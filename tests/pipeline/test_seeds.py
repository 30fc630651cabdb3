"""The runs of learners that draw with several seeds: which there are, and where they are kept."""

from __future__ import annotations

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.pipeline import plan, products, study_jobs

TABLE = {"kind": "benchmark", "streams": ["elec2"], "learners": ["knn", "random_forest"]}


@pytest.fixture
def planned(plan_of):
    """A function that plans a study of one table."""

    def plan(item=(), **content):
        return plan_of({"table1": {**TABLE, **dict(item)}}, **content)

    return plan


def forest(**more):
    return {"forest": {"learner": "random_forest", "title": "F", **more}}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 1),
        ({"seeds": 3}, 3),
        ({"seeds": 3, "item": {"seeds": 4}}, 4),
        ({"seeds": 3, "learners": forest(seeds=2), "item": {"learners": ["forest"]}}, 2),
        ({"learners": forest(seeds=2), "item": {"seeds": 4, "learners": ["forest"]}}, 2),
    ],
)
def test_a_learner_s_own_number_comes_first_then_the_item_s_then_the_study_s(
    planned, changes, expected
):
    plan_of_study = planned(**changes)
    (item,) = plan_of_study.items.values()
    (numbers,) = {*plan_of_study.seeds_of(item).values()}
    assert numbers == expected
    assert [key[2] for key in plan_of_study.seed_runs] == list(range(2, expected + 1))


def test_only_learners_that_draw_run_again_each_seed_in_a_file_of_its_own(planned):
    plan_of_study = planned(item={"seeds": 3})
    assert {*plan_of_study.learners_of("elec2", "prequential")} == {
        *("no_change", "majority", "knn", "random_forest")
    }
    for seed in (2, 3):
        assert list(plan_of_study.learners_of("elec2", "prequential", seed)) == ["random_forest"]
    assert not plan_of_study.learners_of("elec2", "prequential", 4)
    predicted = [
        path.replace("results/", "")
        for pair in study_jobs.prediction_and_cost_files(plan_of_study)
        for path in pair
    ]
    assert [path.replace("mine/", "") for path in predicted] == [
        *("predictions/elec2.prequential.parquet", "timings/elec2.prequential.csv"),
        *("predictions/seed-2/elec2.prequential.parquet", "timings/seed-2/elec2.prequential.csv"),
        *("predictions/seed-3/elec2.prequential.parquet", "timings/seed-3/elec2.prequential.csv"),
    ]
    (study,) = study_jobs.studies(plan_of_study)
    (files,) = study.tasks[0]["stream_tasks"].values()
    assert list(files["seed_files"]) == ["2", "3"]
    assert list(files["cost_files"]) == ["1", "2", "3"]
    assert study.tasks[0]["seeds"] == {"random_forest": 3}
    keys = ("prediction_files", "seed_files", "cost_files")
    read = {path for key in keys for path in files[key].values()}
    assert read == {*study.inputs["predictions"]}
    logs = dict.fromkeys(place for _, place in products.log_patterns(plan_of_study, []))
    assert "evaluate_learners/seed-2/elec2.prequential" in logs


def test_without_seeds_nothing_is_new(planned, full_plan):
    plan_of_study = planned()
    assert not plan_of_study.seed_runs
    assert len(study_jobs.prediction_and_cost_files(plan_of_study)) == 1
    rows = plan_of_study.learners_of("elec2", "prequential").values()
    assert not [row for row in rows if {"seed", "seeds"} & row.keys()]
    assert not full_plan.seed_runs
    tasks = [task for job in study_jobs.studies(full_plan) for task in job.tasks]
    tasks += [entry for task in tasks for entry in task.get("stream_tasks", {}).values()]
    assert tasks
    assert not [task for task in tasks if {"seeds", "seed_files", "cost_files"} & task.keys()]


def test_the_number_of_runs_is_no_part_of_what_predictions_follow_from(planned):
    plan_of_study = planned({"learners": ["forest"]}, learners=forest(seeds=2, seed=5))
    row = plan_of_study.learners_of("elec2", "prequential")["forest"]
    assert row["seed"] == 5
    assert "seeds" not in row


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": 0}, "mine.yaml: at seeds: expected"),
        ({"item": {"seeds": 0}}, "mine.yaml: at items.mine.table1.seeds: expected"),
        ({"learners": forest(seed=-1)}, "mine.yaml: at learners.forest.seed: expected"),
    ],
)
def test_numbers_that_are_none_are_named(planned, changes, message):
    with pytest.raises(ConfigError, match=message):
        planned(**changes)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"one/table1": 2, "two/table1": 1}),
        ({"seeds": 3}, {"one/table1": 3, "two/table1": 3}),  # as with --config seeds=3
    ],
)
def test_the_configuration_overrides_the_number_in_a_study_file(
    config, tmp_path, changes, expected
):
    folder = tmp_path / "config" / "studies"
    folder.mkdir(parents=True)
    for name, number in (("one", {"seeds": 2}), ("two", {})):
        content = {"items": {name: {"table1": TABLE}}, **number}
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    plan_of_studies = plan.make_plan(config | {"studies": ["one", "two"], **changes}, decide=False)
    numbers = {name: item.settings.seeds for name, item in plan_of_studies.items.items()}
    assert numbers == expected
