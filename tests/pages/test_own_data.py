"""The page about learners on one's own data says what the functions say."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.own_pages import Elements, page, plain, unrendered, words

import streameval as se
from streameval.base.errors import ConfigError
from streameval.evaluation.coverage import coverage_sentences
from streameval.evaluation.verdict_words import baseline_sentences
from streameval.pages.findings import ORDER_SEED
from streameval.pages.in_short import BASELINE_ACTIONS, in_short
from streameval.pages.own_data import build_page
from streameval.pages.report import collect_findings
from streameval.protocols.prequential import before_first_label
from streameval.significance.stream_mean import N_SECTIONS
from streameval.streams.variants import shuffled_with_delays

#: The order of the questions that a page is about.
ORDER = ["short", "time", "baselines", "pairs", "labels", "order", "waiting", "obtained"]
#: Of equal numbers.
SAME = "from 3 to 3"
OF_NUMBERS = ["target" if name == "labels" else name for name in ORDER]


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=3000)


@pytest.fixture(scope="module")
def compared(stream):
    return se.compare(stream, ["hoeffding_tree", "naive_bayes", "random_forest"])


@pytest.fixture(scope="module")
def written(compared, tmp_path_factory):
    return page(compared, tmp_path_factory.mktemp("page"))


def test_the_sentences_are_those_of_the_comparison(compared, written):
    lines = [f"{pair.sentence}." for pair in compared.pairs]
    assert len(lines) == 3
    assert all(written[1].has(line) for line in lines)
    for name in compared.learners:
        over = {base: compared.difference(name, base) for base in ("no_change", "majority")}
        differences = {
            base: se.evaluate(compared.stream, name)
            .over_baselines()[name][base]
            ._replace(difference=over_base.mean, low=over_base.low, high=over_base.high)
            for base, over_base in over.items()
        }
        for sentence in baseline_sentences(name, differences, compared.plan.rope, BASELINE_ACTIONS):
            assert written[1].has(sentence)


def test_the_best_of_several_learners_is_named_first(compared, written, stream, tmp_path):
    """It is better in all of its verdicts, whose intervals hold together."""
    better = [(pair.first if pair.verdict == "beats" else pair.second) for pair in compared.pairs]
    decided = [pair for pair in compared.pairs if pair.verdict in ("beats", "loses to")]
    winners = [name for name in compared.learners if better.count(name) == 2]
    alone = len(decided) == 3 and winners
    first = "None of the 3 learners" if not alone else f"{winners[0]} beats each of the 2"
    assert written[1].items[1].startswith(first)
    best = words(se.evaluate(stream, ["majority", "no_change", "hoeffding_tree"]), tmp_path)
    assert best.items[1] == "hoeffding_tree beats each of the 2 other learners."


def test_numbers_of_the_tables_have_the_intervals_of_the_comparison(compared, written):
    estimate = compared.estimate("random_forest")
    cell = f"{100 * estimate.mean:.2f} [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"
    assert written[1].has(cell)
    over = compared.difference("hoeffding_tree", "no_change")
    cell = f"{100 * over.mean:+.2f} [{100 * over.low:+.2f}, {100 * over.high:+.2f}]"
    assert written[1].has(cell)
    assert estimate.mean == pytest.approx(compared.mean("random_forest")[0], abs=1e-12)
    for name in compared.learners_and_baselines[:3]:
        skill = compared.skill(name, "no_change")
        assert written[1].has(f"{skill.value:.4f} [{skill.low:.4f}, {skill.high:.4f}]")
    # Seeds are in the interval of a learner that draws, as they are in that of a difference.
    of_one_run = se.evaluate(compared.stream, "random_forest", seed=1).estimate("random_forest")
    assert of_one_run.df == N_SECTIONS - 1 < estimate.df


def test_the_page_says_how_often_intervals_miss_and_what_has_none(compared, written):
    assert any(coverage_sentences() in plain(item) for item in written[1].items)
    sentence = (
        "random_forest draws at random: means over 5 runs, and intervals that cover other seeds; "
    )
    assert written[1].has(f"{sentence}κ is of one run, without an interval.")


@pytest.mark.parametrize(
    ("generator", "learners", "order"),
    [("sea", ["naive_bayes", "majority"], ORDER), ("planes", ["amrules", "fimt_dd"], OF_NUMBERS)],
    ids=["classes", "numbers"],
)
def test_sections_stand_in_the_order_of_questions(generator, learners, order, tmp_path):
    mine = se.generate(generator, rows=3000)
    comparison = se.compare(mine, learners)
    elements = words(comparison, tmp_path)
    assert elements.has(f"{comparison.pairs[0].sentence}.")
    ids = [attributes["id"] for tag, attributes in elements.tags if tag == "section"]
    assert ids == [part for part in order if part != "waiting"]
    delayed = words(se.evaluate(mine, learners[0], delay=50), tmp_path)
    sections = [attributes["id"] for tag, attributes in delayed.tags if tag == "section"]
    assert sections == order
    assert delayed.has("3,000 instances; the median label arrives 50 instances later.")
    beaten = "naive_bayes beats repeating the previous label by "
    if generator == "planes":
        beaten = "amrules beats predicting the mean so far: its mean absolute error is lower by "
    assert any(item.startswith(beaten) for item in elements.items)


def test_a_page_needs_nothing_else_and_is_small(written):
    text, elements = written
    assert len(text.encode()) <= 2_000_000
    assert "http" not in text
    assert "@import" not in text
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in elements.tags}
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", text))
    for _, attributes in elements.tags:
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")


def test_ids_are_there_once_and_what_is_named_is_there(written):
    ids = [attributes["id"] for _, attributes in written[1].tags if "id" in attributes]
    assert len(ids) == len({*ids})
    named = re.findall(r'(?:href="#|url\(#)([^")]+)', written[0])
    assert named
    assert {*named} <= {*ids}


def test_pictures_have_a_text_and_a_caption_each(written):
    pictures = [attributes for tag, attributes in written[1].tags if tag == "svg"]
    assert len(pictures) == 2 * written[0].count('<figure class="picture">')
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in pictures)


def test_colours_are_variables_that_the_page_has_for_light_and_dark(written):
    named = {*re.findall(r"var\((--c-[0-9a-f]{6})\)", written[0])}
    assert named
    for name in named:
        assert written[0].count(f"{name}:#") == 2


@unrendered()
def test_equal_runs_give_equal_bytes(stream, tmp_path):
    """As equal pictures do, see `test_page.py`."""
    first, again = (
        page(se.evaluate(stream.first(300), "random_forest"), tmp_path)[0] for _ in range(2)
    )
    assert first == again


def test_results_of_either_kind_have_the_same_verdicts(stream, compared, written, tmp_path):
    result = se.evaluate(stream, ["hoeffding_tree", "naive_bayes", "random_forest"])
    other = words(result, tmp_path)
    assert all(other.has(f"{pair.sentence}.") for pair in compared.pairs)
    assert other.items[:12] == written[1].items[:12]


def test_a_learner_alone_has_no_pair_and_is_compared_with_the_baselines(stream, tmp_path):
    elements = words(se.evaluate(stream, "majority"), tmp_path)
    assert any("one learner" in item for item in elements.items)
    assert elements.items[1].startswith("majority beats repeating the previous label by")


def test_names_are_escaped(tmp_path):
    bad = "<script>alert(1)</script>"
    rng = np.random.default_rng(1)
    y = np.where(rng.random(400) < 0.5, bad, "a & b")
    mine = se.from_arrays(rng.random((400, 1)), y, name=bad, target=bad)
    with unrendered():
        text, elements = page(se.evaluate(mine, {f"{bad}[1, 2]": "naive_bayes"}), tmp_path)
    assert "script" not in {tag for tag, _ in elements.tags}
    assert bad in elements.texts  # the title
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_learner_that_is_as_good_as_a_baseline_everywhere_is_told_so():
    """Without an interval, since all differences are equal."""
    rng = np.random.default_rng(2)
    y = (rng.random(3000) < 0.09).astype(int)
    of_majority = collect_findings(
        se.evaluate(se.from_arrays(rng.random((3000, 1)), y), "majority").request
    )
    other = collect_findings(se.evaluate(of_majority.stream, {"mine": "majority"}).request)
    (sentence,) = in_short(other)
    assert sentence.tone == "good"
    assert "mine beats repeating the previous label by" in sentence.text
    assert "as good as predicting the most frequent label in each of 3,000" in sentence.text
    assert "no interval, as all 3,000 values are equal" in sentence.text


def test_a_short_stream_says_why_it_has_no_intervals(tmp_path):
    elements = words(se.evaluate(se.generate("sea", rows=40), ["knn", "naive_bayes"]), tmp_path)
    top = [item for item in elements.items if "no interval, as" in item]
    assert any("at least 60 are needed" in item for item in top)
    assert any(item.startswith("knn cannot be told from naive_bayes (") for item in elements.items)
    assert any("too few instances for sections" in item for item in elements.items)


@pytest.mark.parametrize(
    ("generator", "learner", "rows"),
    [
        *(("sea", "naive_bayes", rows) for rows in (1, 3, 13)),
        *(("planes", "amrules", rows) for rows in (2, 13)),
    ],
)
def test_the_shortest_streams_have_a_page(generator, learner, rows, tmp_path):
    words(se.evaluate(se.generate(generator, rows=rows), learner), tmp_path)


@pytest.mark.filterwarnings("ignore::streameval.StreamWarning")
@pytest.mark.parametrize(
    ("y", "learners", "sentences_of_page"),
    [
        (["u"] * 300, ["knn", "naive_bayes"], ["no other class"]),
        (
            [3.0] * 90,
            ["fimt_dd"],
            [
                "It cannot be told whether",
                f"The median of target is 3. Half of the targets lie {SAME}, and 90 % {SAME}.",
            ],
        ),
    ],
    ids=["classes", "numbers"],
)
def test_equal_labels_have_no_autocorrelation(y, learners, sentences_of_page, tmp_path):
    X = np.arange(float(len(y)))[:, None]
    mine = se.from_arrays(X, y, numeric_target=not isinstance(y[0], str))
    elements = words(se.evaluate(mine, learners), tmp_path)
    assert all(
        any(sentence in plain(item) for item in elements.items) for sentence in sentences_of_page
    )
    assert not any("Autocorrelation" in item for item in elements.items)


def test_many_classes_are_drawn_as_some_and_the_rest(tmp_path):
    rng = np.random.default_rng(1)
    mine = se.from_arrays(rng.random((900, 2)), rng.integers(0, 40, 900).astype(str))
    text, elements = page(se.evaluate(mine, "naive_bayes"), tmp_path)
    assert "34 others" in elements.texts
    assert len(text) < 1_000_000


def test_missing_labels_are_left_out(tmp_path_factory, tmp_path):
    path = tmp_path_factory.mktemp("data") / "late.csv"
    rows = [f"{i % 7},{i},{i + 30 if i < 481 else ''},{'uv'[i % 3 > 0]}" for i in range(500)]
    path.write_text("\n".join(["a,asked,settled,y", *rows]), encoding="utf-8")
    late = se.read(path, "y", time="asked", label_time="settled")
    elements = words(se.evaluate(late, "naive_bayes"), tmp_path)
    assert any("19 labels have not arrived" in item for item in elements.items)


def test_rows_of_sections_are_those_of_the_comparison(compared):
    content = collect_findings(compared.request, comparison=compared)
    ranks = content.comparison.section_ranks()
    assert [*ranks] == compared.learners_and_baselines
    levels = pd.DataFrame({name: compared.by_section(name) for name in ranks})
    assert pd.DataFrame(ranks).equals(levels.rank(axis=1, ascending=False))
    for name in ranks:
        assert levels[name].mean() == pytest.approx(compared.estimate(name).mean, abs=1e-3)
    assert {name: at.row.tolist() for name, at in content.signals.items()} == {
        name: [*se.evaluate(compared.stream, name).signals(name)] for name in compared.learners
    }


def test_several_streams_have_their_sentences_on_top(stream):
    other = se.generate("random_rbf", rows=1500)
    contents = [
        collect_findings(se.evaluate(mine, "naive_bayes").request) for mine in (stream, other)
    ]
    with unrendered():
        elements = Elements(build_page(contents).html())
    ids = [attributes["id"] for tag, attributes in elements.tags if tag == "section"]
    parts = [part for part in ORDER if part not in ("short", "waiting")]
    assert ids[:2] == ["s0-short", "s1-short"]
    assert [attributes["href"] for tag, attributes in elements.tags if tag == "a"] == [
        "#s0-stream",
        "#s1-stream",
    ]
    assert ids[2:] == [f"s{place}-{part}" for place in (0, 1) for part in parts]
    assert plain(elements.items[1]) == plain(in_short(contents[0])[0].text)
    assert len({*ids}) == len(ids)


def test_order_is_worth_nothing_to_labels_that_have_none(tmp_path):
    """Under any delays: those of the random order are the same, and what nobody knows is left."""
    rng, n = np.random.default_rng(3), 3000
    time = 10 * np.arange(n)
    waits = 20 + rng.exponential(5000, n).astype(int)
    y = np.where(rng.random(n) < 0.1, "bad", "good")  # the first class is the rare one
    columns = {"x": rng.normal(size=n), "asked": time, "known": time + waits, "y": y}
    mine = se.from_pandas(pd.DataFrame(columns), "y", time="asked", label_time="known")
    order = collect_findings(se.evaluate(mine, "majority").request).order
    cold = before_first_label(mine)
    assert 3 <= cold <= order.n_unscored < 60
    for run in (order.original, order.shuffled):
        assert run.estimate("majority").mean == pytest.approx((y == "good").mean(), abs=0.01)
    elements = words(se.evaluate(mine, "naive_bayes", seed=2), tmp_path)
    assert any(
        f"The first {order.n_unscored:,} instances in either order are not scored" in item
        for item in elements.items
    )


def test_order_is_not_asked_about_where_no_label_arrives(tmp_path):
    stream, time = se.generate("sea", rows=80), np.arange(80)
    for early in time:  # one label comes early, in random order behind all instances
        late = replace(stream, time=time, label_time=time + np.where(time == early, 1, 100))
        if before_first_label(shuffled_with_delays(late, ORDER_SEED)) == 80:
            break
    elements = words(se.evaluate(late, "naive_bayes"), tmp_path)
    assert any("learn nothing in any order" in item for item in elements.items)


def test_other_protocols_are_refused(stream, tmp_path):
    for protocol in ("cross_validation:5", "delayed:10"):
        result = se.evaluate(stream, "naive_bayes", protocol)
        with pytest.raises(ConfigError, match=r"report: .*found the protocol"):
            se.write_report(result, tmp_path / "page.html")
    comparison = se.compare(stream, ["naive_bayes", "majority"], "split_validation")
    with pytest.raises(ConfigError, match="split_validation"):
        se.write_report(comparison, tmp_path / "page.html")
    assert not [*tmp_path.iterdir()]


def test_files_that_cannot_be_written_are_refused(stream, tmp_path):
    result = se.evaluate(stream, "naive_bayes")
    (tmp_path / "folder.html").mkdir()
    for path, message in (
        ("page.pdf", r"\.html, found 'page\.pdf'"),
        ("none/page.html", "no folder"),
        ("folder.html", "found the folder"),
    ):
        with pytest.raises(ConfigError, match=message):
            se.write_report(result, tmp_path / path)
