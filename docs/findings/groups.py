"""Register the functions that compute groups of values, by what they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pandas as pd

from streameval.pipeline.configuration import shipped_studies

Values = Mapping[str, str]
Compute = TypeVar("Compute", bound=Callable[..., Values])


@dataclass(frozen=True)
class Run:
    """The results of a finished run."""

    folder: Path

    def __post_init__(self) -> None:
        """Refuse a folder without the file that a run writes last."""
        if not (self.folder / "digests.json").is_file():
            raise FileNotFoundError(
                f"Expected the results of a finished run, found no digests.json in {self.folder}: "
                "make reproduce"
            )

    @property
    def is_of_all_studies(self) -> bool:
        """Whether the studies of ``validation`` ran, too."""
        return all((self.folder / f"{study}.html").is_file() for study in shipped_studies())

    def table(self, name: str) -> pd.DataFrame:
        """Table or frame by its path in the results."""
        return pd.read_csv(self.folder / name)

    def scorecard(self) -> pd.DataFrame:
        """Scorecard by the keys of its rows."""
        return self.table("scorecard.csv").set_index("key")


@dataclass(frozen=True)
class Groups:
    """Functions that compute the values of a group, by its name."""

    functions: dict[str, Callable[..., Values]] = field(default_factory=dict)

    def add(self, function: Compute) -> Compute:
        """Register a function under its name, as a decorator."""
        self.functions[function.__name__] = function
        return function


#: Groups computed whenever pages are filled: from definitions, bundled streams and committed files.
FROM_FILES = Groups()
#: Groups from the same sources that take many seconds.
LONG = Groups()
#: Groups from a run of the papers, and from one of all studies.
FROM_RUN, FROM_ALL_STUDIES = Groups(), Groups()
