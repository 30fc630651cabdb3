"""Where the browser is that pages are looked at with, and how it is started."""

from __future__ import annotations

import shutil

#: No window, no sandbox (which a container does not have), and nothing asked of any network.
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: Windows: on a desk, that of a cheap laptop, and a telephone's.
DESK, LAPTOP, PHONE = (1400, 1000), (1280, 720), (390, 844)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium() -> str:
    """Where Chromium or Chrome is, or "" ."""
    return next((path for name in _NAMES if (path := shutil.which(name))), "")


def find_driver() -> str:
    """Where the program is that drives it, or ""."""
    return shutil.which("chromedriver") or ""
