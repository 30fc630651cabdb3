"""Writing pages about learners on streams: what a result lacks is run here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from streameval.api.compare import compare_request
from streameval.api.comparison import Comparison
from streameval.api.evaluate import evaluate_request
from streameval.api.learners import recipe
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.base.errors import ConfigError, excerpt
from streameval.base.files import check_writable, write_text
from streameval.pages.findings import ORDER_SEED, Findings, Order
from streameval.pages.in_short import in_short
from streameval.pages.own_data import page_of
from streameval.protocols.prequential import before_first_label
from streameval.streams.variants import shuffled, shuffled_with_delays


def write_report(outcome: Result | Comparison, path: str | Path) -> None:
    """Write a page about the learners on a stream: one HTML file that needs nothing else.

    It says whether they beat the baselines and which one is better, and shows it over time; what
    the labels look like, what order is worth, and how all was obtained. What the result lacks is
    run: the comparison or the evaluation, and a run over the stream in random order. Needs the
    extra: ``pip install "streameval[pipeline]"``.

    Parameters
    ----------
    outcome : Result or Comparison
        What `evaluate` or `compare` returned.
    path : str or Path
        The file, which ends in .html.

    Raises
    ------
    ConfigError
        If the protocol was not the usual one: a page is about instances that are predicted before
        their labels are learnt, by one model.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.evaluate(se.generate("sea", rows=2000), ["hoeffding_tree", "naive_bayes"])
    >>> se.write_report(result, "report.html")
    """
    if not isinstance(outcome, Result | Comparison):
        raise ConfigError(
            f"report: expected what evaluate or compare returned, found {type(outcome).__name__} "
            f"{excerpt(repr(outcome), 60)}."
        )
    checked_path(path)
    compared = outcome if isinstance(outcome, Comparison) else None
    result = outcome if isinstance(outcome, Result) else None
    write_page([findings(outcome.request, result=result, compared=compared)], path)


def write_page(all_findings: Sequence[Findings], path: str | Path) -> None:
    """Write the page about some streams to a temporary file, and rename it."""
    write_text(checked_path(path), page_of(all_findings).html())


def page_sentences(content: Findings) -> list[str]:
    """The sentences on top of a page."""
    return [sentence.text for sentence in in_short(content)]


def checked_path(path: str | Path) -> Path:
    """The path of a page; refuse one that cannot be written."""
    if not isinstance(path, str | Path):
        raise ConfigError(
            f"report: expected the path of a file, found {type(path).__name__} "
            f"{excerpt(repr(path), 60)}."
        )
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise ConfigError(f"report: expected a file that ends in .html, found {target.name!r}.")
    if not target.absolute().parent.is_dir():
        raise ConfigError(f"report: there is no folder {str(target.parent)!r}. Make it first.")
    if target.is_dir():
        raise ConfigError(f"report: expected a file, found the folder {str(target)!r}.")
    check_writable(target.absolute().parent)
    return target


def findings(
    request: Request,
    *,
    result: Result | None = None,
    compared: Comparison | None = None,
    command: str = "",
    files: Sequence[tuple[str, str]] = (),
    progress: bool | None = None,
) -> Findings:
    """Return what a page says; what is not there yet is run.

    `command` repeats it, by default a line of Python; `files` are names and texts on the file.
    """
    request.check_usual()
    if result is None:
        result = evaluate_request(request, progress=progress)
    if compared is None:
        compared = compare_request(_with_rival(request, result.learners), progress=progress)
    return Findings(result, compared, _order(result, progress), command, files)


def _with_rival(request: Request, known: Sequence[str]) -> Request:
    """A request with a baseline if it has one learner only: a comparison needs two."""
    if len(request.recipes) > 1:
        return request
    rival = next(name for name in known if name not in request.recipes)
    return replace(request, recipes={**request.recipes, rival: recipe(rival)})


def _order(result: Result, progress: bool | None) -> Order | None:
    """Run the learners over the instances in random order as well.

    Under delays instances keep theirs, and both runs are scored from where both know a label.
    """
    request, first, delayed = result.request, result.pretrain, result.delays is not None
    if delayed:
        labelled = result.stream.with_labels()
        mixed = shuffled_with_delays(labelled, ORDER_SEED)
        unknown = max(before_first_label(stream, request.ties) for stream in (result.stream, mixed))
        if max(unknown, first) >= len(labelled):
            return None
        first, result = max(unknown, first), result._behind(unknown)
    else:
        mixed = shuffled(request.stream.with_labels(), ORDER_SEED)
    # Predictions that are there already were made in the order of the stream.
    learners = {name: recipe for name, recipe in request.recipes.items() if recipe.learns}
    if not learners:
        return None
    # As many are learnt before, so that the two are alike; the mixed stream has its delays.
    other = replace(request, stream=mixed, recipes=learners, pretrain=first or None, delay=None)
    usual = replace(other, ignore_label_times=False, intervals=None)
    again = evaluate_request(usual, progress=progress)
    return Order(result, again, first if delayed else None)
