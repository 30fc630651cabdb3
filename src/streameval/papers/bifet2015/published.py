"""The tables of Bifet et al. (2015), and how ours are found."""

from __future__ import annotations

from functools import cache

from streameval.measures.accuracy import class_recall
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.report.published import PublishedTable
from streameval.report.results import Finding, Results

_FOLDS = ("stream", "p_noise", "validation")


@cache
def worked_example() -> dict[str, float]:
    """Return the measures of the confusion matrix in Table 5, per cent.

    70 of 100 instances are of class +, of which 40 are recognised, and 25 of the other 30; the
    majority class is right 70 times.
    """
    tally = Tally.from_confusion([[40, 30], [5, 25]], majority_correct=70)
    plus, minus = class_recall(tally)
    shares = {
        "accuracy_class_plus": plus,
        "accuracy_class_minus": minus,
        "majority_accuracy": tally.majority_correct / tally.n,
        "p_c": MEASURES["chance_accuracy"].value(tally),
    }
    names = ("accuracy", "kappa", "mcc", "kappa_m")
    for name in (*names, "arithmetic_mean", "geometric_mean", "harmonic_mean"):
        shares[name] = MEASURES[name].value(tally)
    return {name: 100 * float(share) for name, share in shares.items()}


def _worked(results: Results, item: str, key: str) -> Finding:
    return Finding(worked_example()[key])


TABLES = (
    PublishedTable(
        "table1", ("fold",), values=("classifier_a", "classifier_b", "difference", "rank")
    ),
    PublishedTable("table2", ("test", "mode", "p_noise", "validation")),
    PublishedTable("table3", _FOLDS, values=("rejection_fraction",)),
    PublishedTable("table4", _FOLDS, values=("rejection_fraction",)),
    PublishedTable(
        "table5",
        ("measure",),
        _worked,
        ("value_percent",),
        by_construction={
            "*": (
                "it is computed from the confusion matrix that the paper prints, and not from a run"
            )
        },
    ),
)
