"""Measures of predictions by how long before the label they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from streameval.api.arguments import checked, one_of, whole
from streameval.api.delays import median_wait
from streameval.coercion import flag_of
from streameval.errors import ConfigError
from streameval.evaluation.prediction_table import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.protocols.prequential import typical_delay
from streameval.protocols.reevaluation import FIRST, PredictionEvents, Reevaluation
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from streameval.learners.learner import Learner
    from streameval.protocols.bins import Binned

#: The measures of bins; see `Result.bins`.
BINNED = (
    *("accuracy", "kappa", "kappa_temporal", "kappa_m"),
    *("kappa_temporal_delayed", "kappa_m_delayed"),
)
#: The number of bins that results show.
SHOWN_BINS = 8


@dataclass(frozen=True)
class Waiting:
    """The predictions of a re-evaluation: what each is for, and the learners that made them.

    Parameters
    ----------
    protocol : Reevaluation
        The protocol.
    polls : PredictionEvents
        What the predictions are for.
    learners : mapping of str to Learner
        The classifiers by name, without baselines that are run along.
    delay : int, optional
        The delay that was asked for, the same for all labels.
    """

    protocol: Reevaluation
    polls: PredictionEvents
    learners: Mapping[str, Learner] = field(default_factory=dict)
    delay: int | None = None

    def arriving(self) -> NDArray[np.bool_]:
        """Return which predictions are first ones, of instances whose labels arrive."""
        first: NDArray[np.bool_] = self.polls.which == FIRST
        return first & np.isin(self.polls.row, self.polls.scored)

    def binned(
        self, table: PredictionTable, names: Sequence[str], bins: int, rule: str
    ) -> dict[str, Binned]:
        """Return what counts in each bin, by learner; see `streameval.protocols.bins`."""
        from streameval.evaluation.binned import silent
        from streameval.protocols.bins import binned_labels

        # A name that is not among the learners is the id of a baseline.
        ids = {name: self.learners[name].name if name in self.learners else name for name in names}
        return {
            name: binned_labels(
                self.polls, table.predicted[name], bins, rule, silent=silent(ids[name])
            )
            for name in names
        }

    def ages(
        self, stream: Stream, table: PredictionTable, names: Sequence[str], bins: int
    ) -> pd.DataFrame:
        """Return accuracies by age; see `streameval.evaluation.age_bins.age_bins`."""
        from streameval.evaluation.age_bins import age_bins

        true, pending = stream.y[self.polls.scored], self.pending(stream)
        return age_bins(self.polls, true, table.predicted, names, bins, stream.ticks, pending)

    def pending(self, stream: Stream) -> NDArray[np.int64]:
        """Return when the instances have arrived whose labels have not."""
        found: NDArray[np.int64] = np.asarray(stream.time, dtype=np.int64)
        return found[~np.isin(np.arange(len(stream)), self.polls.scored)]

    def frames(
        self,
        stream: Stream,
        table: PredictionTable,
        names: Sequence[str],
        bins: int,
        rule: str,
        *,
        drawn: bool = False,
    ) -> dict[str, pd.DataFrame]:
        """Return the frames of the study of the same name: ``bins``, and all that are drawn."""
        from streameval.evaluation.bin_measures import bin_measures, contrasts, correct_in, stages

        found = self.binned(table, [*dict.fromkeys([*names, *COMPARATORS])], bins, rule)
        true = stream.y[self.polls.scored]
        correct = {name: correct_in(found[name], true) for name in names}
        frames = {"bins": bin_measures(true, found, correct, stream.n_classes)}
        if drawn:
            frames |= {"contrasts": contrasts(correct), "stages": stages(correct, (), 1)}
        return frames


class Delays:
    """The part of a result that is about delayed labels, of classifiers and of regressors."""

    stream: Stream
    protocol: str
    learners: list[str]
    _waiting: Waiting | None

    @property
    def delays(self) -> dict[str, int] | None:
        """What is known of delayed labels; None if the labels of this evaluation are not delayed.

        ``every``: the number of labels between two predictions of an instance; ``labels``: how many
        have arrived; ``pending``: how many have not; ``delay``: the median number of instances that
        arrive between an instance and its label; and where times are dates ``seconds``: the median
        time between them.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.delays
        {'every': 10, 'labels': 2000, 'pending': 0, 'delay': 100}
        """
        if self._waiting is None:
            return None
        labels, delay = len(self._waiting.polls.scored), self._waiting.delay
        wait = median_wait(self.stream)
        return {
            "every": self._waiting.protocol.every,
            "labels": labels,
            "pending": len(self.stream) - labels,
            "delay": typical_delay(self.stream) or 0 if delay is None else delay,
            **({} if wait is None else {"seconds": round(wait)}),
        }

    def _reevaluated(self) -> Waiting:
        if self._waiting is None:
            raise ConfigError(
                f"Bins: expected an evaluation with delayed labels, found {self.protocol}. "
                "Evaluate with delay=N, or a stream that was read with time and label_time."
            )
        return self._waiting


class Bins(Delays):
    """The part of a result that is about bins of the time to the label."""

    _made: PredictionTable

    def bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        moa: bool = False,
        by: str = "label",
    ) -> pd.DataFrame:
        """Return measures by how long before its label a prediction is made, or by its age.

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
            itself already, so Majority is below 0. No learner knows these labels when it predicts.

        Returns
        -------
        pandas.DataFrame
            A row per learner and bin 0, ..., B + 1: learner, bin; accuracy, the ends of its 95 %
            interval (low, high) and of an interval that holds for all bins together (band_low,
            band_high), NaN where labels are worth fewer than 60 independent ones; kappa;
            kappa_temporal_delayed and kappa_m_delayed, which compare with No-Change and Majority
            under the same delay, in the same bin; predictions, the number of labels that have
            arrived; and calculated, for how many of them a prediction is made in this bin.

            By age, a row per learner and age: learner; age, a time where times are dates, else a
            number of their units, such as instances; accuracy of the predictions in force at this
            age over the instances whose labels are still to come (at_risk), with low and high;
            kappa_temporal_delayed and kappa_m_delayed at the same age; pending, how many more wait
            whose labels have not arrived at all; gain, by how much the accuracy differs from that
            of their own first predictions, with gain_low and gain_high; and overall, the accuracy
            over all instances, with the last prediction from the label on.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.bins(3)[["learner", "bin", "accuracy"]].head(5)
                  learner  bin  accuracy
        0  hoeffding_tree    0    0.8265
        1  hoeffding_tree    1    0.8300
        2  hoeffding_tree    2    0.8435
        3  hoeffding_tree    3    0.8525
        4  hoeffding_tree    4    0.8565
        """
        bins, rule = binning(bins, rule)
        names = checked(learners, self.learners, "learner")
        waiting = self._reevaluated()
        if is_by_age(by):
            return with_times(waiting.ages(self.stream, self._made, names, bins), self.stream)
        found = waiting.frames(self.stream, self._made, names, bins, rule)["bins"]
        return found if flag_of(moa, "moa") else found.drop(columns=["kappa_temporal", "kappa_m"])

    def plot_bins(
        self,
        measures: str | Sequence[str] = ("accuracy", "kappa_temporal_delayed"),
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
    ) -> Figure:
        """Draw measures by how long before its label a prediction is made, or by its age.

        Below are the learners that may be the most accurate one in a bin. Needs the extra:
        ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str
            Columns of `bins`, one panel for each.
        bins, rule, learners, by
            See `bins`. By age the accuracy is drawn, with the number at risk.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown by a notebook, or saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.plot_bins("accuracy").savefig("bins.svg")
        """
        from streameval.api.plots import draw_ages, draw_bins

        bins, rule = binning(bins, rule)
        names = checked(learners, self.learners, "learner")
        chosen = checked(measures, BINNED, "measure of bins")
        waiting = self._reevaluated()
        if is_by_age(by):
            found = waiting.ages(self.stream, self._made, names, bins)
            return draw_ages(found, names, self.stream)
        frames = waiting.frames(self.stream, self._made, names, bins, rule, drawn=True)
        return draw_bins(frames, chosen, names, self.stream.name)


def is_by_age(by: str) -> bool:
    """Return whether bins are by age, which is checked."""
    return one_of(by, ("label", "age"), "kind of bins") == "age"


def with_times(ages: pd.DataFrame, stream: Stream) -> pd.DataFrame:
    """Return measures by age with ages as lengths of time, where times are dates."""
    import pandas as pd

    if not stream.ticks:
        return ages
    return ages.assign(age=pd.to_timedelta(ages["age"] / stream.ticks, unit="s"))


def binning(bins: int, rule: str) -> tuple[int, str]:
    """Return the number of bins and the rule, which are checked."""
    from streameval.protocols.bins import RULES

    return whole(bins, "bins", least=0), one_of(rule, RULES, "rule")
