"""Fill the numbers of pages: ``make findings`` after ``make reproduce`` (or ``STUDIES=all``)."""

from __future__ import annotations

import sys
from pathlib import Path

from findings.groups import Run
from findings.pages import fill


def main(arguments: list[str]) -> None:
    """Fill the pages, from the run whose results are in the folder named first, if there is one."""
    run = Run(Path(arguments[0])) if arguments else None
    if kept := fill(run):
        print(f"Kept as last computed, since they need a run: {', '.join(kept)}")


if __name__ == "__main__":
    main(sys.argv[1:])
