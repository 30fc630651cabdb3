"""How results were obtained, as a paper would say it, and what it would cite."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from streameval import __version__
from streameval.evaluation.verdict_words import PART
from streameval.pages.findings import Findings
from streameval.pages.page import listed
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS
from streameval.view.blocks import Code

#: References that all pages have: of the verdicts and their intervals.
_ALWAYS = ("ibragimov2010", "geyer1992")
#: And those of the baselines and measures of classifiers.
_CLASSES = ("bifet2013", "zliobaite2015", "bifet2015")


def methods(found: Findings) -> Code:
    """Return sentences on the methods, to copy."""
    n, baselines = len(found.stream), found.task.baselines
    names = map(found.task.called, baselines)
    how = (
        f"Labels arrived with a median delay of {found.waiting.delay:,} instances; learners were "
        "trained on a label when it arrived, and compared by their predictions on arrival."
        if found.waiting
        else "Each instance was predicted before its label was learnt (prequential evaluation)."
    )
    seeds = (
        f" Learners that draw at random ({listed(found.draws)}) ran {found.runs} times with "
        "different seeds."
        if found.draws
        else ""
    )
    several = len(found.judged)
    adjusted = f", adjusted for {several} pairs (Bonferroni)," if several > 1 else ""
    pairs = (
        f" Two learners{adjusted} were called practically equal if the interval of their "
        f"difference lay within ±{found.plan.points}{_part(found)}, and one was said to beat the "
        "other if it lay beyond."
        if several
        else ""
    )
    text = (
        f"We evaluated {listed(found.learners)} on {n:,} instances with streameval {__version__}. "
        f"{how}{_tuning(found)}{seeds} The baselines were {listed(names)}. Differences "
        f"in {found.task.name} have 95 % intervals that hold the dependence between instances: "
        f"Student's t over {SECTIONS} sections of the stream, with a variance that is the larger "
        "one of that between sections and of the initial positive sequence of autocovariances. No "
        f"interval is given for less than {LEAST_EFFECTIVE} effective instances.{pairs}"
    )
    return Code("Methods, to copy", text)


def _part(found: Findings) -> str:
    """Return what the region of practical equivalence is a part of, where it was not given."""
    baseline = found.plan.region.baseline
    return f" ({100 * PART:.0f} % of the error of {baseline})" if baseline else ""


def _tuning(found: Findings) -> str:
    """Return how parameters were chosen, and what that leaves to judge on."""
    told = [
        f" The parameters of {one.learner} ({one.parameters}) were {one.words}, by "
        f"{one.measure.replace('_', ' ')}."
        for one in found.tuned.values()
    ]
    if found.pretrain:
        told.append(
            f" All learners and baselines learnt the first {found.pretrain:,} instances and were "
            f"judged on the other {len(found.stream) - found.pretrain:,}."
        )
    return "".join(told)


def citations(found: Findings) -> Code:
    """Return BibTeX of the package and of the methods that the page uses."""
    keys = [*(_CLASSES if found.is_accuracy else ()), *_ALWAYS]
    keys += ["grzenda2019"] * (found.waiting is not None)
    keys += ["bifet2007"] * bool(found.over_time.signals)
    keys += ["choe2024"] * found.is_accuracy
    return Code("BibTeX, to copy", "\n\n".join([_package(), *(references()[key] for key in keys)]))


def _package() -> str:
    return (
        "@software{streameval,\n"
        "  author = {{The streameval authors}},\n"
        "  title = {streameval: sound evaluation of data-stream classifiers},\n"
        f"  version = {{{__version__}}}\n"
        "}"
    )


@cache
def references() -> dict[str, str]:
    """Return the entries of ``references.bib`` by key."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    entries = [f"@{part.strip()}" for part in text.split("@") if part.strip()]
    return {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in entries}
