"""Somebody who looks at pages, in a browser, with the mouse and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from helpers.browsers import DESK, OPTIONS, PHONE, find_chromium, find_driver

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
#: Whether the page of an address is there, to its last line.
READ = """
return document.URL === arguments[0] && document.readyState === "complete";
"""
#: How many rows are seen from top to bottom, in the window and in the box that scrolls them.
WHOLE_ROWS = """
const box = document.querySelector(".wide").getBoundingClientRect();
const head = document.querySelector("thead").getBoundingClientRect().bottom;
return [...document.querySelectorAll("tbody tr")].map(row => row.getBoundingClientRect()).filter(
  row => row.height && row.top >= head - 1 && row.bottom <= Math.min(box.bottom, innerHeight)
).length;
"""
#: How many pixels a page and its table are wider than the window, and than the box of the table.
WIDER = """
const wide = document.querySelector(".wide");
const page = document.documentElement;
return [page.scrollWidth - page.clientWidth, wide.scrollWidth - wide.clientWidth];
"""
#: What stands at the left edge of the first row when its table is scrolled to the right end.
AT_THE_LEFT = """
const wide = document.querySelector(".wide");
const row = [...document.querySelectorAll("tbody tr")].find(row => row.getClientRects().length);
wide.scrollLeft = wide.scrollWidth;
const [box, cell] = [wide.getBoundingClientRect(), row.cells[0].getBoundingClientRect()];
const seen = document.elementFromPoint(box.left + 10, cell.top + cell.height / 2);
wide.scrollLeft = 0;
return seen === row.cells[0] || row.cells[0].contains(seen);
"""
#: Whether an element is where it was three frames before.
AT_REST = """
const [element, done] = arguments;
const place = () => JSON.stringify(element.getBoundingClientRect());
const before = place();
const look = frames => frames ? requestAnimationFrame(() => look(frames - 1))
  : done(place() === before);
look(3);
"""


class Reader:
    """Somebody who looks at pages."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, size: tuple[int, int] = DESK) -> None:
        sides = {"width": size[0], "height": size[1], "deviceScaleFactor": 1}
        sides["mobile"] = size == PHONE
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sides)
        self.driver.get(path.as_uri())
        # Under load a driver may come back while a large page is still being read.
        self.until(lambda: self.driver.execute_script(READ, path.as_uri()))

    def all(self, key: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, key)

    def one(self, key: str) -> WebElement:
        return self.until(lambda: self.all(key))[0]

    def until(self, what: Callable[[], Any]) -> Any:
        return WebDriverWait(self.driver, 20).until(lambda _: what())

    def sees(self, element: WebElement) -> bool:
        return self.driver.execute_script(SEEN, element)

    def clicks(self, element: WebElement) -> None:
        """Click on an element that stands still."""

        def hits() -> bool:
            if not self.driver.execute_async_script(AT_REST, element):
                return False
            try:
                element.click()
            except ElementClickInterceptedException:
                return False  # it began to move when the mouse was on its way
            return True

        self.until(hits)

    def rows(self) -> list[list[str]]:
        """The cells of the rows of a table that are shown."""
        return self.driver.execute_script(ROWS)

    def column(self, index: int) -> list[str]:
        return [row[index] for row in self.rows()]

    def whole_rows(self) -> int:
        """How many rows of a table are seen at once."""
        return self.driver.execute_script(WHOLE_ROWS)

    def wider(self) -> tuple[int, int]:
        """By how many pixels the page is too wide, and the table for its box."""
        page, table = self.driver.execute_script(WIDER)
        return page, table

    def keeps_the_first_column(self) -> bool:
        """Whether the first column stays where the others are scrolled away."""
        return self.driver.execute_script(AT_THE_LEFT)


def start_browser(folder: Path) -> Any:
    """Start a browser that keeps its own files in a folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_chromium()
    for option in (*OPTIONS, f"--user-data-dir={folder}"):
        options.add_argument(option)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(find_driver()))
