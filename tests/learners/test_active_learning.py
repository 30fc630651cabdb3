"""Learners that ask for labels, as their twin and as MOA's active learners do."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.every_learner import CLASSIFIERS, called
from helpers.foreign_models import Frequencies
from helpers.java import java_hash
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import active_learning as naive

from streameval.base.errors import ConfigError
from streameval.learners.active_learning import ActivePredictions, run_learner, run_with_queries
from streameval.learners.adapters.moa import MoaLearner, find_jar, write_for_moa
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.knn import KNN
from streameval.learners.regression.baselines import TargetMean
from streameval.learners.tasks import CLASSIFICATION
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.registry import WRAPPERS, wrappers_of
from streameval.protocols.partial import SCORE_BASED, Partial
from streameval.protocols.prequential import delayed
from streameval.protocols.tape import learn_labelled
from streameval.streams.generators.planes import Planes
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea

HOW = st.fixed_dictionaries(
    {
        "strategy": st.sampled_from(SCORE_BASED),
        "budget": st.floats(0.02, 1),
        "rules": st.sampled_from(["moa", "paper"]),
        "seed": st.integers(0, 100),
        "delay": st.integers(0, 12),
    }
)


def offered(stream, protocol):
    (tape,) = protocol.tapes(stream)
    return tape


def bought_mask(stream, predictions):
    mask = np.zeros(len(stream), bool)
    mask[predictions.bought] = True
    return mask


class Script:
    """Scores that were drawn before; learns nothing."""

    def __init__(self, scores):
        self.scores_by_row = scores

    def learn(self, x, y, w):
        assert w == 1

    def predict(self, x):
        scores = self.scores_by_row[int(x[0])]
        return None if scores is None else int(np.argmax(scores))

    def scores(self, x):
        scores = self.scores_by_row[int(x[0])]
        return [0, 0, 0] if scores is None else scores


@given(
    rows=st.lists(
        st.tuples(
            st.none() | st.sampled_from([(0.9, 0.1, 0), (1, 0, 0), (0.25, 0.5, 0.25), (3, 3, 4)]),
            st.integers(-1, 2),
        ),
        min_size=1,
        max_size=60,
    ),
    how=HOW,
)
def test_labels_are_asked_for_as_in_the_twin(rows, how):
    stream = Sea().stream(len(rows))
    schema = replace(stream.schema, classes=("a", "b", "c"))
    labels = np.array([label for _, label in rows], np.int32)
    X = np.arange(len(rows), dtype=float)[:, None] + np.zeros((1, 3))
    stream = replace(stream, X=X, y=labels, schema=schema)
    script = [scores for scores, _ in rows]
    tape = offered(stream, Partial(**how))
    predictions = run_with_queries(CustomLearner(Script(script)), stream, tape)
    delay = how.pop("delay")

    def predict(t):
        if script[t] is None:
            return (1 / 3, 1 / 3, 1 / 3), False
        return tuple(np.float32(v / sum(script[t])) for v in script[t]), True

    known = [None if label < 0 else int(label) for label in labels]
    expected = naive.in_turn(naive.Asker(**how), predict, lambda row: None, len(rows), known, delay)
    assert predictions.bought.tolist() == expected
    assert predictions.scores is None


OTHERS = [
    CustomLearner(Frequencies),
    RiverLearner("river.naive_bayes.GaussianNB"),
    SklearnLearner("sklearn.naive_bayes.BernoulliNB"),
]


@pytest.mark.parametrize("learner", [*CLASSIFIERS, *OTHERS], ids=called)
@pytest.mark.parametrize(
    ("delay", "strategy"), [(0, "variable_uncertainty"), (7, "randomised_uncertainty")]
)
def test_a_run_is_that_over_a_tape_with_the_labels_that_were_bought(learner, delay, strategy):
    stream = RandomRbf(classes=3).stream(300)
    tape = offered(stream, Partial(0.3, strategy, delay))
    steps = []
    predictions = run_with_queries(learner, stream, tape, 5, scores=True, progress=steps.append)
    assert sum(steps) == len(tape) or learner.ignores_inputs
    assert 50 < len(predictions.bought) <= 110
    plain = learn_labelled(delayed(len(stream), delay), bought_mask(stream, predictions))
    expected = learner.run(stream, plain, 5, scores=True)
    assert isinstance(predictions, ActivePredictions)
    np.testing.assert_array_equal(predictions.row, expected.row)
    np.testing.assert_array_equal(predictions.label, expected.label)
    np.testing.assert_array_equal(predictions.scores, expected.scores)
    assert predictions.size == expected.size
    if learner in CLASSIFIERS:
        assert predictions.model_bytes == expected.model_bytes
    again = run_learner(learner, stream, tape, 5)
    assert again.bought.tolist() == predictions.bought.tolist()
    assert again.scores is None


@settings(max_examples=30)
@given(how=HOW)
def test_a_compiled_learner_asks_as_the_twin_with_its_scores(how):
    stream = RandomTree(classes=3).stream(300)
    predictions = run_with_queries(
        KNN(k=3, window=30), stream, offered(stream, Partial(**how)), scores=True
    )
    delay = how.pop("delay")
    expected = naive.in_turn(
        naive.Asker(**how),
        lambda t: (predictions.scores[t].tolist(), True),
        lambda row: None,
        len(stream),
        stream.y.tolist(),
        delay,
    )
    assert predictions.bought.tolist() == expected


# MOA ----------------------------------------------------------------------------------------

#: Learners of MOA and ours.
PAIRS = {
    "bayes.NaiveBayes": NaiveBayes(),
    "trees.HoeffdingTree -g 50": HoeffdingTree(grace_period=50),
    "trees.HoeffdingAdaptiveTree": HoeffdingAdaptiveTree(),
    "lazy.kNN -k 10 -w 1000": KNN(),
}
#: Options of MOA's active.ALUncertainty and ours.
ACTIVE = {
    "FixedUncertainty -b 0.1": Partial(0.1, "uncertainty"),
    "FixedUncertainty -b 0.5 -u 0.6": Partial(0.5, "uncertainty", threshold=0.6),
    "VarUncertainty -b 0.1": Partial(0.1, "variable_uncertainty"),
    "VarUncertainty -b 0.02 -s 0.1": Partial(0.02, "variable_uncertainty", step=0.1),
    "RandVarUncertainty -b 0.1": Partial(0.1, "randomised_uncertainty"),
    "RandVarUncertainty -b 0.3": Partial(0.3, "randomised_uncertainty", seed=7),
    "SelSampling -b 0.1": Partial(0.1, "selective_sampling"),
    "SelSampling -b 0.02": Partial(0.02, "selective_sampling", seed=3),
}
STREAMS = {
    "sea": lambda: Sea().stream(5000),
    "tree": lambda: RandomTree(classes=4).stream(4000),
    "rbf": lambda: RandomRbf(classes=3).stream(4000),
}

# Of MOA 2024.07 (the jar of capymoa 0.15.1) over the stream "rbf", as `Asking.java` runs it: how
# many labels it bought, and the hashes of their rows and of all predictions, see `java_hash`.
MOA = {
    "bayes.NaiveBayes": {
        "FixedUncertainty -b 0.1": (4, 10260, 0),
        "FixedUncertainty -b 0.5 -u 0.6": (4, 2052, 0),
        "VarUncertainty -b 0.1": (400, 2788130129912367103, 3994124122098860822),
        "VarUncertainty -b 0.02 -s 0.1": (80, 1114575244693238058, -618444312439104016),
        "RandVarUncertainty -b 0.1": (400, 8232884474344392135, -6294772184393106063),
        "RandVarUncertainty -b 0.3": (1200, -221861205542552977, -2691392735223254091),
        "SelSampling -b 0.1": (400, 1424044215017400631, -2655686573078653405),
        "SelSampling -b 0.02": (80, -5737933296483665414, -8999314885709504931),
    },
    "lazy.kNN -k 10 -w 1000": {
        "FixedUncertainty -b 0.1": (400, -5642487427374486552, -2104793940874819811),
        "FixedUncertainty -b 0.5 -u 0.6": (5, 63620, 0),
        "VarUncertainty -b 0.1": (400, -248522700260288327, 344066882224640212),
        "VarUncertainty -b 0.02 -s 0.1": (80, 270642568126189628, -5838365392730863548),
        "RandVarUncertainty -b 0.1": (400, 2926488276428451818, -1199661347518340741),
        "RandVarUncertainty -b 0.3": (1200, 8499154818568253318, -3813055741946050181),
        "SelSampling -b 0.1": (399, -5253526455435977872, -1700192073172343106),
        "SelSampling -b 0.02": (80, -2007923810452301316, 4522793738458976617),
    },
}


@pytest.mark.parametrize(
    ("words", "options"), [(words, options) for words in MOA for options in MOA[words]]
)
def test_predictions_and_labels_are_those_that_moa_had(words, options):
    stream = STREAMS["rbf"]()
    predictions = run_with_queries(PAIRS[words], stream, offered(stream, ACTIVE[options]))
    summary = (len(predictions.bought), java_hash(predictions.bought), java_hash(predictions.label))
    assert summary == MOA[words][options]


@pytest.mark.moa
@pytest.mark.parametrize("name", STREAMS)
def test_predictions_and_labels_are_those_of_moas_active_learners(name, tmp_path):
    stream, file = STREAMS[name](), tmp_path / "stream.arff"
    write_for_moa(stream, file)
    jobs = [(words, options) for words in PAIRS for options in ACTIVE]
    learners = [
        f"{ACTIVE[options].seed} active.ALUncertainty -l ({words}) -d {options}"
        for words, options in jobs
    ]
    program = str(Path(__file__).with_name("Asking.java"))
    command = ["java", "-cp", str(find_jar()), program, str(file), *learners]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for (words, options), line in zip(jobs, out.splitlines(), strict=True):
        predicted, bought = (text.split() for text in line.split(","))
        predictions = run_with_queries(PAIRS[words], stream, offered(stream, ACTIVE[options]))
        assert predictions.bought.tolist() == [*map(int, bought)], (words, options)
        assert predictions.label.tolist() == [*map(int, predicted)], (words, options)


# Rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", SCORE_BASED)
@pytest.mark.parametrize("budget", [0.02, 0.5])
def test_no_more_than_the_budget_is_spent_but_by_the_fading_mean_of_the_paper(strategy, budget):
    stream = RandomRbf(classes=3).stream(4000)
    by_moa, by_paper = (
        run_with_queries(
            NaiveBayes(), stream, offered(stream, Partial(budget, strategy, rules=rules))
        ).bought
        for rules in ("moa", "paper")
    )
    assert len(by_moa) <= budget * len(stream) + 1
    # A label adds 1 to the faded number, which is at most B w before: at equilibrium B + 1 / 2w.
    assert len(by_paper) <= (budget + 0.5 / 100) * len(stream) + 2
    if strategy != "uncertainty":
        assert len(by_moa) > 0.9 * budget * len(stream)


def test_one_label_of_a_later_class_stops_moas_fixed_threshold():
    stream = Sea().stream(3000)
    begins = int(np.argmax(stream.y == 1))
    stream = stream.take(slice(begins, None))
    knn = KNN(k=3)
    by_moa, by_paper = (
        run_with_queries(knn, stream, offered(stream, Partial(0.2, "uncertainty", rules=rules)))
        for rules in ("moa", "paper")
    )
    assert by_moa.bought.tolist() == [0]
    assert len(by_paper.bought) > 100
    assert (by_paper.label == stream.y).mean() > (by_moa.label == stream.y).mean() + 0.1


@pytest.mark.parametrize("learner", [NoChange(), Majority()])
def test_baselines_get_labels_at_random_with_the_same_budget(learner):
    stream = Sea().stream(2000)
    predictions = run_with_queries(
        learner, stream, offered(stream, Partial(0.1, "uncertainty", 3, seed=4))
    )
    (tape,) = Partial(0.1, "random", 3, seed=4).tapes(stream)
    assert predictions.label.tolist() == learner.run(stream, tape).label.tolist()
    bought = np.flatnonzero(Partial(0.1, seed=4).bought_labels(stream))
    assert predictions.bought.tolist() == bought[bought < len(stream) - 3].tolist()


# What cannot ask ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", wrappers_of(CLASSIFICATION))
def test_wrappers_are_refused_where_learners_ask_and_work_where_they_do_not(name):
    stream = Sea().stream(300)
    wrapped = WRAPPERS[name](NaiveBayes())
    with pytest.raises(ConfigError, match=r"random (and|or) every"):
        run_with_queries(wrapped, stream, offered(stream, Partial(0.5, "uncertainty")))
    for strategy in ("random", "every"):
        (tape,) = Partial(0.5, strategy, 2).tapes(stream)
        assert len(run_learner(wrapped, stream, tape).label) == 300


@pytest.mark.moa
def test_moas_learners_are_refused():
    stream = Sea().stream(30)
    with pytest.raises(ConfigError, match=r"by class scores\. MOA writes"):
        run_with_queries(
            MoaLearner("bayes.NaiveBayes"), stream, offered(stream, Partial(0.5, "uncertainty"))
        )


def test_models_without_scores_are_refused_before_they_run():
    stream = Sea().stream(30)
    tape = offered(stream, Partial(0.5, "uncertainty"))
    with pytest.raises(ConfigError, match=r"has no class scores.*random and every need none"):
        run_with_queries(SklearnLearner("sklearn.linear_model.Perceptron"), stream, tape)


def test_no_learner_learns_all_labels_of_an_offer():
    stream = Sea().stream(30)
    tape = offered(stream, Partial(0.5, "uncertainty"))
    for learner in (*CLASSIFIERS, *OTHERS, WRAPPERS["temporally_augmented"](NaiveBayes())):
        with pytest.raises(ConfigError, match="The tape only offers labels, of which the strategy"):
            learner.run(stream, tape)
    numbers = Planes().stream(30)
    with pytest.raises(ConfigError, match="Evaluate classifiers with this protocol"):
        run_learner(TargetMean(), numbers, offered(numbers, Partial(0.5, "uncertainty")))
