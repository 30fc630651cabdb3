"""Methods paragraph of a result or a comparison, as a paper describes them."""

from __future__ import annotations

from streameval import __version__
from streameval.api.comparison import Comparison
from streameval.api.result import Result
from streameval.base.values import enumeration
from streameval.evaluation.by_group import entities_note
from streameval.evaluation.verdict_words import PART
from streameval.significance.stream_mean import LEAST_EFFECTIVE, interval_method_text


def methods_paragraph(result: Result, compared: Comparison) -> str:
    """Sentences on protocol, tuning, baselines, intervals and verdicts.

    Parameters
    ----------
    result : Result
        The learners that were evaluated.
    compared : Comparison
        The same learners, compared; a learner alone stands beside a baseline.
    """
    stream, task = result.stream, compared.plan.task
    groups = stream.groups
    entities = within = ""
    if groups is not None:
        entities = f" of {len(groups.names):,} entities, by {groups.column!r},"
        within = f", each within the {groups.column!r} of an instance"
    baselines = enumeration(map(task.called, task.baselines))
    intervals = interval_method_text(None if groups is None else groups.order)
    about_groups = "" if groups is None else f" {entities_note(groups)}"
    return (
        f"We evaluated {enumeration(result.named)} on {len(stream):,} instances{entities} with "
        f"streameval {__version__}{_scored(result)}. {_protocol(result)}{_tuning(result)}"
        f"{_seeds(compared)} The baselines were {baselines}{within}. "
        f"Differences in {task.name} have 95 % intervals that hold the dependence between "
        f"instances: {intervals}. No interval is given for less than {LEAST_EFFECTIVE} effective "
        f"instances.{about_groups}{_verdicts(result, compared)}{_prediction_intervals(result)}"
    )


def _scored(result: Result) -> str:
    """How many instances were scored, where not all were."""
    n = result.measured_labels(result.named[0])
    return f", which scored {n:,} of them" if n < len(result.stream) else ""


def _protocol(result: Result) -> str:
    if delays := result.delays:
        return (
            f"Labels arrived with a median delay of {delays['delay']:,} instances; learners were "
            "trained on a label when it arrived, and compared by their predictions on arrival."
        )
    return "Each instance was predicted before its label was learnt (prequential evaluation)."


def _tuning(result: Result) -> str:
    """Sentences on how parameters were chosen, and on the instances left for scoring."""
    sentences = [
        f" The parameters of {tuned.learner} ({tuned.parameters}) were {tuned.words}, by "
        f"{tuned.measure.replace('_', ' ')}."
        for tuned in result.tuned.values()
    ]
    if first := result.pretrain:
        sentences.append(
            f" All learners and baselines learnt the first {first:,} instances and were judged on "
            f"the other {len(result.stream) - first:,}."
        )
    return "".join(sentences)


def _seeds(compared: Comparison) -> str:
    if not compared.draws:
        return ""
    return (
        f" Learners that draw at random ({enumeration(compared.draws)}) ran {compared.runs} times "
        "with different seeds."
    )


def _verdicts(result: Result, compared: Comparison) -> str:
    """When two learners were called equal, and when one was said to beat the other."""
    pairs, plan = len(compared.pairs), compared.plan
    if len(result.named) == 1:
        return ""
    adjusted = f", adjusted for {pairs} pairs (Bonferroni)," if pairs > 1 else ""
    baseline = plan.region.baseline
    part = f" ({100 * PART:g} % of the error of {baseline})" if baseline else ""
    return (
        f" Two learners{adjusted} were called practically equal if the interval of their "
        f"difference lay within ±{plan.points}{part}, and one was said to beat the other if it "
        "lay beyond."
    )


def _prediction_intervals(result: Result) -> str:
    """Sentence on how prediction intervals were made; empty without any."""
    if result.asked.intervals is None:
        return ""
    grouped = result.stream.groups is not None
    whose = "latest errors of the same entity" if grouped else "latest errors"
    few = ", while it has too few those of all entities" if grouped else ""
    return (
        f" Regressors without prediction intervals of their own got adaptive conformal ones with "
        f"a nominal coverage of {result.table.coverage:g}, by the {whose}{few}."
    )
