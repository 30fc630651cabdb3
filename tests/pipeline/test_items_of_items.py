"""Items about the data of another item, of their own study or of another one."""

from __future__ import annotations

import pytest
from helpers.configurations import put

from streameval.base.errors import ConfigError
from streameval.pipeline import products, study_jobs
from streameval.pipeline.plan import make_plan

SHOWN = {"kind": "rejections", "tests": ["mcnemar"], "alternatives": ["same"]}
RATES = "results/data/bifet2015/errors/sea_50.rates.csv"


@pytest.mark.parametrize("of", ["errors", "bifet2015/errors"])
def test_an_item_of_the_own_study_has_two_names(config, of):
    config["studies"] = ["bifet2015"]
    plan = make_plan(put(config, "items.bifet2015.table2.of", of), decide=False)
    (tables,) = [job for job in products.table_jobs(plan) if job.name == "tabulate_bifet2015"]
    (task,) = [job for job in tables.tasks if job["item"] == "bifet2015/table2"]
    assert task["frames"]["sea_50.rates"] == RATES


def test_an_item_of_another_study_is_read_by_its_study_and_no_other(config, full_plan):
    jobs = study_jobs.studies(full_plan)
    (study,) = [job for job in jobs if job.name == "study_beyond_test_choice"]
    assert study.tasks[0]["read"]["sea_50.rates"] == RATES
    assert RATES in study.inputs["results"]
    config["studies"] = ["bifet2015"]
    alone = make_plan(config, decide=False)
    assert list(alone.items) == [name for name in full_plan.items if name.startswith("bifet2015/")]
    assert [job.outputs for job in products.table_jobs(alone)] == [
        job.outputs for job in products.table_jobs(full_plan) if job.name == "tabulate_bifet2015"
    ]


@pytest.mark.parametrize(
    ("studies", "of", "message"),
    [
        (
            ["bifet2015", "mine"],
            "bifet2105/errors",
            (
                "expected an item of a study of this run, found 'bifet2105/errors'. Add "
                "'bifet2105' to `studies`, which are bifet2015, mine. Did you mean 'bifet2015'?"
            ),
        ),
        (
            ["bifet2015", "mine"],
            "bifet2015/erors",
            (
                "there is no item of kind type_errors called 'bifet2015/erors'. Known: "
                "bifet2015/errors. Did you mean 'bifet2015/errors'?"
            ),
        ),
        (
            ["bifet2015", "mine"],
            "bifet2015/fig4",
            (
                "there is no item of kind type_errors called 'bifet2015/fig4'. Known: "
                "bifet2015/errors."
            ),
        ),
        (
            ["mine"],
            "errors",
            "there is no item of kind type_errors called 'mine/errors'. Known: none.",
        ),
    ],
)
def test_an_item_that_is_not_there_or_of_another_kind_is_refused(config, studies, of, message):
    config["studies"] = studies
    put(config, "items.mine.rates", {**SHOWN, "of": of})
    with pytest.raises(ConfigError) as refused:
        make_plan(config, decide=False)
    where, _, why = str(refused.value).partition(".of: ")
    assert where == "the configuration: at items.mine.rates"
    assert why.startswith(message)


def test_an_item_about_several_reads_the_frames_of_each(config):
    config["studies"] = ["grzenda2019"]
    put(config, "items.grzenda2019.table1.of", ["fig8", "fig9"])
    plan = make_plan(config, decide=False)
    (tables,) = [job for job in products.table_jobs(plan) if job.name == "tabulate_grzenda2019"]
    (task,) = [job for job in tables.tasks if job["csv"].endswith("/table1.csv")]
    assert [*task["streams"]] == ["led_delayed", "agrawal_delayed"]
    folder = "results/data/grzenda2019"
    assert task["frames"]["led_delayed.bins"] == f"{folder}/fig8/led_delayed.bins.csv"
    assert task["frames"]["agrawal_delayed.size"] == f"{folder}/fig9/agrawal_delayed.size.csv"
    assert set(task["frames"].values()) <= set(tables.inputs["frames"])


def test_a_stream_of_two_such_items_is_refused(config):
    put(config, "items.grzenda2019.fig9.streams", ["led_delayed"])
    message = (
        r"items\.grzenda2019\.table1\.of: expected each stream in one of the items, found "
        r"'led_delayed' in 'grzenda2019/fig9' and 'grzenda2019/fig8'"
    )
    with pytest.raises(ConfigError, match=message):
        make_plan(config, decide=False)


def test_beyond_the_papers_says_which_study_it_lacks(config):
    config["studies"] = ["beyond"]
    message = r"beyond\.yaml: at items\.beyond\.holdout_distances\.of: .* Add 'bifet2015' to `st"
    with pytest.raises(ConfigError, match=message):
        make_plan(config, decide=False)


def test_an_item_about_one_that_is_left_out_is_left_out_too(config):
    for left_out in ("errors", "fig4"):
        put(config, f"items.bifet2015.{left_out}.streams", [])
    plan = make_plan(config, decide=False)
    gone = {"bifet2015/table2", "bifet2015/table3", "bifet2015/table4"}
    gone |= {"beyond/test_choice", "beyond/holdout_distances"}
    for jobs in (study_jobs.studies(plan), products.table_jobs(plan), products.drawing_jobs(plan)):
        assert jobs
        assert not gone & {item.id for job in jobs for item in job.items}
    assert not gone & {item.id for item in products.table_items(plan)}
    assert "zliobaite2015/table2" in {item.id for item in products.table_items(plan)}
