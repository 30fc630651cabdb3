"""Writing pages about learners on streams, after the runs that a result lacks."""

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
from streameval.pages.findings import ORDER_SEED, Findings, OrderRuns
from streameval.pages.in_short import in_short
from streameval.pages.own_data import page_of
from streameval.protocols.prequential import before_first_label
from streameval.streams.variants import shuffled, shuffled_with_delays


def write_report(outcome: Result | Comparison, path: str | Path) -> None:
    """Write a page about the learners on a stream: a single self-contained HTML file.

    It says whether learners beat the baselines, which learner is better, and how this changes over
    time. It describes the labels, the effect of the order of instances, and how the results were
    obtained. What the result lacks is run: the comparison or the evaluation, and a run over the
    stream in random order. Needs the extra: ``pip install "streameval[pipeline]"``.

    Parameters
    ----------
    outcome : Result or Comparison
        What `evaluate` or `compare` returned.
    path : str or Path
        The file; its name ends in .html.

    Raises
    ------
    ConfigError
        If the protocol was not prequential: a page is about instances that a single model predicts
        before it learns their labels.

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
    """Write the page about some streams; an interrupted write leaves no partial file."""
    write_text(checked_path(path), page_of(all_findings).html())


def page_sentences(content: Findings) -> list[str]:
    """The sentences on top of a page."""
    return [sentence.text for sentence in in_short(content)]


def checked_path(path: str | Path) -> Path:
    """The path of a page; raises ConfigError if it cannot be written."""
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
    """The findings for a page; a missing `result` or `compared` is run first.

    For `command` and `files` see `Findings`.
    """
    request.check_for_report()
    if result is None:
        result = evaluate_request(request, progress=progress)
    if compared is None:
        request_for_two = _with_baseline(request, result.learners)
        compared = compare_request(request_for_two, progress=progress)
    return Findings(result, compared, _order(result, progress), command, files)


def _with_baseline(request: Request, names: Sequence[str]) -> Request:
    """A request with a baseline added if it has only one learner, as a comparison needs two."""
    if len(request.recipes) > 1:
        return request
    baseline = next(name for name in names if name not in request.recipes)
    return replace(request, recipes={**request.recipes, baseline: recipe(baseline)})


def _order(result: Result, progress: bool | None) -> OrderRuns | None:
    """Run the learners over the instances in random order, too.

    With delayed labels each instance keeps its delay, and both runs are scored from the instance on
    at which both streams have had a label. None if no instance is left or no learner learns.
    """
    request, unscored, is_delayed = result.request, result.pretrain, result.delays is not None
    if is_delayed:
        labelled = result.stream.with_labels()
        reordered = shuffled_with_delays(labelled, ORDER_SEED)
        without_label = max(
            before_first_label(stream, request.ties) for stream in (result.stream, reordered)
        )
        if max(without_label, unscored) >= len(labelled):
            return None
        unscored, result = max(without_label, unscored), result._after_first(without_label)
    else:
        reordered = shuffled(request.stream.with_labels(), ORDER_SEED)
    # Predictions from files or columns exist only in the order of the stream.
    learners = {name: recipe for name, recipe in request.recipes.items() if recipe.learns}
    if not learners:
        return None
    # Both runs have the same number of unscored instances. The reordered stream has its own delays.
    other = replace(
        request,
        stream=reordered,
        recipes=learners,
        pretrain=unscored or None,
        delay=None,
        ignore_label_times=False,
        intervals=None,
    )
    shuffled_result = evaluate_request(other, progress=progress)
    return OrderRuns(result, shuffled_result, unscored if is_delayed else None)
