"""The result of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import one_of
from streameval.api.by_class import ByClass
from streameval.api.presented import Presented
from streameval.api.result_view import Gap
from streameval.api.scored import Scored
from streameval.base.arrays import Flags, Integers
from streameval.evaluation.differences import Difference, difference, differences
from streameval.evaluation.levels import KAPPAS, kappa_interval
from streameval.evaluation.measuring import Measured, measured, windowed_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.task import CLASSES
from streameval.learners.baselines import NoChange
from streameval.learners.predictions import NO_PREDICTION
from streameval.measures.registry import MEASURES
from streameval.significance.series import by_runs
from streameval.significance.stream_mean import StreamMean, stream_mean, without_ends
from streameval.streams.stream import NO_LABEL
from streameval.values import flag_of

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.age_bins import AtAges
    from streameval.evaluation.scored import ScoreTable

#: The measures that are shown where none are named.
SHOWN = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
#: The measures that are drawn where none are named.
DRAWN = ("accuracy", "kappa_temporal")
#: The measures of bins; see `Result.bins`.
BINNED = (
    *("accuracy", "kappa", "kappa_temporal", "kappa_m"),
    *("kappa_temporal_delayed", "kappa_m_delayed"),
)


class Result(ByClass, Scored, Presented[PredictionTable]):
    """Predictions of learners on a stream, as `streameval.evaluate` returns them.

    Attributes
    ----------
    stream : Stream
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        The names of the learners, the baselines ``no_change`` and ``majority`` included.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
    >>> result
    <Result: hoeffding_tree, no_change, majority on 'sea', prequential, 2,000 predictions>
                    accuracy   kappa  kappa_temporal  kappa_m  kappa_combined
    learner
    hoeffding_tree    0.8565  0.6748          0.6907   0.6030          0.6827
    no_change         0.5360 -0.0057          0.0000  -0.2835          0.0000
    majority          0.6385 -0.0010          0.2209   0.0000          0.0000
    """

    _TASK, _COMPARED_BY = CLASSES, "accuracy"
    _SHOWN, _SHOWN_BY_BIN = SHOWN, "accuracy"
    _DRAWN, _DRAWN_BY_BIN = DRAWN, ("accuracy", "kappa_temporal_delayed")
    _BY_BIN = BINNED
    _OVER_BINS = ("accuracy", "kappa", "kappa_temporal_delayed", "kappa_m_delayed")
    _IN_NOTEBOOKS = SHOWN
    _NOTE = (
        "Over the baselines: differences in accuracy, in points, with 95 % intervals. The κ are of "
        "one run, whose intervals do not cover the seeds of learners that draw at random; those "
        "over several runs are in pages (report). κ_t and κ_m are above 0 where the difference "
        "from their baseline is."
    )

    def __init__(self, *evaluated: Any, scores: ScoreTable | None = None, **more: Any) -> None:
        super().__init__(*evaluated, **more)
        self._score_table = scores

    @cached_property
    def _table(self) -> PredictionTable:
        """Return what is measured: one prediction of each label, under delays the first."""
        if self._waiting is None:
            return self._made.scored()
        return self._made.part(self._waiting.arriving())

    def _known(self) -> Mapping[str, Any]:
        return MEASURES

    def _measured(self, names: Sequence[str]) -> list[Measured]:
        return measured(self._table, measures=names)

    def _windowed(
        self, learners: Sequence[str], measures: Sequence[str], window: int, points: int
    ) -> pd.DataFrame:
        return windowed_measures(self._table, learners, measures, window, points)

    @property
    def predictions(self) -> pd.DataFrame:
        """Predicted and true labels.

        A row per prediction, in the order in which they were made: the row of the stream that it is
        for; its time and fold, where there are such; the true label, missing where it has not
        arrived; and the predicted label of each learner, missing where there is none. Measures
        are over those with a true label, under delayed labels over the first one of each instance.
        With ``scores=True`` the class scores as the learner gives them follow, in columns
        ``LEARNER_score_CLASS``, NaN where the true label has not arrived.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> se.evaluate(stream, "hoeffding_tree").predictions.tail(2)
               row    true hoeffding_tree no_change majority
        1998  1998  groupB         groupB    groupB   groupB
        1999  1999  groupA         groupB    groupB   groupB
        """
        found = self._made.as_frame(self.stream.schema.classes or ())
        return found.assign(**self._score_columns(self._made.true != NO_LABEL))

    def differences(self, other: str = NoChange.name) -> pd.DataFrame:
        """Compare the accuracy of each learner with that of `other`.

        Under delayed labels it is about the predictions on arrival, bin 0 of `bins`.

        Parameters
        ----------
        other : str
            The learner that the others are compared with.

        Returns
        -------
        pandas.DataFrame
            By learner: difference (its accuracy less that of the other), the ends low and high of
            its 95 % interval, and instances. The interval respects that correct predictions come in
            runs; its ends are NaN where the instances are too few for one, see
            `streameval.significance.stream_mean.stream_mean`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.differences("majority").round(3)
                        difference    low   high  instances
        learner
        hoeffding_tree       0.218  0.187  0.249       2000
        no_change           -0.102 -0.132 -0.073       2000
        """
        other = one_of(other, self.learners, "learner")
        pairs = [(name, other) for name in self.learners if name != other]
        return differences(self._table, pairs).drop(columns="other").set_index("learner")

    @property
    def has_folds(self) -> bool:
        """Whether the predictions are those of several models, each over a fold.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=500)
        >>> se.evaluate(stream, "majority", "cross_validation:5").has_folds
        True
        """
        return self._table.fold is not None

    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Return by how much each learner is more accurate than No-Change and than Majority.

        Under delayed labels it is about the predictions on arrival.

        Returns
        -------
        dict of str to dict
            By learner and baseline: difference, the ends low and high of its 95 % interval,
            instances, and the reason why there is no interval: empty where there is one.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> round(result.over_baselines()["hoeffding_tree"]["majority"].low, 3)
        0.187
        """
        return {
            name: {one: difference(self._table, name, one) for one in COMPARATORS if one != name}
            for name in self.learners
        }

    def _baselines(self) -> Sequence[str]:
        return COMPARATORS

    def _gaps(self) -> Mapping[str, Mapping[str, Gap]]:
        gaps: dict[str, dict[str, Gap]] = {
            f"over {CLASSES.baselines[base]}": {} for base in COMPARATORS
        }
        for name, over in self.over_baselines().items():
            for base, one in over.items():
                ends = (one.difference, one.low, one.high)
                text = CLASSES.interval(*ends, unit=False)
                gaps[f"over {CLASSES.baselines[base]}"][name] = Gap(*ends, text, one.reason)
        return gaps

    def _lines(self) -> tuple[str, str, dict[str, list[float]]]:
        return ("", "", {}) if self.has_folds else super()._lines()

    def level(self, learner: str, measure: str = "accuracy") -> StreamMean:
        """Return the accuracy or a kappa of a learner in this run, with its interval.

        Under delayed labels it is about the predictions on arrival. The interval is about one run:
        it does not cover other seeds of a learner that draws at random, as those of `compare` do.
        That of an accuracy misses too often where more than 80 % of the labels are in one class,
        and that of κ for Majority.

        Parameters
        ----------
        learner : str
            Its name.
        measure : {"accuracy", "kappa", "kappa_temporal", "kappa_m"}
            The measure.

        Returns
        -------
        StreamMean
            With the value as ``mean``, the ends ``low`` and ``high`` of a 95 % interval for streams
            that go on as this one does, NaN where there is none, and the ``reason``. Of a kappa,
            ``effective``, ``error`` and ``freedom`` are NaN.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> found = result.level("majority")
        >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
        (0.61, 0.64, 0.66)
        >>> found = result.level("hoeffding_tree", "kappa_temporal")
        >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
        (0.62, 0.69, 0.76)
        """
        measure = one_of(measure, ["accuracy", *KAPPAS], "measure")
        self._table.require_one_fold(f"The interval of {measure}")
        name = one_of(learner, self.learners, "learner")
        if measure == "accuracy":
            right = self._table.predicted[name] == self._table.true
            of = stream_mean(right, tested=False, behind=by_runs(right))
            return without_ends(of, self._table.no_interval)
        found = kappa_interval(self._table, name, measure)
        nan = float("nan")
        return StreamMean(found.value, found.low, found.high, nan, nan, nan, nan, found.reason)

    def signals(self, learner: str) -> Integers:
        """Return where the drift detector ADWIN signals that a learner errs more often.

        ADWIN has MOA's parameter δ = 0.002. A signal is no proof: there are false alarms, and more
        where errors depend on each other. A large rise is signalled several times.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        ndarray of int64
            How many predictions had been made at each signal.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "majority")
        >>> result.signals("majority").tolist()
        []
        """
        from streameval.detectors.adwin import ADWIN  # loads numba

        self._table.require_one_fold("Signals of drift")
        name = one_of(learner, self.learners, "learner")
        return ADWIN().run(self._table.predicted[name] != self._table.true).changes + 1

    def bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        moa: bool = False,
        by: str = "label",
    ) -> pd.DataFrame:
        """Return measures of predictions by time until the label arrives, or by age.

        The time from each instance to its label is divided into bins of equal length. Bin 0 is the
        prediction on arrival, the last bin the one made just before the label is learnt. In between
        the prediction counts that is in force in the bin. Needs an evaluation with delayed labels.

        Parameters
        ----------
        bins : int
            Number of bins B between the first and the last prediction.
        rule : {"paper", "published"}
            Which prediction counts where some are made in a bin: by the paper of Grzenda et al.
            (2019) each as long as it is in force, by their program a single one for the whole bin.
            Their program takes a missing prediction for the first class, so it may be correct; by
            the paper's rule it is wrong.
        learners : sequence of str
            Names of learners; by default all.
        by : {"label", "age"}
            With ``"age"`` by the time since an instance has arrived, in at most so many round
            steps: unlike the length of a bin, this is known when predicting.
        moa : bool
            Whether to add kappa_temporal and kappa_m of MOA, as the program has them. They compare
            with the previous label and with the most frequent one, which has counted the label
            itself already, so Majority is below 0. Learners cannot use these labels.

        Returns
        -------
        pandas.DataFrame
            A row per learner and bin 0, ..., B + 1: learner, bin; accuracy, the ends of its 95 %
            interval (low, high) and of an interval that holds for all bins together (band_low,
            band_high), NaN where labels are worth fewer than 60 independent ones; kappa;
            kappa_temporal_delayed and kappa_m_delayed, which compare with No-Change and Majority
            under the same delay, in the same bin; predictions, the number of labels that have
            arrived; calculated, for how many of them a prediction is made in this bin; and missing,
            how many have no prediction in it, which count as wrong.

            By age, a row per learner and age: learner; age, a time where times are dates, else a
            number of their units, such as instances; accuracy of the predictions in force at this
            age over the instances whose labels are still to come (at_risk), with low and high;
            kappa_temporal_delayed and kappa_m_delayed at the same age; pending, how many more wait
            whose labels have not arrived at all; missing; gain, by how much the accuracy differs
            from that of their own first predictions, with gain_low and gain_high; and overall, the
            accuracy over all instances, with the last prediction from the label on.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.bins(3)[["learner", "bin", "accuracy"]].head(5).round(4)
                  learner  bin  accuracy
        0  hoeffding_tree    0    0.8547
        1  hoeffding_tree    1    0.8562
        2  hoeffding_tree    2    0.8620
        3  hoeffding_tree    3    0.8615
        4  hoeffding_tree    4    0.8631
        """
        bins, rule, names = self._asked(bins, rule, learners)
        ages = self._ages(names, bins, by)
        if ages is not None:
            return self._with_times(ages)
        found = self._binned(names, bins, rule)[0]
        return found if flag_of(moa, "moa") else found.drop(columns=["kappa_temporal", "kappa_m"])

    def _by_age(self, ages: AtAges, true: NDArray[Any], names: Sequence[str]) -> pd.DataFrame:
        from streameval.evaluation.age_bins import age_bins

        return age_bins(ages, true, self._made.predicted, names)

    def _drawn_frames(self, names: Sequence[str], bins: int, rule: str) -> dict[str, pd.DataFrame]:
        from streameval.evaluation.bin_measures import contrasts, stages

        found, correct = self._binned(names, bins, rule)
        return {"bins": found, "contrasts": contrasts(correct), "stages": stages(correct, (), 1)}

    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, Flags]]:
        """Return measures by bin, and whether what counts is correct, by instance and bin."""
        from streameval.evaluation.bin_measures import bin_measures, correct_in

        (waiting, made), n_classes = self._by_rule(rule), self.stream.n_classes
        wanted = [*names, *COMPARATORS]
        found = dict(waiting.in_bins(made.predicted, wanted, (bins, rule), n_classes))
        true = self.stream.y[waiting.polls.scored]
        correct = {name: correct_in(found[name], true) for name in names}
        missing = [(found[name].values == NO_PREDICTION).sum(axis=0) for name in names]
        measures = bin_measures(true, found, correct, n_classes)
        return measures.assign(missing=np.concatenate(missing)), correct
