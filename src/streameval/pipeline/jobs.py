"""What the scripts of the pipeline share: where their messages go, and how they end."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streameval.errors import StreamevalError
from streameval.pipeline.runs import end_with_run
from streameval.terminal import EXPECTED, INTERRUPTED, explain


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Run the body of a script with its messages in a file.

    What is not the program's fault (a `StreamevalError`, a full disk, too little memory) also goes
    to the screen, in one message and without a traceback, and ends the script, as an interrupt
    does; any other error goes to both with its traceback.

    Parameters
    ----------
    log : str
        Path of the log file.
    """
    end_with_run()
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    try:
        yield _log_to(Path(log))
    except EXPECTED as error:
        message = explain(error)
        # Where in the program it was is of use for those that are not ours.
        plain = isinstance(error, StreamevalError)
        logging.getLogger("streameval").exception(message, exc_info=not plain)
        sys.exit(f"Error: {message}")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:
        logging.getLogger("streameval").exception("The job failed.")
        raise


def _log_to(path: Path) -> logging.Logger:
    path.parent.mkdir(parents=True, exist_ok=True)
    logging.captureWarnings(True)
    logging.basicConfig(
        filename=path,
        filemode="w",
        level=logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        force=True,
    )
    log = logging.getLogger("streameval")
    log.setLevel(
        logging.INFO
    )  # of other packages, warnings: fontTools alone says 200 lines a picture
    return log
