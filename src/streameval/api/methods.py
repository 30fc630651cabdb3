"""Methods paragraph of a result or a comparison, as a paper describes them."""

from __future__ import annotations

from streameval import __version__
from streameval.api.comparison import Comparison
from streameval.api.result import Result
from streameval.base.values import enumeration
from streameval.evaluation.by_group import entities_note
from streameval.evaluation.methods import interval_sentences
from streameval.evaluation.verdict_words import REGION_FRACTION


def methods_paragraph(result: Result, comparison: Comparison) -> str:
    """Sentences on protocol, tuning, baselines, intervals and verdicts.

    Parameters
    ----------
    result : Result
        The evaluation; ``result.requested_learners`` has the learners without the baselines.
    comparison : Comparison
        The comparison of the same learners, or of a single learner with a baseline.
    """
    stream, task = result.stream, comparison.plan.task
    groups = stream.groups
    entity_clause = baseline_scope = ""
    if groups is not None:
        entity_clause = f" of {len(groups.names):,} entities, by {groups.column!r},"
        baseline_scope = f", each within the {groups.column!r} of an instance"
    baselines = enumeration(map(task.name_in_text, task.baselines))
    # With several entities, intervals also use the order of instances entity by entity.
    intervals = interval_sentences(
        f"Differences in {task.name} have", None if groups is None else groups.order
    )
    group_sentences = "" if groups is None else f" {entities_note(groups)}"
    return (
        f"We evaluated {enumeration(result.requested_learners)} on {len(stream):,} "
        f"instances{entity_clause} with streameval {__version__}{_scored(result)}. "
        f"{_protocol(result)}{_tuning(result)}"
        f"{_seeds(comparison)} The baselines were {baselines}{baseline_scope}. "
        f"{intervals}{group_sentences}{_verdicts(result, comparison)}"
        f"{_prediction_intervals(result)}"
    )


def _scored(result: Result) -> str:
    """Clause on the number of scored instances; empty if all were scored."""
    # The number is the same for all learners that are compared.
    n = result.measured_labels(result.requested_learners[0])
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
        f" The parameters of {tuned.learner} ({tuned.parameters}) were {tuned.method_text}, by "
        f"{tuned.measure.replace('_', ' ')}."
        for tuned in result.tuned.values()
    ]
    if n_first := result.pretrain:
        sentences.append(
            f" All learners and baselines learnt the first {n_first:,} instances and were scored "
            f"on the other {len(result.stream) - n_first:,}."
        )
    return "".join(sentences)


def _seeds(comparison: Comparison) -> str:
    if not comparison.random_learners:
        return ""
    names = enumeration(comparison.random_learners)
    return f" Random learners ({names}) ran {comparison.runs} times with different seeds."


def _verdicts(result: Result, comparison: Comparison) -> str:
    """Sentence on when learners were called equal or one better; empty for a single learner."""
    n_pairs, plan = len(comparison.pairs), comparison.plan
    if len(result.requested_learners) == 1:
        return ""
    adjusted = f", adjusted for {n_pairs} pairs (Bonferroni)," if n_pairs > 1 else ""
    baseline = plan.region.baseline
    source = f" ({100 * REGION_FRACTION:g} % of the error of {baseline})" if baseline else ""
    return (
        f" Two learners{adjusted} were called practically equal if the interval of their "
        f"difference lay within ±{plan.rope_text}{source}, and one was said to beat the other if "
        "it lay outside."
    )


def _prediction_intervals(result: Result) -> str:
    """Sentence on the prediction intervals of regressors; empty if there are none."""
    if result.request.intervals is None:
        return ""
    errors = "latest errors"
    if result.stream.groups is not None:
        errors += " of the same entity, or of all entities while it has too few"
    return (
        f" Regressors without prediction intervals of their own got adaptive conformal intervals "
        f"with a nominal coverage of {result.table.coverage:g}, based on the {errors}."
    )
