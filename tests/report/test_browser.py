"""The report as its readers see it: in a browser, with the mouse and the keyboard."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from helpers.browsers import OPTIONS, find_chromium, find_driver

from streameval.report.tables import write_table
from streameval.settings import ROOT

selenium = pytest.importorskip("selenium")
from selenium import webdriver  # noqa: E402 - without it there is nothing to test
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

pytestmark = pytest.mark.browser

#: The items of the report that is looked at; all others are left out, to be quick.
SHOWN = {"propositions", "table2", "table3", "table_significance", "fig1", "fig2"}
#: The study of which all is shown, as it has a table of a figure, and simulations without a stream.
WHOLE = "bifet2015"
#: As few as these can do without.
LEARNERS = ["no_change", "majority", "moving_majority", "naive_bayes", "hoeffding_tree"]
SIZES = [(1400, 1000), (1000, 700)]
#: What a reader sees at a point in the middle of an element.
SEEN = """
const box = arguments[0].getBoundingClientRect();
const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + box.height / 2];
return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0
  && arguments[0].contains(document.elementFromPoint(x, y));
"""
#: The cells of the rows that are not hidden, as they are read.
ROWS = """
return [...document.querySelectorAll("tbody tr")].filter(row => row.getClientRects().length)
  .map(row => [...row.cells].map(cell => cell.innerText.trim()));
"""


class Reader:
    """Somebody who looks at pages."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, size: tuple[int, int] = SIZES[0]) -> None:
        sides = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sides)
        self.driver.get(path.as_uri())

    def all(self, key: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, key)

    def one(self, key: str) -> WebElement:
        return self.until(lambda: self.all(key))[0]

    def until(self, what: Callable[[], Any]) -> Any:
        return WebDriverWait(self.driver, 20).until(lambda _: what())

    def sees(self, element: WebElement) -> bool:
        return self.driver.execute_script(SEEN, element)

    def goes_to(self, text: str) -> None:
        """Click in the menu."""
        self.one("nav li")
        next(link for link in self.all("nav a") if link.text.strip() == text).click()

    def rows(self) -> list[list[str]]:
        """Return the cells of the rows of a table that are shown."""
        return self.driver.execute_script(ROWS)

    def column(self, index: int) -> list[str]:
        return [row[index] for row in self.rows()]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    options = webdriver.ChromeOptions()
    options.binary_location = find_chromium()
    folder = tmp_path_factory.mktemp("browser")
    for option in (*OPTIONS, f"--user-data-dir={folder}"):
        options.add_argument(option)
    service = webdriver.ChromeService(find_driver())
    driver = webdriver.Chrome(options=options, service=service)
    yield Reader(driver)
    driver.quit()


@pytest.fixture(scope="module")
def snakemake(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that calls Snakemake in a project with a small run, and its folder."""
    project = tmp_path_factory.mktemp("report") / "project"
    project.mkdir()
    for name in ("Snakefile", "environment.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, project)
    for name in ("workflow", "config", "profiles"):
        shutil.copytree(ROOT / name, project / name)
    for kept in ("published", "recorded"):
        shutil.copytree(ROOT / "resources" / kept, project / "resources" / kept)
    path = project / "config" / "test.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    for study, items in config["items"].items():
        described = yaml.safe_load(
            (ROOT / "config" / "studies" / f"{study}.yaml").read_text("utf-8")
        )
        for item, settings in items.items():
            # Ranks need streams.
            is_shown = item in SHOWN or study == WHOLE or item == "critical_difference"
            if "streams" in described["items"][study][item] and not is_shown:
                settings["streams"] = []
    config["items"]["zliobaite2015"]["fig2"]["streams"] = []
    config["items"]["zliobaite2015"]["table_significance"]["learners"] = ["naive_bayes"]
    config["items"]["overview"] = {"measures": {"learners": LEARNERS}}
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    environment = {key: os.environ[key] for key in os.environ if key != "STREAMEVAL_DATA"}

    def call(*words: str, cwd: Path = project) -> Path:
        command = [sys.executable, "-m", "snakemake", "--configfile", str(path), *words]
        done = subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return project

    call("--cores", "2")
    return call


@pytest.fixture(scope="module")
def report(snakemake: Callable[..., Path]) -> Path:
    return snakemake("--report", "results/report.html") / "results" / "report.html"


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
    write_table(frame, stem, caption="A table", label="tab:a")
    return stem.with_suffix(".html")


@pytest.mark.parametrize("size", SIZES)
def test_the_first_heading_can_be_seen(reader, report, size):
    reader.open(report, size)
    heading = reader.one("#app .prose h1")
    assert heading.text == "streameval: what this run found"
    assert reader.sees(heading)
    # And again, back from the end of the page: the beginning can be scrolled to.
    reader.driver.execute_script("arguments[0].scrollIntoView()", reader.all("#rulegraph")[0])
    assert not reader.sees(heading)
    reader.driver.execute_script("arguments[0].scrollIntoView({block: 'end'})", heading)
    assert reader.sees(heading)


def test_it_can_be_seen_without_the_profile(reader, snakemake):
    # As in calls from elsewhere: only the first page's own style is there.
    words = ("--workflow-profile", "none", "--report", "results/plain.html")
    reader.open(snakemake(*words) / "results" / "plain.html")
    assert reader.sees(reader.one("#app .prose h1"))


def test_the_style_is_found_from_other_folders(report, snakemake, tmp_path):
    project = report.parent.parent
    style = (project / "workflow" / "report" / "report.css").read_text(encoding="utf-8")
    assert f"<style>{style.strip()}" in report.read_text(encoding="utf-8")
    named = ["-s", str(project / "Snakefile"), "--directory", str(project)]
    for words, folder in ((["--directory", str(project)], project), (named, tmp_path)):
        page = tmp_path / "page.html"
        snakemake(*words, "--report", str(page), cwd=folder)
        assert f"<style>{style.strip()}" in page.read_text(encoding="utf-8")
        page.unlink()


def test_the_graph_of_the_rules_leaves_the_first_screen_to_the_text(reader, report):
    reader.open(report)
    graph = reader.one("#rulegraph canvas, #rulegraph svg")
    assert graph.location["y"] > SIZES[0][1]


def test_the_menu_is_in_order(reader, report):
    reader.open(report)
    reader.one("nav li")
    chapters = [text for link in reader.all("nav a") if (text := link.text.strip())[:1].isdigit()]
    # Of the others, grzenda2019 shows nothing here, and beyond its ranks, and what is of WHOLE.
    assert [name.split(" ", 1)[0] for name in chapters] == ["1", "2", "3", "4", "6"]
    assert chapters[0] == "1 Overview"
    script = "return arguments[0].sort((a, b) => a.localeCompare(b))"
    names = ["Table \u200a1: x", "Figure 10: x", "Figure \u200a2: x", "Figure \u200a1: x"]
    ordered = reader.driver.execute_script(script, names)
    assert ordered == [names[3], names[2], names[1], names[0]]


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_is_as_wide_as_what_it_shows(reader, report, size):
    def fits(driver: Any) -> bool:
        (menu,) = reader.all("#app nav.h-screen")
        script = "return arguments[0].scrollWidth <= arguments[0].clientWidth"
        return driver.execute_script(script, menu)

    reader.open(report, size)
    reader.one("nav li")
    WebDriverWait(reader.driver, 5).until(fits)  # its width changes little by little
    reader.goes_to("3 Žliobaitė et al. (2015)")
    reader.one("nav tbody tr")
    WebDriverWait(reader.driver, 5).until(fits)


def test_all_tables_and_figures_open(reader, report):
    reader.open(report)
    reader.one("nav li")
    chapters = [text for link in reader.all("nav a") if (text := link.text.strip())[:1].isdigit()]
    tables = figures = 0
    for chapter in chapters:
        reader.goes_to(chapter)
        for entry in reader.all("nav tbody tr"):
            name = entry.text.strip()
            assert ": " in name
            entry.find_element(By.TAG_NAME, "a").click()
            shown = reader.one(".p-3 > img, iframe")
            if shown.tag_name == "img":
                reader.until(lambda shown=shown: shown.get_property("naturalWidth"))
                figures += 1
            else:
                assert not name.startswith("Figure")
                reader.driver.switch_to.frame(shown)
                assert reader.sees(reader.one("h1"))
                assert reader.rows(), name
                reader.driver.switch_to.default_content()
                tables += 1
        reader.open(report)
    assert tables >= 7
    assert figures >= 2


def test_the_scorecard_shows_what_was_compared(reader, report):
    folder = report.parent
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
    fold.click()
    assert len(reader.rows()) == len(verdicts)
    paper, verdict = (Select(one) for one in (reader.all("select")[0], reader.all("select")[-1]))
    verdict.select_by_visible_text("not run")
    assert len(reader.rows()) == sum(row[6].endswith("not run") for row in everything) > 0
    paper.select_by_visible_text("Bifet et al. (2013)")
    assert {row[0] for row in reader.rows()} == {"Bifet et al. (2013)"}


#: How many rows can be seen as a whole, and whether the page is wider than the window.
ROOM = """
const seen = [...document.querySelectorAll("tbody tr")].map(row => row.getBoundingClientRect());
return [seen.filter(box => box.height && box.top >= 0 && box.bottom <= innerHeight).length,
  document.documentElement.scrollWidth > innerWidth];
"""


@pytest.mark.parametrize(("size", "rows"), [((1280, 720), 8), ((390, 844), 2)])
@pytest.mark.parametrize("name", ["scorecard", "recorded"])
def test_the_rows_of_a_scorecard_come_first(reader, report, name, size, rows):
    reader.open(report.parent / f"{name}.html", size)
    found, is_wider = reader.driver.execute_script(ROOM)
    assert found >= rows
    assert not is_wider
    # What is said of the rows stands below all of them.
    wide, notes = reader.one(".wide").rect, reader.all(".notes")
    assert notes
    assert all(note.rect["y"] >= wide["y"] + wide["height"] for note in notes)


def test_tables_fit_a_narrow_screen(reader, report):
    pages = sorted((report.parent / "tables").glob("*/*.html"))
    assert len(pages) > 5
    for path in pages:
        reader.open(path, (390, 844))
        found, is_wider = reader.driver.execute_script(ROOM)
        assert found
        assert not is_wider, path
        assert reader.sees(reader.one("h1"))
        assert reader.sees(reader.one("a[download]"))
        wide = reader.one(".wide")
        first = reader.one("tbody th")
        before = first.rect["x"]
        reader.driver.execute_script("arguments[0].scrollLeft = 1e6", wide)
        assert first.rect["x"] == pytest.approx(before, abs=2), path  # the name stays


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
    reader.one("#fold").click()
    head = reader.all("thead th")[2]
    before = reader.column(2)
    head.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)  # as from the keyboard
    assert head.get_attribute("aria-sort") == "ascending"
    up = reader.column(2)
    worth = [float(text.replace("−", "-")) for text in up if text != "–"]
    assert worth == sorted(worth)
    assert up[-1] == "–"
    head.find_element(By.TAG_NAME, "button").click()
    down = reader.column(2)
    assert down[:-1] == up[-2::-1]
    assert down[-1] == "–"
    head.find_element(By.TAG_NAME, "button").click()
    assert reader.column(2) == before
    reader.all("thead button")[1].click()
    assert reader.column(1)[0] == "2,536"
    assert reader.column(1)[-1] == "494,021"


def test_the_table_can_be_downloaded(reader, table):
    reader.open(table)
    script = "const r = await fetch(arguments[0].href); return await r.text()"
    text = reader.driver.execute_script(script, reader.one("a[download]"))
    assert text == table.with_suffix(".csv").read_text(encoding="utf-8")


def test_pages_run_without_an_error(reader, report, table):
    for path in (report, table):
        reader.open(path)
        reader.one("h1")
    bad = [entry for entry in reader.driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert bad == [], json.dumps(bad, indent=2)
