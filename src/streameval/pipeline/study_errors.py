"""Records of the errors of studies, and of the learners that they train."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from streameval.base.files import write_text
from streameval.evaluation.predictions import read_learner_errors

#: Key of the error of a whole study, beside the ids of learners, in a record.
WHOLE_STUDY = ""
#: Ending of the files in which studies record errors. Files of predictions (Parquet) also record
#: the errors of their learners.
RECORD_ENDING = ".json"


def write_errors(errors: Mapping[str, str], path: str | Path) -> None:
    """Write the record of a study: errors by id, as returned by `pipeline.attempts.attempt`."""
    write_text(Path(path), json.dumps(errors, ensure_ascii=False, indent=2) + "\n")


def failed_studies(paths: Iterable[str | Path]) -> dict[str, str]:
    """Errors of studies by item and stream, ``study/item/stream``; only studies with errors."""
    errors = {path: read_errors(path) for path in paths}
    return {  # for paths see `study_jobs.error_record`
        str(path).rpartition("failures/")[2].removesuffix(RECORD_ENDING): "; ".join(
            f"{learner}: {error}" if learner else error
            for learner, error in errors_of_study.items()
        )
        for path, errors_of_study in errors.items()
        if errors_of_study
    }


def merged_errors(paths: Iterable[str | Path]) -> dict[str, str]:
    """Errors by id that several files record; the first file with an id decides."""
    errors: dict[str, str] = {}
    for path in paths:
        errors = read_errors(path) | errors
    return errors


def read_errors(path: str | Path) -> dict[str, str]:
    """Errors by id that a study or a file of predictions records."""
    if not str(path).endswith(RECORD_ENDING):
        return read_learner_errors(path)
    errors: dict[str, str] = json.loads(Path(path).read_text(encoding="utf-8"))
    return errors
