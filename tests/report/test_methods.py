"""Methods and BibTeX of a study follow from the configuration that ran."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from streameval.base.settings import ROOT
from streameval.evaluation.run import SEED
from streameval.pages.origin import RunOrigin
from streameval.pipeline import products, study_jobs
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.page_content import registered_learners, studies_of
from streameval.pipeline.plan import make_plan
from streameval.report.methods import Registries
from streameval.report.what_ran import ItemRun

EXAMPLES = ROOT / "examples"
SIZES = {
    "loans": {"rows": 2000, "columns": 3, "classes": 2, "unlabelled": 268},
    "demand": {"rows": 3000, "columns": 4, "classes": 0, "unlabelled": 0},
}
MODEL = {"hoeffding_tree": {}, "river": {"model": "river.naive_bayes.GaussianNB"}}
RUN = {
    "command": "",
    "origin": {name: {} for name in ("begun", "commit", "study_commit", "processor", "versions")},
    "streams": {},
}


def contents_of(plan):
    """The contents of the pages of studies, by study."""
    jobs = [*study_jobs.studies(plan), *products.table_jobs(plan), *products.drawing_jobs(plan)]
    return {content["study"]: content for content in studies_of(plan, jobs)}


def texts_of(plan, study, contents=None):
    """Methods and BibTeX as the page of a study has them."""
    about = (contents or contents_of(plan))[study]
    streams = {name: plan.entry_of(name) | SIZES.get(name, {}) for name in plan.streams}
    user_streams = [name for name in plan.streams if name in plan.user_streams]
    registered = Registries(streams, registered_learners(plan), user_streams)
    ran = {row["item"]: ItemRun(**row) for row in products.item_runs(plan)}
    section = RunOrigin(RUN).study_section(about, ran, registered)
    return [part.text for part in section.parts[-2:]]


@pytest.fixture
def example(monkeypatch, tmp_path):
    """A function that plans the example with changes of its first table."""
    monkeypatch.chdir(EXAMPLES)

    def plan(**changes):
        content = yaml.safe_load(Path("study.yaml").read_text(encoding="utf-8"))
        content["items"]["example"]["table1"] |= changes
        file = tmp_path / "study.yaml"
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        for stream in content["streams"].values():
            stream["file"] = str(EXAMPLES / stream["file"])
        content["learners"]["nearest_mean"]["learner"] = "nearest_mean:NearestMean"
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        (tmp_path / "nearest_mean.py").write_bytes((EXAMPLES / "nearest_mean.py").read_bytes())
        return make_plan(merge_files([file]), decide=False, files=[file])

    return plan


def test_methods_have_data_learners_protocols_delays_and_seeds(example):
    methods, _ = texts_of(example(), "example")
    for said in (
        "loans, Loans (simulated) (2,000 instances, 268 of them without a label, 3 inputs, ",
        "2 classes, labels with arrival times)",
        "demand, Hourly demand (simulated) (3,000 instances, 4 inputs, a numeric target)",
        "We evaluated No-Change, Majority, Naive Bayes, k-NN and Nearest mean on loans (Figure 1 ",
        "and Table 1); protocol: continuous re-evaluation every 10 labels.",
        "We evaluated Previous target, Target mean, FIMT-DD and AMRules on demand (Figure 2);",
        "Labels of demand arrived 23 instances later (Figure 2).",
        "Table 1: Measures of learners over whole streams",
        "±2 % of the error of the better baseline",
        "Student's t over",
    ):
        assert said in methods, said


def test_seeds_are_those_of_the_learners_that_draw(example):
    plan = example()
    methods, _ = texts_of(plan, "example")
    drawing = [name for name in plan.all_learners if plan.learners[name].is_random]
    assert [plan.titles[name] for name in drawing] == ["FIMT-DD", "AMRules"]
    assert f"Draws and tests: seed {SEED} of FIMT-DD and AMRules." in methods
    rows = plan.learners | {"fimt_dd": replace(plan.learners["fimt_dd"], seed=5)}
    methods, _ = texts_of(replace(plan, learners=rows), "example")
    assert "seed 5 of FIMT-DD" in methods


def test_a_learner_without_citation_has_that_of_its_class(example):
    plan = example(learners=["knn"])
    rows = plan.learners | {"knn": replace(plan.learners["knn"], citation="")}
    for learner, key in (("hoeffding_tree", "domingos2000"), ("river", "river2021")):
        changed = rows | {"knn": replace(rows["knn"], learner=learner, parameters=MODEL[learner])}
        _, bibtex = texts_of(replace(plan, learners=changed), "example")
        assert f"{{{key},\n" in bibtex


def test_a_citation_without_an_entry_is_a_comment(example):
    plan = example()
    rows = plan.learners | {"knn": replace(plan.learners["knn"], citation="Nobody (1999)")}
    _, bibtex = texts_of(replace(plan, learners=rows), "example")
    assert "% No entry for k-NN: Nobody (1999)" in bibtex


def test_methods_and_bibtex_follow_the_configuration(example):
    folds = example(protocol="cross_validation:5", ignore_label_times=True)
    methods, _ = texts_of(folds, "example")
    assert "Nearest mean on loans (Table 1); protocol: 5-fold cross-validation" in methods
    assert "Nearest mean on loans (Figure 1); protocol: continuous" in methods
    methods, bibtex = texts_of(example(learners=["knn"], measures=["mcc"]), "example")
    assert "We evaluated No-Change, Majority and k-NN on loans (Table 1)" in methods
    assert "(MCC)" in methods
    for key in ("aha1991", "matthews1975", "grzenda2019", "ikonomovska2011", "ibragimov2010"):
        assert f"{{{key},\n" in bibtex, key
    assert "cohen1960" not in bibtex  # κ is not among its measures any more
    assert "% No entry" not in bibtex


@pytest.fixture(scope="module")
def default():
    return make_plan(merge_files([]), decide=False)


@pytest.fixture(scope="module")
def contents(default):
    return contents_of(default)


@pytest.mark.parametrize(
    ("study", "keys"),
    [
        ("bifet2013", ["bifet2013", "gama2004", "harries1999"]),
        ("zliobaite2015", ["zliobaite2015", "cohen1960"]),
        ("bifet2015", ["bifet2015", "mcnemar1947", "wilcoxon1945", "breiman2001"]),
        ("grzenda2019", ["grzenda2019", "dataexpo2009", "gomes2017"]),
        ("overview", ["john1995", "blackard1998"]),
    ],
)
def test_studies_of_the_project_name_and_cite_what_they_use(default, contents, study, keys):
    if study == "overview" and "covtype" not in default.streams:
        keys = keys[:-1]
    methods, bibtex = texts_of(default, study, contents)
    for key in keys:
        assert f"{{{key},\n" in bibtex, key
    assert "% No entry" not in bibtex
    assert methods.count("We used") == 1
    if study == "bifet2013":  # names with commas are separated by semicolons
        assert "Hoeffding tree, temporally augmented; Hoeffding adaptive tree, temp" in methods
    if study == "bifet2015":
        errors = default.items["bifet2015/errors"].settings
        said = (f"{errors.runs} runs", f"tests at level {errors.level}", f"{errors.folds} folds")
        assert [text for text in said if text not in methods] == []
    for item in default.items.values():
        if item.study == study and item.kind.reads == "predictions" and item.streams:
            assert item.protocol.title in methods


def test_methods_leave_out_items_and_streams_that_were_not_run(default):
    left_out = dict.fromkeys(("covtype", "airlines", "elec2_dayahead"), "no network")
    plan = replace(default, left_out=left_out)
    methods, _ = texts_of(plan, "grzenda2019")
    assert "Figure 4:" in methods or "Figure 4 and" in methods or "Figure 4," in methods
    for absent in ("elec2_dayahead", "Labels of covtype", "Figure 5"):
        assert absent not in methods
