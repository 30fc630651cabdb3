"""The section on how results were obtained: facts, a paragraph for a paper, and citations."""

from __future__ import annotations

from typing import Any

from streameval.api.learners import Recipe
from streameval.api.methods import methods_paragraph
from streameval.api.tune import trials_table
from streameval.base.provenance import versions, versions_in_words
from streameval.base.references import bibtex
from streameval.evaluation.methods import INTERVAL_REFERENCES
from streameval.evaluation.tuning import tuning_sentences
from streameval.pages.findings import ORDER_SEED, Findings
from streameval.pages.page import Section
from streameval.view.parts import Code, Facts, Part

#: Software on whose versions the results of a page depend.
_VERSIONS = ("streameval", "Python", "numpy")
#: References of the baselines and measures of classifiers.
_CLASSIFICATION = ("bifet2013", "zliobaite2015", "bifet2015")
#: References of the signals of ADWIN, and of the lead so far.
_OVER_TIME = ("bifet2007", "choe2024")


def obtained_section(findings: Findings, prefix: str) -> Section:
    """The section on how all results were obtained."""
    parts: list[Part] = [
        Facts([row for row in _facts(findings) if row[1]]),
        *map(trials_table, findings.result.tuned.values()),
        Code("To repeat it", findings.command or _python_line(findings)),
        Code("Methods, to copy", methods_paragraph(findings.result, findings.compared)),
        _citations(findings),
    ]
    return Section(f"{prefix}obtained", "How it was obtained", parts)


def _facts(findings: Findings) -> list[tuple[str, str]]:
    """The origin of all results, without times of day, so that equal runs give equal pages."""
    request, result, stream = findings.request, findings.result, findings.request.stream
    options = {name: value for name, value in request.options.items() if name != "cores"}
    fits = {
        name: numbers["fits"] for name, numbers in result.to_dict().items() if "fits" in numbers
    }
    return [
        ("stream", f"{stream.name}{f': {stream.source}' * bool(stream.source)}"),
        *findings.files,
        ("SHA-256 of the data read", stream.digest),
        (
            "learners",
            "; ".join(_with_citation(name, recipe) for name, recipe in request.recipes.items()),
        ),
        ("protocol", result.protocol),
        ("options", ", ".join(f"{name} = {value}" for name, value in options.items())),
        ("tuning", " ".join(tuning_sentences(result.tuned, result.pretrain))),
        ("retrained", "; ".join(f"{name}: {number:,} fits" for name, number in fits.items())),
        ("seed of the random order", str(ORDER_SEED)),
        ("versions", versions_in_words({name: versions()[name] for name in _VERSIONS})),
    ]


def _with_citation(name: str, learner: Recipe) -> str:
    """The name of a learner with its reference, if it has one."""
    reference = _citation(learner)
    return f"{name} ({reference})" if reference else name


def _citation(learner: Recipe) -> str:
    """Reference that describes a learner; "" if it has none."""
    source: Any = learner.source
    return str(getattr(source, "citation", "") or getattr(source, "reference", ""))


def _python_line(findings: Findings) -> str:
    """A line of Python that makes the page."""
    request = findings.request
    options = "".join(f", {name}={value!r}" for name, value in request.options.items())
    learners = ", ".join(
        repr(name)
        if (tuned := recipe.tuned) is None
        else f"se.tune(stream, {tuned.learner!r}, {tuned.grid}, {tuned.instances})"
        for name, recipe in request.recipes.items()
    )
    return f"se.write_report(se.evaluate(stream, [{learners}]{options}), 'report.html')"


def _citations(findings: Findings) -> Code:
    """BibTeX of the package and of the methods that the page uses."""
    delay_keys = ["grzenda2019"] * (findings.result.delays is not None)
    keys = [*INTERVAL_REFERENCES, *delay_keys]
    if findings.task.is_classification:
        keys = [*_CLASSIFICATION, *keys, *_OVER_TIME]
    citations = {name: _citation(recipe) for name, recipe in findings.request.recipes.items()}
    return Code("BibTeX, to copy", bibtex(keys, citations))
