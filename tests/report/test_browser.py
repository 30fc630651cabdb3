"""The pages of a run as their readers see them: in a browser, with the mouse and the keyboard."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from helpers.browsers import DESK, LAPTOP, PHONE

from streameval import papers
from streameval.items.columns import plain_table
from streameval.report.scorecard import scorecard_page
from streameval.view.files import write_table

selenium = pytest.importorskip("selenium")
from selenium.webdriver.common.by import By  # noqa: E402 - without it there is nothing to test
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a table of its own."""
    stem = tmp_path_factory.mktemp("table") / "table"
    frame = pd.DataFrame(
        {
            "stream": ["elec2", "kdd99", "ozone"] * 4,
            "instances": [45312, 494021, 2536] * 4,
            "kappa": [-0.42, 0.1, float("nan"), -1.5, 0.05, 0.9, 2e-7, -0.3, 0.4, 0.2, 0.6, 0.8],
            "verdict": ["claim holds", "differs", "not run", "claim undecided"] * 3,
        }
    )
    layout = plain_table(frame, {})
    write_table(frame, stem, caption="A table", label="tab:a", table=layout)
    return stem.with_suffix(".html")


@pytest.fixture(scope="module")
def long_scorecard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scorecard of claims in long sentences, of many rules, and with all citations."""
    verdicts = ["claim does not hold", "reproduced", "differs", "not run"]
    rows = [
        {
            "paper": paper.id,
            "item": f"table{number}",
            "key": f"{'a_long_key_' * 4}{number}",
            "published": "The learner is better than all others on all streams. " * 3,
            "ours": 0.5,
            "difference": -0.5,
            "verdict": verdicts[number % 4],
            "rule": f"the rule of this row is a long sentence, number {number}, " * 3,
            "reason": "elec2: naive_bayes_augmented gains 0.05118 [0.03284, 0.06951]; " * 9,
            "by_construction": "yes" if verdicts[number % 4] == "reproduced" else "no",
        }
        for paper in papers.all_papers().values()
        for number in range(40)
    ]
    path = tmp_path_factory.mktemp("scorecard") / "scorecard.html"
    page = scorecard_page(pd.DataFrame(rows), list(papers.all_papers().values()))
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["long", "scorecard", "recorded"])
@pytest.mark.parametrize(("size", "least"), [(LAPTOP, 8), (PHONE, 2)])
def test_rows_of_the_scorecards_fill_the_window(
    reader, finished, long_scorecard, name, size, least
):
    reader.open(long_scorecard if name == "long" else finished / "results" / f"{name}.html", size)
    assert reader.wider() == (0, 0)
    assert reader.whole_rows() >= least
    notes = reader.one("#notes")
    assert notes.location["y"] > reader.one("table").location["y"] + size[1] / 2
    (lead,) = reader.all(".lead")
    assert lead.size["height"] <= 3 * 23  # lines of 1.45 × 15 pixels and no more
    assert reader.sees(reader.one("h1"))
    assert reader.sees(reader.one("a[download]"))
    reader.clicks(reader.one("a[href='#notes']"))
    reader.until(lambda: reader.sees(notes.find_element(By.TAG_NAME, "h2")))


def test_on_a_telephone_a_row_is_a_card(reader, long_scorecard):
    reader.open(long_scorecard, PHONE)
    first = reader.one("tbody tr")
    cells = first.find_elements(By.CSS_SELECTOR, "th, td")
    assert {cell.location["x"] for cell in cells[:1] + cells[2:4] + cells[6:]} == {
        cells[0].location["x"]
    }
    assert len({cell.location["y"] for cell in cells[3:6]}) == 1  # numbers beside each other
    script = "return getComputedStyle(arguments[0], '::before').content"
    named = [reader.driver.execute_script(script, cell) for cell in cells[3:6]]
    assert named == ['"Published"', '"Ours"', '"Difference"']
    why = cells[-1].find_element(By.TAG_NAME, "summary")
    before = why.size["height"]
    reader.clicks(why)
    assert why.size["height"] > before
    assert "Rule: " in cells[-1].text
    reader.all("thead button")[-2].click()  # the verdict: its strip scrolls sideways
    assert reader.all("thead th")[-2].get_attribute("aria-sort") == "ascending"
    assert reader.wider()[0] == 0


#: What is wider than the window; headings and texts that are cut off; links that lead nowhere.
UNFIT = """
const page = document.documentElement;
const texts = [...document.querySelectorAll("h1, h2, h3, p, li, summary, figcaption, dd")]
  .filter(one => one.getClientRects().length && !one.closest("table"))
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1);
const lost = [...document.querySelectorAll("a[href^='#']")]
  .filter(one => !document.getElementById(one.getAttribute("href").slice(1)));
return [page.scrollWidth - page.clientWidth, texts.map(one => one.textContent),
  lost.map(one => one.href)];
"""
#: Pictures that are shown, and how many of their drawings have no size.
DRAWN = """
const shown = [...document.querySelectorAll(".drawing svg, .drawing img")]
  .filter(one => one.getClientRects().length);
return [shown.length, shown.filter(one => one.getBoundingClientRect().height < 40).length];
"""
#: The links to other files.
LINKS = "return [...document.querySelectorAll('a:not([href^=\"#\"])')].map(one => one.href)"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_pages_of_a_run_fit_the_window(reader, finished, size):
    index = finished / "results" / "index.html"
    reader.open(index, size)
    assert reader.sees(reader.one("h1"))
    addresses = [link.get_attribute("href") for link in reader.all(".cards h3 a")]
    pages = [Path(page.removeprefix("file://")) for page in addresses]
    assert len(pages) >= 5
    n_pictures = 0
    for path in (index, *pages):
        assert path.stat().st_size <= 3_000_000
        reader.open(path, size)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            assert reader.driver.execute_script(UNFIT) == [0, [], []], path.name
            n_visible, empty = reader.driver.execute_script(DRAWN)
            assert empty == 0
            n_pictures += n_visible
        links = reader.driver.execute_script(LINKS)
        targets = {Path(link.removeprefix("file://").partition("#")[0]) for link in links}
        assert [target for target in targets if not target.is_file()] == []
    assert n_pictures >= 5


def test_the_scorecard_shows_what_was_compared(reader, finished):
    folder = finished / "results"
    card = pd.read_csv(folder / "scorecard.csv", keep_default_na=False)
    reader.open(folder / "scorecard.html")
    verdicts = reader.column(6)
    assert len(verdicts) == (~card["verdict"].str.startswith("not run")).sum() > 0
    assert not any("not run" in verdict for verdict in verdicts)
    fold = reader.one("#fold")
    assert fold.get_attribute("aria-expanded") == "false"
    fold.send_keys(Keys.ENTER)
    everything = reader.rows()
    assert fold.get_attribute("aria-expanded") == "true"
    assert ["not run" in row[6] for row in everything].index(True) == len(verdicts)
    reader.clicks(fold)
    assert len(reader.rows()) == len(verdicts)
    paper, verdict = (
        Select(element) for element in (reader.all("select")[0], reader.all("select")[-1])
    )
    verdict.select_by_visible_text("not run")
    assert len(reader.rows()) == sum(row[6].endswith("not run") for row in everything) > 0
    paper.select_by_visible_text("Bifet et al. (2013)")
    assert {row[0] for row in reader.rows()} == {"Bifet et al. (2013)"}


def test_counts_of_the_first_page_lead_to_their_rows(reader, finished):
    folder = finished / "results"
    reader.open(folder / "index.html")
    links = [
        (element.get_attribute("href"), element.text) for element in reader.all("a[href*='#']")
    ]
    counts = {address: int(text) for address, text in links if "scorecard.html#" in address}
    assert len(counts) > 20
    reader.open(folder / "scorecard.html")
    every = len(reader.all("tbody tr"))
    for address, count in [*counts.items()][::4]:
        reader.driver.get(address)  # the page is there: only what it shows changes
        reader.until(lambda number=count: reader.one("output").text == f"{number} of {every} rows")
        assert len(reader.rows()) == count, address
        reader.until(lambda: reader.sees(reader.one("h1")))
    address, count = next(iter(counts.items()))
    reader.driver.get("about:blank")
    reader.driver.get(address)
    reader.until(lambda: reader.one("output").text == f"{count} of {every} rows")
    reader.until(lambda: reader.sees(reader.one("h1")))
    paper, verdict = (
        Select(element) for element in (reader.all("select")[0], reader.all("select")[-1])
    )
    assert paper.first_selected_option.text == "all"
    assert verdict.first_selected_option.text == "all that were compared"
    fold = reader.one("#fold")
    assert not fold.is_displayed()  # none of these rows is folded
    verdict.select_by_visible_text("all that were not run")
    assert not fold.is_displayed()  # they are all there
    verdict.select_by_visible_text("all")
    reader.clicks(fold)
    assert len(reader.rows()) == every


def test_a_filter_filters(reader, table):
    reader.open(table)
    assert reader.one("output").text == "9 of 12 rows"
    reader.one("#filter").send_keys("OZONE")
    assert set(reader.column(0)) == {"ozone"}
    reader.one("#filter").send_keys(" und")
    assert {(row[0], row[3]) for row in reader.rows()} == {("ozone", "? claim undecided")}
    reader.one("#filter").send_keys(" nowhere")
    assert reader.rows() == []
    assert reader.one("output").text == "0 of 12 rows"


def test_numbers_are_sorted_as_numbers(reader, table):
    reader.open(table)
    reader.clicks(reader.one("#fold"))
    head = reader.all("thead th")[2]
    before = reader.column(2)
    head.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)  # as from the keyboard
    assert head.get_attribute("aria-sort") == "ascending"
    up = reader.column(2)
    worth = [float(text.replace("−", "-")) for text in up if text != "–"]
    assert worth == sorted(worth)
    assert up[-1] == "–"
    reader.clicks(head.find_element(By.TAG_NAME, "button"))
    down = reader.column(2)
    assert down[:-1] == up[-2::-1]
    assert down[-1] == "–"
    reader.clicks(head.find_element(By.TAG_NAME, "button"))
    assert reader.column(2) == before
    reader.clicks(reader.all("thead button")[1])
    assert reader.column(1)[0] == "2,536"
    assert reader.column(1)[-1] == "494,021"


def test_the_table_can_be_downloaded(reader, table):
    reader.open(table)
    script = "const r = await fetch(arguments[0].href); return await r.text()"
    text = reader.driver.execute_script(script, reader.one("a[download]"))
    assert text == table.with_suffix(".csv").read_text(encoding="utf-8")


def test_pages_run_without_an_error(reader, finished, table):
    for path in (finished / "results" / "index.html", table):
        reader.open(path)
        reader.one("h1")
    bad = [entry for entry in reader.driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert bad == [], json.dumps(bad, indent=2)
