"""The pipeline itself, on the tiny configuration, in a folder of its own."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from helpers import first_page
from helpers.browsers import PHONE
from helpers.digests import DRAWING, committed, differences, other_versions
from helpers.projects import jobs_told, run

from streameval import papers
from streameval.base.file_digests import file_digest
from streameval.base.table_files import read_csv_table
from streameval.pipeline.configuration import shipped_studies
from streameval.pipeline.page_content import heading_anchor

pytestmark = pytest.mark.workflow

#: Scripts for files that are not generated.
NOT_IN_A_TINY_RUN = {"fetch_raw.py", "convert_stream.py"}
SIDES = ("width", "height")
FOLDERS = ("figures/bifet2013/fig2", "figures/bifet2013/fig5")
#: Jobs that follow an edit of what all drawings import: the overview has tables alone.
PAINTED = {f"draw_{study}" for study in shipped_studies() if study != "overview"}
LAST = {"digest_results", "write_run", "write_pages", "check_failures", "all"}
DRAWN_ANEW = {*PAINTED, *LAST}
#: Jobs that write tables, whose kinds may also be drawn, and the scorecard that reads them.
TABULATED = {*(f"tabulate_{study}" for study in shipped_studies()), "write_scorecard"}
#: Jobs of studies that train regressors, and all that train learners.
ON_PLANES = {"study_grzenda2019_fig14_planes", "study_intervals_planes_planes"}
TRAINING = {
    f"study_{item}_markov_ozone"
    for item in (
        *("beyond_delays", "beyond_order", "bifet2013_fig9", "bifet2013_fig10"),
        *("zliobaite2015_fig6", "zliobaite2015_fig7", "grzenda2019_fig3", "grzenda2019_fig13"),
    )
} | ON_PLANES


def digests(project: Path) -> dict[str, str]:
    return json.loads((project / "results" / "digests.json").read_text(encoding="utf-8"))


def test_the_run_leaves_what_it_should(finished):
    left = digests(finished)
    assert all((finished / path).stat().st_size > 0 for path in left)
    # Times differ from run to run: a figure that shows some is made, and not digested.
    timed = "figures/bifet2013/fig9/markov_ozone.svg"
    assert timed not in left
    assert (finished / timed).stat().st_size > 0
    page = (finished / "results" / "index.html").read_text(encoding="utf-8")
    assert "markov_ozone" in page
    assert "What was left out" in page
    assert not list(finished.rglob(".part-*"))


@pytest.mark.browser
def test_every_table_can_be_read_on_a_telephone(finished, reader):
    pages = sorted((finished / "results" / "tables").glob("*/*.html"))
    assert len(pages) > 20
    for page in pages:
        reader.open(page, PHONE)
        name = f"{page.parent.name}/{page.stem}"
        assert reader.wider()[0] == 0, name
        assert reader.whole_rows() >= min(2, len(reader.rows())), name
        assert reader.keeps_the_first_column(), name
        assert reader.sees(reader.one("h1")), name
        assert reader.sees(reader.one("a[download]")), name


def test_every_figure_fits_a_page(finished):
    figures = sorted((finished / "figures").glob("*/*/*.svg"))
    assert len(figures) > 40
    for figure in figures:
        head = figure.read_text(encoding="utf-8").partition("viewBox")[0]
        width, height = (float(re.search(rf'{side}="([\d.]+)pt"', head)[1]) for side in SIDES)
        assert width * 2.54 / 72 <= 17.4 + 0.01, figure  # both columns of a journal
        assert height * 2.54 / 72 <= 24, figure


def test_the_first_page_counts_what_is_on_disk(finished):
    page = (finished / "results" / "index.html").read_text(encoding="utf-8")
    by_protocol, (_, streams, items, *_) = first_page.protocols(page), first_page.tables(page)
    lengths = {row["stream"]: first_page.numbers(row["instances"]) for row in streams}
    learners = {row["item"]: row["learners"] for row in items}
    titles = first_page.titles()
    played = first_page.predicted(finished / "results" / "predictions")
    assert played
    for stream, protocol, names, instances in played:
        assert instances in lengths[stream], stream
        assert names <= set(by_protocol[protocol])
    # What studies have left says which learners ran. Those that read predictions have comparators.
    ran = dict[str, set[str]]()
    for path in sorted((finished / "results" / "data").glob("*/*/*.csv")):
        item, frame = "/".join(path.parts[-3:-1]), read_csv_table(path)
        # Laws of streams have learners of their own.
        if "learner" in frame and item in learners and "law" not in frame:
            ran.setdefault(item, set()).update(titles[learner] for learner in frame["learner"])
        if path.name.endswith(".size.csv") and "instances" in frame:
            stream = path.name.removesuffix(".size.csv")
            assert frame["instances"][0] in lengths[stream], path
    assert len(ran) > 10
    for item, names in ran.items():
        both = names | {"No-Change", "Majority"}
        counted = learners[item]
        assert counted in {f"{len(names)} learners", f"{len(both)} learners"} or (
            names <= set(counted.split("; ")) <= both
        ), item
    everywhere = {title for names in by_protocol.values() for title in names}
    assert set().union(*ran.values(), *(names for _, _, names, _ in played)) <= everywhere


def test_counts_of_the_first_page_are_those_of_the_scorecard(finished):
    page = (finished / "results" / "index.html").read_text(encoding="utf-8")
    card = pd.read_csv(finished / "results" / "scorecard.csv", keep_default_na=False)
    rows = {row.pop("paper"): row for row in first_page.tables(page)[0]}
    assert [*rows] == [paper.title for paper in papers.all_papers().values()]
    for paper in papers.all_papers().values():
        paper_rows = card[card["paper"] == paper.id]
        not_run, counts = paper_rows["verdict"].str.startswith("not run"), rows[paper.title]
        compared = ~not_run & (paper_rows["by_construction"] == "no")
        assert (int(counts["compared here"]), int(counts["not run"])) == (
            compared.sum(),
            not_run.sum(),
        )


def test_links_between_the_pages_lead_to_anchors_that_are_there(finished):
    paths = (finished / "results").glob("*.html")
    pages = {path.name: path.read_text(encoding="utf-8") for path in paths}
    ids = {name: {*re.findall(r' id="([^"]+)"', page)} for name, page in pages.items()}
    number = 0
    for name, page in pages.items():
        for target, anchor in re.findall(r'href="([^"#:]*)#([^"]+)"', page):
            if target.endswith(".md"):
                text = (finished / "results" / target).read_text(encoding="utf-8")
                ids[target] = {*map(heading_anchor, re.findall("^#+ (.*)$", text, re.MULTILINE))}
            assert anchor in ids[target or name], f"{name}: {target}#{anchor}"
            number += bool(target)
    assert number > 30


def test_each_job_declares_all_that_it_loads(finished):
    """An edit of what is not declared would rerun nothing."""
    jobs = jobs_told(finished.parent / "jobs")
    scripts = {path.name for path in (finished / "workflow" / "scripts").glob("*.py")}
    assert scripts - {job["script"] for job in jobs} == NOT_IN_A_TINY_RUN
    for job in jobs:
        assert all(Path(path).is_file() for path in job["declared"])
        assert not set(job["loaded"]) - set(job["declared"]), job["rule"]


@pytest.mark.parametrize("pictures", [False, True], ids=["numbers", "pictures"])
def test_the_digests_are_those_that_are_committed(finished, pictures):
    """CONTRIBUTING.md says when they may change: `make digests` renews them."""
    others = other_versions()
    if pictures and (drawing := {name: others[name] for name in DRAWING if name in others}):
        pytest.skip(f"pictures depend on the versions of what draws: {drawing} is not pinned")
    expected, current = (
        {
            path: file_digest
            for path, file_digest in all_of_them.items()
            if path.endswith(".svg") is pictures
        }
        for all_of_them in (committed(), digests(finished))
    )
    assert len(current) > 10
    lines = differences(expected, current)
    hint = f"; {others} are not the versions of requirements.txt" if others else ""
    assert not lines, "\n".join([f"The tiny run gives other results{hint}:", *lines])


@pytest.fixture(scope="module")
def summary(finished, environment):
    """What Snakemake says of the outputs of a finished run."""
    return run(finished, environment, "--cores", "1", "--detailed-summary")


#: What an edit of modules runs again, of the jobs that read, generate or train; and, if so, some
#: that do not. docs/howto/own_study.md has the table.
EDITS = {
    # Of these, nothing: a learner, an adapter and a reader that the tiny run does not have, and
    # drawings, layouts and words.
    (
        *("learners/regression/amrules.py", "learners/adapters/river.py"),
        *("streams/readers/arff.py", "items/dependence/show.py"),
        *("items/performance/show.py", "items/error_rates/show.py"),
    ): set[str](),
    ("learners/regression/fimt_dd.py",): {"compile_kernels", *ON_PLANES},
    ("learners/wrappers/conformal.py",): {"study_intervals_planes_planes"},
    ("learners/trees/hoeffding_adaptive_tree.py",): {
        *("compile_kernels", "evaluate_learners", "study_bifet2013_fig10_markov_ozone"),
        "study_beyond_critical_difference",  # reads predictions
    },
    ("learners/wrappers/prediction_augmented.py",): {"study_beyond_delays_markov_ozone"},
    ("measures/moa.py",): {
        *("study_grzenda2019_fig3_markov_ozone", "study_grzenda2019_fig14_planes"),
        "study_beyond_delayed_kappas_markov_ozone",
    },
    # Of studies in parts, what puts the parts together: no forest is trained again.
    ("significance/mcnemar.py",): {
        *("study_beyond_critical_difference", "study_beyond_shared_seeds_rbf_0_0"),
        *("study_beyond_test_choice", "study_beyond_verdict_calibration"),
        *("study_beyond_verdict_calibration_recorded", "study_beyond_verdict_calibration_groups"),
        "study_bifet2015_errors_rbf_0_0",
        *("study_bifet2015_errors_sea_50", "study_labels_calibration"),
    },
    ("streams/generators/planes.py",): ON_PLANES,
}


def test_an_edit_reruns_what_it_changes(summary):
    """By the files that jobs declare; that Snakemake follows them is tested below."""
    assert {line.split("\t")[-1] for line in rows(summary)} == {"no update"}
    jobs = declared(summary)
    rerun = {
        modules: computing(following(jobs, {f"src/streameval/{module}" for module in modules}))
        for modules in EDITS
    }
    assert rerun == EDITS
    # What all modules that draw import, and what all learners do.
    style = following(jobs, {"src/streameval/drawing/style.py"})
    assert {by_study(rule) for rule in style} | {"all"} == DRAWN_ANEW | TABULATED
    running = {"generate_stream", "compile_kernels", "evaluate_learners", *TRAINING}
    assert running <= following(jobs, {"src/streameval/compiled/kernels.py"})


def rows(summary: str) -> list[str]:
    """The lines of outputs in a detailed summary."""
    lines = [line for line in summary.splitlines() if line.count("\t") > 5]
    return [line for line in lines if not line.startswith("output_file")]


#: The inputs and the outputs of jobs, by their rules and logs.
Jobs = dict[tuple[str, str], tuple[set[str], set[str]]]


def declared(summary: str) -> Jobs:
    """The jobs of a run, as its detailed summary has them."""
    jobs: Jobs = {}
    for line in rows(summary):
        output, _, rule, log, inputs, *_ = line.split("\t")
        needed, outputs = jobs.setdefault((rule, log), (set(), set()))
        needed |= set(inputs.split(","))
        outputs.add(output)
    return jobs


def following(jobs: Jobs, edited: set[str]) -> set[str]:
    """The rules of jobs that files reach, by way of other jobs too."""
    reached, files = set[tuple[str, str]](), set(edited)
    while new := {job for job, (needed, _) in jobs.items() if needed & files} - reached:
        reached |= new
        files |= {path for job in new for path in jobs[job][1]}
    return {rule for rule, _ in reached}


def computing(plan: set[str]) -> set[str]:
    """The rules of a plan that read, generate or train, and the studies."""
    named = {name for name in plan if name.startswith("study_")}
    return named | plan & {"generate_stream", "compile_kernels", "evaluate_learners"}


@pytest.fixture(scope="module")
def edited(finished, tmp_path_factory):
    """A copy of a finished run, for edits one after the other."""
    return shutil.copytree(finished, tmp_path_factory.mktemp("edited") / "project", symlinks=True)


def test_an_edited_setting_reruns_what_it_changes(edited, environment):
    """One study reads all predictions; no study reads a title."""
    kept = {path: path.read_bytes() for path in (edited / "config").rglob("*.yaml")}
    for name, old, new in (
        ("streams.yaml", "title: Stand-in for Ozone", "title: In place of Ozone"),
        ("learners.yaml", "title: No-Change", "title: The last label"),
        ("learners.yaml", "window: 1000 # Bifet", "window: 999 # Bifet"),
    ):
        path = edited / "config" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    plan = planned(run(edited, environment, "--cores", "1", "--dry-run"))
    assert "digest_results" in plan
    assert computing(plan) == {"evaluate_learners", "study_beyond_critical_difference"}
    for path, content in kept.items():
        path.write_bytes(content)


def planned(output: str) -> set[str]:
    """The rules that a dry run is going to run; of those that draw, their studies."""
    table = output.partition("Job stats:")[2].partition("total")[0]
    return {by_study(line.split()[0]) for line in table.splitlines()[3:] if line.strip()}


def by_study(rule: str) -> str:
    """The name of a rule; of one that draws, with its study only."""
    return "_".join(rule.split("_")[:2]) if "draw_" in rule else rule


def test_what_is_deleted_or_reached_by_an_edit_is_made_anew(finished, edited, environment, summary):
    pictures = [f"figures/bifet2013/{name}/markov_ozone.svg" for name in ("fig2", "fig5")]
    contents = [(edited / picture).read_bytes() for picture in pictures]
    for path in (
        pictures[0],
        "figures/zliobaite2015/propositions/memory.pdf",
        "results/measures.csv",
        "results/tables/bifet2013/table2.md",
        "results/data/beyond/order/markov_ozone.shares.csv",
        "results/timings/bifet2013/fig9/markov_ozone.costs.csv",
    ):
        (edited / path).unlink()
    shutil.rmtree(edited / "figures/bifet2013/fig5")
    source = edited / "validation/drift_detection/show.py"  # shows a family
    source.write_text(source.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    said = run(edited, environment, "--cores", "1", "--dry-run")
    rerun = planned(said)
    assert computing(rerun) == {
        *("study_beyond_order_markov_ozone", "study_bifet2013_fig9_markov_ozone"),
    }
    assert {rule for rule in rerun if rule.startswith(("draw_", "tabulate_"))} == {
        *("draw_beyond", "draw_bifet2013", "draw_zliobaite2015", "draw_detectors"),
        *("tabulate_bifet2013", "tabulate_detectors"),
    }
    assert rerun >= {"measure_predictions", "digest_results"}
    # Of a file that only other rules ask for, nobody would notice that it was deleted.
    targets = said.partition("rule all:\n    input: ")[2].partition("\n")[0].split(", ")
    outputs = {line.split("\t")[0] for line in rows(summary)}
    assert {path for path in outputs if path.startswith(("results/", "figures/"))} == set(targets)
    # Single figures, without the others of their study.
    said = run(edited, environment, "--cores", "1", "results/measures.csv", *FOLDERS)
    assert planned(said) == {"draw_figure", "measure_predictions"}
    assert [(edited / picture).read_bytes() for picture in pictures] == contents
    assert file_digest(edited / "results/measures.csv") == digests(finished)["results/measures.csv"]
