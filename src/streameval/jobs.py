"""What the scripts of the pipeline share: where their messages go, how files are written."""

from __future__ import annotations

import hashlib
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from streameval.errors import StreamevalError
from streameval.files import write_text


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Run the body of a script with its messages in a file.

    A `StreamevalError` also goes to the screen, in one message and without a traceback, and
    ends the script; any other error goes to both with its traceback.

    Parameters
    ----------
    log : str
        Path of the log file.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    logging.captureWarnings(True)
    logging.basicConfig(
        filename=log,
        filemode="w",
        level=logging.INFO,
        format="%(levelname)s %(name)s: %(message)s",
        force=True,
    )
    logger = logging.getLogger("streameval")
    try:
        yield logger
    except StreamevalError as error:
        logger.error("%s", error)  # noqa: TRY400 - the message is meant for the user
        sys.exit(f"Error: {error}")
    except Exception:
        logger.exception("The job failed.")
        raise


#: Columns of numbers that may be undefined.
NUMBERS = ("value", "share", "delta", "probability", "size")


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table, aside and then renamed; equal content gives equal bytes."""
    write_text(path, frame.to_csv(index=False, lineterminator="\n"))


def read_csv(path: str | Path) -> pd.DataFrame:
    """Read a table that `write_csv` wrote; empty text stays empty text, but for `NUMBERS`."""
    return pd.read_csv(path, keep_default_na=False, na_values={key: [""] for key in NUMBERS})


def digest(path: str | Path) -> str:
    """Return the SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
