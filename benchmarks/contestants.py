"""The same learners in MOA, River, streamDM-C++ and streameval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contestant:
    """A learner by its names in the tools, and how much of it a benchmark can afford.

    Parameters
    ----------
    moa : str
        On MOA's command line.
    river : callable, optional
        From the names of a stream's nominal attributes to River's model; None if it has none.
    instances : int
        Most instances to run over.
    river_instances : int
        Of these River takes the first: all would take hours.
    repetitions : int
        Most repetitions.
    streamdm : str, optional
        On the command line of streamDM-C++; None if it has none.
    """

    moa: str
    river: Callable[[list[str]], Any] | None
    instances: int = 1_000_000
    river_instances: int = 20_000
    repetitions: int = 5
    streamdm: str | None = None


def _naive_bayes(nominal: list[str]) -> Any:
    from river import naive_bayes

    return naive_bayes.GaussianNB()


def _ddm(nominal: list[str]) -> Any:
    from river import drift

    return drift.DriftRetrainingClassifier(_naive_bayes(nominal), drift.binary.DDM())


def _hoeffding_tree(nominal: list[str]) -> Any:
    from river import tree

    return tree.HoeffdingTreeClassifier(nominal_attributes=nominal or None)


def _adaptive_tree(nominal: list[str]) -> Any:
    from river import tree

    return tree.HoeffdingAdaptiveTreeClassifier(nominal_attributes=nominal or None, seed=1)


def _online_bagging(nominal: list[str]) -> Any:
    from river import ensemble

    return ensemble.BaggingClassifier(_hoeffding_tree(nominal), n_models=10, seed=1)


def _leveraging_bagging(nominal: list[str]) -> Any:
    from river import ensemble

    return ensemble.LeveragingBaggingClassifier(_hoeffding_tree(nominal), n_models=10, seed=1)


def _adaptive_forest(nominal: list[str]) -> Any:
    from river import forest

    return forest.ARFClassifier(n_models=10, nominal_attributes=nominal or None, seed=1)


def _neighbours(nominal: list[str]) -> Any:
    from river import neighbors

    # Ours but for the scaling: River leaves that to another step.
    engine = neighbors.LazySearch(window_size=1000)
    return neighbors.KNNClassifier(n_neighbors=10, engine=engine, weighted=False)


def _slow(
    moa: str, river: Callable[[list[str]], Any] | None, streamdm: str | None = None
) -> Contestant:
    return Contestant(moa, river, 250_000, 5_000, 3, streamdm)


#: MOA's leaves predict in this way by default.
_LEAVES = "-l NBAdaptive"
_TREE = f"HoeffdingTree {_LEAVES}"
#: By their ids in ``config/learners.yaml``; a learner that is not here is not compared.
CONTESTANTS = {
    "naive_bayes": Contestant("bayes.NaiveBayes", _naive_bayes, streamdm="NaiveBayes"),
    "ddm_nb": Contestant("drift.DriftDetectionMethodClassifier", _ddm),
    "hoeffding_tree": Contestant("trees.HoeffdingTree", _hoeffding_tree, streamdm=_TREE),
    "hoeffding_adaptive_tree": Contestant(
        "trees.HoeffdingAdaptiveTree", _adaptive_tree, streamdm=f"HoeffdingAdaptiveTree {_LEAVES}"
    ),
    "online_bagging": _slow("meta.OzaBag", _online_bagging, f"Bagging -es 10 -l ({_TREE})"),
    "leveraging_bagging": _slow("meta.LeveragingBag", _leveraging_bagging),
    "random_forest": _slow("meta.OzaBag -l trees.RandomHoeffdingTree", None),
    "adaptive_random_forest": _slow("meta.AdaptiveRandomForest -s 10", _adaptive_forest),
    "knn": _slow("lazy.kNN", _neighbours),
}
