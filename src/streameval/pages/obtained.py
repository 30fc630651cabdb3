"""How results were obtained: the section of a page about learners on the user's stream.

`streameval.pages.origin` has this section for pages of the pipeline.
"""

from __future__ import annotations

from typing import Any

from streameval.api.learners import Recipe
from streameval.api.methods import methods_paragraph
from streameval.api.tune import trials_table
from streameval.base.provenance import versions, versions_text
from streameval.base.references import bibtex
from streameval.evaluation.methods import INTERVAL_REFERENCES
from streameval.evaluation.tuning import tuning_sentences
from streameval.pages.findings import ORDER_SEED, Findings
from streameval.pages.page import Section
from streameval.view.parts import Code, Facts, Part

#: Software on whose versions the results of a page depend.
_VERSIONS = ("streameval", "Python", "numpy")
#: References of the baselines and measures of classifiers.
_CLASSIFICATION_REFERENCES = ("bifet2013", "zliobaite2015", "bifet2015")
#: References of the pictures over time: the signals of ADWIN, and the lead so far.
_OVER_TIME_REFERENCES = ("bifet2007", "choe2024")


def obtained_section(findings: Findings, prefix: str) -> Section:
    """The section on how all results were obtained."""
    parts: list[Part] = [
        Facts([row for row in _facts(findings) if row[1]]),
        *map(trials_table, findings.result.tuned.values()),
        Code("To repeat it", findings.command or _python_line(findings)),
        Code("Methods, to copy", methods_paragraph(findings.result, findings.comparison)),
        _citations(findings),
    ]
    return Section(f"{prefix}obtained", "How it was obtained", parts)


def _facts(findings: Findings) -> list[tuple[str, str]]:
    """The origin of all results, without times of day, so that equal runs give equal pages."""
    request, result, stream = findings.request, findings.result, findings.request.stream
    # The number of cores does not change results.
    options = {name: value for name, value in request.options.items() if name != "cores"}
    n_fits = {name: row["fits"] for name, row in result.to_dict().items() if "fits" in row}
    return [
        ("stream", f"{stream.name}: {stream.source}" if stream.source else stream.name),
        *findings.file_facts,
        ("SHA-256 of the data read", stream.digest),
        (
            "learners",
            "; ".join(_with_citation(name, recipe) for name, recipe in request.recipes.items()),
        ),
        ("protocol", result.protocol),
        ("options", ", ".join(f"{name} = {value}" for name, value in options.items())),
        ("tuning", " ".join(tuning_sentences(result.tuned, result.pretrain))),
        ("retrained", "; ".join(f"{name}: {number:,} fits" for name, number in n_fits.items())),
        ("seed of the random order", str(ORDER_SEED)),
        ("versions", versions_text({name: versions()[name] for name in _VERSIONS})),
    ]


def _with_citation(name: str, learner: Recipe) -> str:
    """The name of a learner with its reference, if it has one."""
    reference = _citation(learner)
    return f"{name} ({reference})" if reference else name


def _citation(learner: Recipe) -> str:
    """Reference that describes a learner; "" if it has none."""
    # A registry row has a citation, the object of a learner a reference.
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
    delay_keys = [] if findings.result.delays is None else ["grzenda2019"]
    keys = [*INTERVAL_REFERENCES, *delay_keys]
    if findings.task.is_classification:
        keys = [*_CLASSIFICATION_REFERENCES, *keys, *_OVER_TIME_REFERENCES]
    citations = {name: _citation(recipe) for name, recipe in findings.request.recipes.items()}
    return Code("BibTeX, to copy", bibtex(keys, citations))
