"""Claims of all papers: which there are, and what a run must show for them."""

from __future__ import annotations

import pandas as pd
from helpers.scorecards import FOLDER

from streameval import papers
from streameval.base.settings import ROOT, load_yaml
from streameval.items import kinds
from streameval.pipeline.configuration import complete, merge_files
from streameval.pipeline.items import items_of
from streameval.pipeline.study_errors import WHOLE_STUDY, failed_studies, write_errors
from streameval.report.claims import judge
from streameval.report.results import FRAME_COLUMNS, Results
from streameval.report.scorecard import scorecard

#: Claims about runs of a million instances.
OF_A_MILLION = (
    *("mcnemar_rejects_true_null", "null_gap_between_tests", "tests_comparable_power"),
    *("overall_by_validation", "more_examples_help"),
    *("split_cannot_distinguish", "bootstrap_most_efficient", "little_difference_of_modes"),
    *("mcnemar_overestimates", "wilcoxon_more_discriminative", "wilcoxon_best_schemes"),
    "wilcoxon_perfect_but_sea",
)
RULES = {
    (paper.id, key): predicate
    for paper in papers.all_papers().values()
    for key, predicate in paper.claims.items()
}


def test_every_claim_of_a_study_that_is_built_has_a_rule():
    for paper in ("bifet2013", "zliobaite2015", "bifet2015", "grzenda2019"):
        claims = pd.read_csv(ROOT / "resources" / "published" / paper / "claims.csv")
        assert set(claims["key"]) == set(papers.all_papers()[paper].claims)


def test_without_results_claims_are_judged_by_arithmetic_alone():
    judgements = {key: judge(predicate, Results({})).verdict for key, predicate in RULES.items()}
    assert {key: verdict for key, verdict in judgements.items() if verdict != "not run"} == {
        ("bifet2013", "random_accuracy"): "claim holds",
        ("bifet2013", "repeats_above_1_of_k"): "claim does not hold",
        ("bifet2013", "balanced_kappas_agree"): "claim holds",
        ("bifet2013", "independent_kappas_agree"): "claim does not hold",
        ("zliobaite2015", "critical_z"): "claim holds",
        ("zliobaite2015", "tests_of_50"): "claim does not hold",
        ("bifet2015", "kappa_per_is_kappa_m"): "claim holds",
    }


def test_kinds_of_items_have_the_columns_that_claims_read():
    items = complete(load_yaml(ROOT / "config" / "config.yaml")).content["items"]
    read = {item["kind"] for paper in papers.all_papers() for item in items[paper].values()}
    assert read <= set(kinds())
    known = [kinds()[name] for name in sorted(read)]  # claims read no items of other studies
    for part, columns in FRAME_COLUMNS.items():
        declared = [set(kind.frames[part]) for kind in known if part in kind.frames]
        assert declared or part in ("measures", "differences"), part
        assert all(set(columns) <= columns_of_kind for columns_of_kind in declared), part


def test_paper_scale_gives_all_that_claims_need():
    streams = load_yaml(ROOT / "config" / "streams.yaml")["streams"]

    def settings(scale):
        folder = ROOT / "config"
        changed = {} if scale == "quick" else load_yaml(folder / f"{scale}.yaml")["items"]
        config = complete(load_yaml(folder / "config.yaml") | {"items": changed}).content
        studies = config["items"].items()
        return {f"{study}/{name}": item for study, of in studies for name, item in of.items()}

    def lacks(need, item):
        values = {"lag": range(1, item.get("lags", 0) + 1) if need.column == "lag" else ()}
        values["order"] = range(item.get("orders", -1) + 1)
        values["seed"] = item.get("seeds", ())
        lengths = item.get("instances")
        values["instances"] = lengths if isinstance(lengths, list) else (lengths,)
        values["lags"] = item["lags"][need.where["kind"]] if need.column == "lags" else ()
        values["every"], values["bins"] = item.get("every", ()), item.get("numbers", ())
        if need.column in ("labels", "predictions"):  # all, where the item does not stop earlier
            (stream,) = need.streams
            reached = item.get("labels", {}).get(stream, streams[stream]["rows"])
            values[need.column] = (reached,)
        present = set(values[need.column])
        return not set(need.values) <= present or len(present) < need.min_distinct

    needs = {
        key: [need for rule in (predicate, predicate.alternative) if rule for need in rule.needs]
        for key, predicate in RULES.items()
    }
    paper, quick = settings("paper"), settings("quick")
    assert not [key for key, of in needs.items() if any(lacks(n, paper[n.figure]) for n in of)]
    short = {key for key, of in needs.items() if any(lacks(n, quick[n.figure]) for n in of)}
    assert short == {
        ("bifet2013", "stable_in_lag"),
        *(("bifet2015", key) for key in OF_A_MILLION),
        ("zliobaite2015", "ddm_outperformed"),
        ("zliobaite2015", "gain_by_lag"),
        ("zliobaite2015", "false_alarms_help"),
        ("zliobaite2015", "nb_equals_ddm"),
    }


def test_studies_that_failed_are_not_run_with_the_reason(tmp_path):
    """A study of which no learner is left has frames with columns, and without rows."""
    path = tmp_path / "failures" / "bifet2013" / "fig5" / "elec2.json"
    path.parent.mkdir(parents=True)
    write_errors({"knn": "MemoryError: no room", WHOLE_STUDY: "ValueError: no rows"}, path)
    write_errors({}, path.with_name("covtype.json"))
    items = items_of(complete({**merge_files([]), "studies": "all"}))
    frames = {
        f"{item.id}/{stream}.{part}": pd.DataFrame(columns=columns)
        for item in items.values()
        for stream in item.streams
        for part, columns in item.kind.frames.items()
    }
    frames |= {
        name: pd.DataFrame(columns=item.kind.columns)
        for name, item in items.items()
        if item.kind.is_table
    }
    failures = failed_studies([path, path.with_name("covtype.json")])
    assert [*failures] == ["bifet2013/fig5/elec2"]
    cards = [
        scorecard(papers.all_papers().values(), FOLDER, Results(*of_run))
        for of_run in (({},), (frames, {}, failures))
    ]
    decided = [(card["verdict"] != "not run").tolist() for card in cards]
    assert decided[0] == decided[1]  # of arithmetic alone
    reasons = cards[1].loc[cards[1]["reason"].str.contains("fig5/elec2"), "reason"]
    assert len(reasons) > 0
    assert reasons.str.contains(
        "bifet2013/fig5/elec2 failed: knn: MemoryError: no room; ValueError: no rows", regex=False
    ).all()
