"""The result of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import checked, one_of
from streameval.api.bins import SHOWN_BINS, Bins, Waiting
from streameval.api.evaluated import Evaluated
from streameval.evaluation.differences import difference, differences
from streameval.evaluation.measuring import measured, overall_measures, windowed_measures
from streameval.evaluation.prediction_table import PredictionTable
from streameval.evaluation.running import Cost
from streameval.learners.baselines import Majority, NoChange
from streameval.measures.registry import MEASURES
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.differences import Difference

#: The measures that are shown where none are named.
SHOWN = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")


class Result(Evaluated, Bins):
    """What learners predicted on a stream; `streameval.evaluate` returns it.

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

    _DRAWN = ("accuracy", "kappa_temporal")

    def __init__(
        self,
        stream: Stream,
        protocol: str,
        table: PredictionTable,
        costs: Sequence[Cost],
        waiting: Waiting | None = None,
    ) -> None:
        self.stream, self.protocol, self._costs = stream, protocol, costs
        # All predictions, and what is measured: one of each label, under delays the first.
        self._made = table
        self._table = table.scored() if waiting is None else table.part(waiting.arriving())
        self._waiting = waiting
        self.learners = list(table.predicted)

    def _shown(self) -> pd.DataFrame:
        """Return the measures that are shown, or the accuracy by bin."""
        if self._waiting is None:
            return self.measures(*SHOWN)
        tidy = self.bins(SHOWN_BINS).rename(columns={"bin": "accuracy in bin"})
        wide = tidy.pivot(index="learner", columns="accuracy in bin", values="accuracy")  # noqa: PD010
        return wide.loc[self.learners]

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return measures and costs as plain numbers, as for JSON.

        Under delayed labels they are over the predictions on arrival, as those of `measures`.

        Parameters
        ----------
        *names : str
            Measures; by default all.

        Returns
        -------
        dict of str to dict
            By learner: the measures, None where undefined, see `reasons`; and ``instances``,
            ``seconds`` and ``model_bytes``, None where not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.to_dict("accuracy")["hoeffding_tree"]["accuracy"]
        0.8565
        """
        wanted = checked(names, MEASURES, "measure")
        found: dict[str, dict[str, float | int | None]] = {}
        for learner, name, value, _ in measured(self._table, measures=wanted):
            found.setdefault(learner, {})[name] = None if math.isnan(value) else value
        for cost in self._costs:
            found[cost.learner] |= cost.as_dict()
        return found

    def measures(self, *names: str) -> pd.DataFrame:
        """Return measures of the predictions.

        Under delayed labels they are over the predictions on arrival, bin 0 of `bins`: instances
        that wait for long are predicted most often, and would count as often.

        Parameters
        ----------
        *names : str
            Measures, such as ``"kappa_temporal"``; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner, a column per measure; NaN where one is undefined, see `reasons`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.measures("mcc", "f1").round(2)
                         mcc    f1
        learner
        hoeffding_tree  0.68  0.84
        no_change      -0.01  0.50
        majority       -0.02  0.39
        """
        return self._wide("value", names)

    def reasons(self, *names: str) -> pd.DataFrame:
        """Return why measures are undefined.

        Parameters
        ----------
        *names : str
            Measures; by default all.

        Returns
        -------
        pandas.DataFrame
            As `measures`; an empty text where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.from_arrays([[1.5], [2.5], [1.0]], ["no", "yes", "no"])
        >>> result = se.evaluate(stream, "majority")
        >>> result.reasons("mcc").loc["majority", "mcc"]
        'all predictions are the same'
        """
        return self._wide("reason", names)

    def _wide(self, column: str, names: Sequence[str]) -> pd.DataFrame:
        wanted = checked(names, MEASURES, "measure")
        tidy = overall_measures(self._table, measures=wanted)
        wide = tidy.pivot(index="learner", columns="measure", values=column)  # noqa: PD010
        return wide.loc[self.learners, wanted].rename_axis(columns=None)

    def _known(self) -> Mapping[str, Any]:
        return MEASURES

    def _predictions(self) -> int:
        return len(self._made)

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

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> se.evaluate(stream, "hoeffding_tree").predictions.tail(2)
               row    true hoeffding_tree no_change majority
        1998  1998  groupB         groupB    groupB   groupB
        1999  1999  groupA         groupB    groupB   groupB
        """
        import pandas as pd

        columns: dict[str, Any] = {**self._made.places()}
        columns.pop("ordinal", None)
        classes = pd.Index(self.stream.schema.classes or ())
        labels: dict[str, Any] = {"true": self._made.true, **self._made.predicted}
        for name, codes in labels.items():
            columns[name] = pd.Categorical.from_codes(codes, classes)
        return pd.DataFrame(columns)

    def differences(self, other: str = NoChange.name) -> pd.DataFrame:
        """Compare the accuracy of each learner with that of one of them.

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
        table, baselines = self._table, (NoChange.name, Majority.name)
        return {
            name: {base: difference(table, name, base) for base in baselines if base != name}
            for name in self.learners
        }
