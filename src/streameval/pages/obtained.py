"""The section on how results were obtained: facts, methods as a paper says them, and citations."""

from __future__ import annotations

from typing import Any

from streameval import __version__
from streameval.api.learners import Recipe
from streameval.api.tune import trials_table
from streameval.base.provenance import versions, versions_in_words
from streameval.base.references import bibtex
from streameval.evaluation.by_group import about_entities
from streameval.evaluation.methods import INTERVAL_KEYS, interval_sentences
from streameval.evaluation.tuning import sentences as tuning_sentences
from streameval.evaluation.verdict_words import PART
from streameval.pages.findings import ORDER_SEED, Findings
from streameval.pages.page import Section, listed
from streameval.view.blocks import Code, Facts, Part

#: What results of a page depend on.
_VERSIONS = ("streameval", "Python", "numpy")
#: References of the baselines and measures of classifiers.
_CLASSES = ("bifet2013", "zliobaite2015", "bifet2015")
#: And those of what is shown over time: of signals, and of the lead so far.
_OVER_TIME = ("bifet2007", "choe2024")


def obtained_section(found: Findings, prefix: str) -> Section:
    """Return the section on how all was obtained."""
    parts: list[Part] = [
        Facts([row for row in _facts(found) if row[1]]),
        *map(trials_table, found.result.tuned.values()),
        Code("To repeat it", found.command or _in_python(found)),
        _methods(found),
        _citations(found),
    ]
    return Section(f"{prefix}obtained", "How it was obtained", parts)


def _facts(found: Findings) -> list[tuple[str, str]]:
    """Return how all was obtained, without any moment: equal runs give equal pages."""
    asked, result, stream = found.asked, found.result, found.asked.stream
    options = {name: value for name, value in asked.options.items() if name != "cores"}
    fits = {name: one["fits"] for name, one in result.to_dict().items() if "fits" in one}
    return [
        ("stream", f"{stream.name}{f': {stream.source}' * bool(stream.source)}"),
        *found.files,
        ("SHA-256 of what was read", stream.digest),
        ("learners", "; ".join(_cited(name, one) for name, one in asked.recipes.items())),
        ("protocol", result.protocol),
        ("options", ", ".join(f"{name} = {value}" for name, value in options.items())),
        ("tuning", " ".join(tuning_sentences(result.tuned, result.pretrain))),
        ("retrained", "; ".join(f"{name}: {number:,} fits" for name, number in fits.items())),
        ("seed of the random order", str(ORDER_SEED)),
        ("versions", versions_in_words({name: versions()[name] for name in _VERSIONS})),
    ]


def _cited(name: str, learner: Recipe) -> str:
    """Return the name of a learner with its reference, if it has one."""
    reference = _citation(learner)
    return f"{name} ({reference})" if reference else name


def _citation(learner: Recipe) -> str:
    """Where a learner is described; "" if nothing says it."""
    source: Any = learner.source
    return str(getattr(source, "citation", "") or getattr(source, "reference", ""))


def _in_python(found: Findings) -> str:
    asked = found.asked
    options = "".join(f", {name}={value!r}" for name, value in asked.options.items())
    learners = ", ".join(
        repr(name)
        if one.tuned is None
        else f"se.tune(stream, {one.tuned.learner!r}, {one.tuned.grid}, {one.tuned.instances})"
        for name, one in asked.recipes.items()
    )
    return f"se.write_report(se.evaluate(stream, [{learners}]{options}), 'report.html')"


def _methods(found: Findings) -> Code:
    """Return sentences on the methods, to copy."""
    names, compared = map(found.task.called, found.task.baselines), found.compared
    groups = found.stream.groups
    order = None if groups is None else groups.order
    entities = within = ""
    if groups is not None:
        entities = f" of {len(groups.names):,} entities, by {groups.column!r},"
        within = f", each within the {groups.column!r} of an instance"
    delays = found.result.delays
    how = (
        f"Labels arrived with a median delay of {delays['delay']:,} instances; learners were "
        "trained on a label when it arrived, and compared by their predictions on arrival."
        if delays
        else "Each instance was predicted before its label was learnt (prequential evaluation)."
    )
    seeds = (
        f" Learners that draw at random ({listed(compared.draws)}) ran {compared.runs} times with "
        "different seeds."
        if compared.draws
        else ""
    )
    several = len(found.pairs)
    adjusted = f", adjusted for {several} pairs (Bonferroni)," if several > 1 else ""
    pairs = (
        f" Two learners{adjusted} were called practically equal if the interval of their "
        f"difference lay within ±{compared.plan.points}{_part(found)}, and one was said to beat "
        "the other if it lay beyond."
        if several
        else ""
    )
    text = (
        f"We evaluated {listed(found.learners)} on {len(found.stream):,} instances{entities} with "
        f"streameval {__version__}{_scored(found)}. {how}{_tuning(found)}{seeds} The baselines "
        f"were {listed(names)}{within}. "
        f"{interval_sentences(f'Differences in {found.task.name} have', order)}"
        f"{_of_entities(found)}{pairs}{_of_predictions(found)}"
    )
    return Code("Methods, to copy", text)


def _scored(found: Findings) -> str:
    """How many instances were scored, where not all were."""
    n = found.result.measured_labels(found.result.named[0])
    return f", which scored {n:,} of them" if n < len(found.stream) else ""


def _of_entities(found: Findings) -> str:
    """What the intervals of several entities are about."""
    groups = found.stream.groups
    return "" if groups is None else f" {about_entities(groups)}"


def _of_predictions(found: Findings) -> str:
    """How prediction intervals were made, where they were asked for."""
    if found.asked.intervals is None:
        return ""
    of = ", while it has too few those of all entities" if found.stream.groups is not None else ""
    whose = "latest errors of the same entity" if of else "latest errors"
    return (
        f" Regressors without prediction intervals of their own got adaptive conformal ones with "
        f"a nominal coverage of {found.result.table.coverage:g}, by the {whose}{of}."
    )


def _part(found: Findings) -> str:
    """Return what the region of practical equivalence is a part of, where it was not given."""
    baseline = found.compared.plan.region.baseline
    return f" ({100 * PART:g} % of the error of {baseline})" if baseline else ""


def _tuning(found: Findings) -> str:
    """Return how parameters were chosen, and what that leaves to judge on."""
    told = [
        f" The parameters of {one.learner} ({one.parameters}) were {one.words}, by "
        f"{one.measure.replace('_', ' ')}."
        for one in found.result.tuned.values()
    ]
    if first := found.result.pretrain:
        told.append(
            f" All learners and baselines learnt the first {first:,} instances and were judged on "
            f"the other {len(found.stream) - first:,}."
        )
    return "".join(told)


def _citations(found: Findings) -> Code:
    """Return BibTeX of the package and of the methods that the page uses."""
    delayed = ["grzenda2019"] * (found.result.delays is not None)
    keys = [*INTERVAL_KEYS, *delayed]
    if found.task.is_counted:
        keys = [*_CLASSES, *keys, *_OVER_TIME]
    citations = {name: _citation(recipe) for name, recipe in found.asked.recipes.items()}
    return Code("BibTeX, to copy", bibtex(keys, citations))
