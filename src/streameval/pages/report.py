"""Write pages about learners on streams; evaluations that a result lacks are run first."""

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
from streameval.pages.own_data import build_page
from streameval.protocols.prequential import before_first_label
from streameval.streams.variants import shuffled, shuffled_with_delays


def write_report(outcome: Result | Comparison, path: str | Path) -> None:
    """Write a page about the learners on a stream: a single self-contained HTML file.

    It says whether learners beat the baselines, which learner is better, and how this changes over
    time. It describes the labels, the effect of the order of instances, and how the results were
    obtained. It runs whichever of evaluation and comparison is missing, and evaluates the learners
    on the stream in random order. Needs the extra: ``pip install "streameval[pipeline]"``.

    Parameters
    ----------
    outcome : Result or Comparison
        The return value of `evaluate` or `compare`.
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
    check_page_path(path)
    comparison = outcome if isinstance(outcome, Comparison) else None
    result = outcome if isinstance(outcome, Result) else None
    write_page([collect_findings(outcome.request, result=result, comparison=comparison)], path)


def write_page(all_findings: Sequence[Findings], path: str | Path) -> None:
    """Write the page about some streams; an interrupted write leaves no partial file."""
    write_text(check_page_path(path), build_page(all_findings).html())


def page_sentences(content: Findings) -> list[str]:
    """The sentences on top of a page."""
    return [sentence.text for sentence in in_short(content)]


def check_page_path(path: str | Path) -> Path:
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


def collect_findings(
    request: Request,
    *,
    result: Result | None = None,
    comparison: Comparison | None = None,
    command: str = "",
    file_facts: Sequence[tuple[str, str]] = (),
    progress: bool | None = None,
) -> Findings:
    """The findings for a page; a missing `result` or `comparison` is computed first.

    For `command` and `file_facts` see `Findings`.
    """
    request.check_for_report()
    if result is None:
        result = evaluate_request(request, progress=progress)
    if comparison is None:
        request_of_pair = _with_baseline(request, result.learners)
        comparison = compare_request(request_of_pair, progress=progress)
    return Findings(result, comparison, _evaluate_orders(result, progress), command, file_facts)


def _with_baseline(request: Request, names: Sequence[str]) -> Request:
    """A request with a baseline added if it has only one learner, as a comparison needs two."""
    if len(request.recipes) > 1:
        return request
    baseline = next(name for name in names if name not in request.recipes)
    return replace(request, recipes={**request.recipes, baseline: recipe(baseline)})


def _evaluate_orders(result: Result, progress: bool | None) -> OrderRuns | None:
    """The result in the order of the stream, and a further run over the instances in random order.

    With delayed labels, each instance keeps its delay, and both runs are scored after the first
    label has arrived in both streams. None if no instance is left or no learner learns.
    """
    request, n_unscored, is_delayed = result.request, result.pretrain, result.delays is not None
    if is_delayed:
        labelled = result.stream.with_labels()
        reordered = shuffled_with_delays(labelled, ORDER_SEED)
        n_before_label = max(
            before_first_label(stream, request.ties) for stream in (result.stream, reordered)
        )
        if max(n_before_label, n_unscored) >= len(labelled):
            return None
        n_unscored, result = max(n_before_label, n_unscored), result._after_first(n_before_label)
    else:
        reordered = shuffled(request.stream.with_labels(), ORDER_SEED)
    # Predictions from files or columns exist only in the order of the stream.
    learners = {name: recipe for name, recipe in request.recipes.items() if recipe.learns}
    if not learners:
        return None
    # Both runs have the same number of unscored instances. The reordered stream has its own delays.
    shuffled_request = replace(
        request,
        stream=reordered,
        recipes=learners,
        pretrain=n_unscored or None,
        delay=None,
        ignore_label_times=False,
        intervals=None,
    )
    shuffled_result = evaluate_request(shuffled_request, progress=progress)
    return OrderRuns(result, shuffled_result, n_unscored if is_delayed else None)
