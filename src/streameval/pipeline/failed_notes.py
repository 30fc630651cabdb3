"""Sentences about learners that failed, for tables and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from streameval.base.values import enumeration
from streameval.pipeline.runs import Task, prefixed_path
from streameval.pipeline.study_errors import WHOLE_STUDY, merged_errors, read_errors


def learner_errors_in(paths: Iterable[str], learners: Iterable[str]) -> dict[str, str]:
    """Errors of some learners, by id, as recorded in files of predictions or of studies."""
    errors = merged_errors(paths)
    return {name: errors[name] for name in learners if name in errors}


def errors_on_stream(stream: str, task: Task, inputs: Iterable[str]) -> dict[str, str]:
    """Errors by id in the records of a figure's studies, for a stream or, if it is "", for all.

    The task belongs to a job of `pipeline.products.drawing_jobs`; `inputs` are the files of that
    job.
    """
    errors: dict[str, str] = {}
    for name, path in task["errors"].items():
        if stream in ("", name):
            errors |= read_errors(prefixed_path(path, inputs))
    return errors


def as_sentence(error: str) -> str:
    """An error with a full stop, unless it ends with a punctuation mark."""
    return error if error.endswith((".", "?", "!")) else f"{error}."


def failure_notes(
    failed: Mapping[str, Mapping[str, str]],
    learners: Mapping[str, str],
    streams: Mapping[str, str],
    *,
    joined: bool = False,
) -> tuple[str, ...]:
    """Sentences about the failures of an item.

    `failed` has the errors by stream, then by learner or `WHOLE_STUDY`; `learners` and `streams`
    are titles. If one study is `joined` over all streams, a learner that fails on some of them is
    left out on all.
    """
    titles_by_failure = dict[tuple[str, str], list[str]]()  # by learner and error
    for stream, errors in failed.items():
        for failure in errors.items():
            titles_by_failure.setdefault(failure, []).append(streams.get(stream, stream))
    effect = "is left out" if joined else "is left out there"
    titles = {WHOLE_STUDY: "The study", **learners}
    return tuple(
        f"{titles.get(name, name)} failed on {enumeration(titles_of_streams)} and {effect}: "
        f"{as_sentence(error)}"
        for (name, error), titles_of_streams in titles_by_failure.items()
    )


def with_failed_captions(
    studies: Iterable[Mapping[str, Any]], learners: Mapping[str, str], streams: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Content of studies for pages, with captions of pictures that name failed learners.

    The notes of tables name them already. See `pipeline.page_content.with_root`.
    """

    def with_notes(item: Mapping[str, Any]) -> dict[str, Any]:
        failed = {
            name: learner_errors_in(paths, item["learners"])
            for name, paths in item["errors"].items()
        }
        pictures = []
        for picture in item["pictures"]:
            # A picture is named after its stream; a picture of all streams has another name.
            failed_here = {picture["name"]: failed.get(picture["name"], {})}
            joined = picture["name"] not in item["errors"]
            notes = failure_notes(
                failed if joined else failed_here, learners, streams, joined=joined
            )
            pictures.append({**picture, "caption": " ".join([picture["caption"], *notes])})
        return {**item, "pictures": pictures}

    return [{**study, "items": [with_notes(item) for item in study["items"]]} for study in studies]
