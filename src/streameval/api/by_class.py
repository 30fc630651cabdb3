"""What a result says of each class: precision, recall and F1, and the confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from streameval.api.arguments import checked, one_of
from streameval.evaluation.measuring import class_measures, confusion_counts, tally_of

if TYPE_CHECKING:
    import pandas as pd

    from streameval.evaluation.predictions import PredictionTable
    from streameval.measures.tally import Tally
    from streameval.streams.stream import Schema, Stream

#: The column of a confusion matrix that counts instances without a prediction.
NO_PREDICTION = "(no prediction)"


class ByClass:
    """Results that have true and predicted classes."""

    if TYPE_CHECKING:  # what the results have that these are a part of
        stream: Stream
        learners: list[str]

        @property
        def _table(self) -> PredictionTable: ...

    def missing(self, learner: str) -> int:
        """Return the number of instances that a learner did not predict, under delays on arrival.

        They count as wrong.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        int
            Their number.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.missing("hoeffding_tree")
        0
        """
        name = one_of(learner, self.learners, "learner")
        return int(self._tally(name).predicted_counts[-1])

    def by_class(self, learners: Sequence[str] = ()) -> pd.DataFrame:
        """Return precision, recall and F1 of each class, under delays of predictions on arrival.

        Parameters
        ----------
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner and class: learner, class; how often it is the true class
            (instances), how often it is predicted, and how often both (correct); precision, NaN for
            a class that is never predicted; recall, the accuracy on the class, NaN for one that
            does not occur; and f1, NaN where both hold. Their means over the classes are the
            measures ``macro_precision``, ``macro_recall`` and ``macro_f1``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.by_class(["hoeffding_tree"]).drop(columns="learner").round(2)
            class  instances  predicted  correct  precision  recall    f1
        0  groupA        722        577      506       0.88    0.70  0.78
        1  groupB       1278       1423     1207       0.85    0.94  0.89
        """
        import pandas as pd

        names = checked(learners, self.learners, "learner")
        rows = [{"learner": name, **row} for name in names for row in class_rows(self, name)]
        return pd.DataFrame(rows)

    def _tally(self, learner: str) -> Tally:
        return tally_of(self._table, learner)

    def confusion(self, learner: str) -> pd.DataFrame:
        """Return the confusion matrix of a learner, under delays of its predictions on arrival.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        pandas.DataFrame
            Numbers of instances: a row per true class, a column per predicted class, and where
            some instances have none a last column ``"(no prediction)"``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.confusion("hoeffding_tree")
        predicted  groupA  groupB
        true
        groupA        506     216
        groupB         71    1207
        """
        import pandas as pd

        name = one_of(learner, self.learners, "learner")
        counts = confusion_counts(self._table, name)
        classes = [*(self.stream.schema.classes or ())]
        frame = pd.DataFrame(counts, pd.Index(classes, name="true"), [*classes, NO_PREDICTION])
        frame = frame.rename_axis(columns="predicted")
        return frame if counts[:, -1].any() else frame.iloc[:, :-1]


class OfClasses(Protocol):
    """A stream whose classes are known."""

    @property
    def schema(self) -> Schema:
        """Its attributes and classes."""


class Tallied(Protocol):
    """A result that has counted the classes of each learner, in pieces or of a whole stream."""

    @property
    def stream(self) -> OfClasses:
        """What it is of."""

    def _tally(self, learner: str) -> Tally: ...


def class_rows(result: Tallied, learner: str) -> list[dict[str, Any]]:
    """Return the rows of `ByClass.by_class` of a learner, without loading pandas."""
    return class_measures(result._tally(learner), result.stream.schema.classes or ())


def confusion_rows(result: Tallied, learner: str) -> list[list[int]] | None:
    """Return the confusion matrix with a last column of no prediction; None if it was not kept."""
    if not isinstance(result, ByClass):
        return None
    counts: list[list[int]] = confusion_counts(result._table, learner).tolist()
    return counts
