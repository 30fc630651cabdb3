"""Running regressors over a stream with a numeric target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from streameval.api.bins import SHOWN_BINS, Waiting, checked
from streameval.api.delays import check_label_times, protocol_for
from streameval.api.error_bins import ErrorBins
from streameval.api.evaluation import check_seed, check_stream
from streameval.api.learners import Recipe, spec_of, unique
from streameval.api.progress import bar
from streameval.errors import ConfigError, excerpt, some
from streameval.learners.predictions import PredictedValues
from streameval.learners.registry import LearnerSpec
from streameval.learners.regression.regressor import Regressor
from streameval.learners.regression.target_mean import TargetMean
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import Reevaluation
from streameval.streams.stream import Stream
from streameval.studies.prediction_table import check_ids

if TYPE_CHECKING:
    import pandas as pd


class RegressionResult(ErrorBins):
    """What regressors predicted on a stream; `streameval.evaluate_regressors` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        The names of the regressors, the baseline ``target_mean`` included.

    Examples
    --------
    >>> import streameval as se
    >>> se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
    <RegressionResult: amrules, target_mean on 'planes', prequential, 2,000 predictions>
                 mean_absolute_error  root_mean_squared_error  r_squared
    learner
    amrules                   1.2986                   1.9149     0.8102
    target_mean               3.6118                   4.4053    -0.0046
    """

    def __init__(
        self,
        stream: Stream,
        protocol: str,
        runs: Mapping[str, PredictedValues],
        waiting: Waiting | None = None,
    ) -> None:
        self.stream, self.protocol, self._runs = stream, protocol, dict(runs)
        self.learners, self._waiting = list(self._runs), waiting

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self._shown().round(4).to_string()}"

    def _repr_html_(self) -> str:
        """Return a table, for notebooks."""
        table = self._shown().to_html(float_format="{:.4f}".format, na_rep="undefined")
        return f"<p>{escape(self._summary())}</p>{table}"

    def _shown(self) -> pd.DataFrame:
        """Return the measures, or where labels are delayed the mean absolute error by bin."""
        if self._waiting is None:
            return self.measures()
        tidy = self.bins(SHOWN_BINS).rename(columns={"bin": "mean absolute error in bin"})
        wide = tidy.pivot(  # noqa: PD010
            index="learner", columns="mean absolute error in bin", values="mean_absolute_error"
        )
        return wide.loc[self.learners]

    def _summary(self) -> str:
        about = f"{some(self.learners)} on {excerpt(self.stream.name)!r}, {self.protocol}"
        return f"<RegressionResult: {about}, {len(self._first.row):,} predictions>"

    @property
    def _first(self) -> PredictedValues:
        return self._runs[self.learners[0]]

    def measures(self, *names: str) -> pd.DataFrame:
        """Return measures over all predictions.

        Parameters
        ----------
        *names : str
            ``mean_absolute_error`` and ``root_mean_squared_error``, in the unit of the target, and
            ``r_squared``; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per regressor, a column per measure; NaN where one is undefined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.measures("r_squared").round(2)
                     r_squared
        learner
        amrules           0.81
        target_mean      -0.00
        """
        import pandas as pd

        found = self._measured(names)
        return pd.DataFrame.from_dict(found, orient="index").rename_axis("learner")

    def _measured(self, names: Sequence[str]) -> dict[str, dict[str, float]]:
        wanted = checked(names, REGRESSION_MEASURES, "measure of predicted numbers")
        row = self._first.row
        known = self.stream.labelled[row]
        true = self.stream.y[row][known]
        return {
            learner: {
                name: float(REGRESSION_MEASURES[name].function(true, run.value[known]))
                for name in wanted
            }
            for learner, run in self._runs.items()
        }

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return measures over all predictions and costs as plain numbers, as for JSON.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        dict of str to dict
            By regressor: the measures, None where undefined; and ``seconds`` and ``model_bytes``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> round(result.to_dict()["amrules"]["r_squared"], 2)
        0.81
        """
        return {
            learner: {
                **{name: x if math.isfinite(x) else None for name, x in values.items()},
                "seconds": self._runs[learner].seconds,
                "model_bytes": self._runs[learner].model_bytes,
            }
            for learner, values in self._measured(names).items()
        }

    @property
    def costs(self) -> pd.DataFrame:
        """What the regressors took.

        A row per regressor: seconds (CPU, without compilation) and model_bytes, the size of the
        model at the end.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.costs.columns.to_list()
        ['seconds', 'model_bytes']
        """
        import pandas as pd

        found = {name: (run.seconds, run.model_bytes) for name, run in self._runs.items()}
        columns = ["seconds", "model_bytes"]
        frame = pd.DataFrame.from_dict(found, orient="index", columns=columns)
        return frame.rename_axis("learner")

    @property
    def predictions(self) -> pd.DataFrame:
        """Predicted and true targets.

        A row per prediction, in the order in which they were made: the row of the stream that it is
        for, the true target, and the prediction of each regressor.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate_regressors(se.generate("planes", rows=2000), "amrules")
        >>> result.predictions.tail(2).round(2)
               row  true  amrules  target_mean
        1998  1998  5.15     3.14        -0.04
        1999  1999  5.78     5.53        -0.04
        """
        import pandas as pd

        row = self._first.row
        values = {name: run.value for name, run in self._runs.items()}
        return pd.DataFrame({"row": row, "true": self.stream.y[row], **values})


def evaluate_regressors(
    stream: Stream,
    learners: str | Recipe | Iterable[str | Recipe] | Mapping[str, str | Recipe],
    protocol: str | Mapping[str, Any] | Protocol | None = None,
    *,
    delay: int | None = None,
    every: int | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seed: int = 1,
    progress: bool | None = None,
) -> RegressionResult:
    """Run regressors over a stream with a numeric target and keep their predictions.

    The mean of the targets so far, ``target_mean``, is run along as the baseline.

    Parameters
    ----------
    stream : Stream
        A stream with a numeric target, such as ``load("bike")``, or what `read`, `from_pandas` or
        `from_arrays` returned with ``numeric_target=True``.
    learners : str or Recipe, or a list or mapping of such
        Ids of regressors that ``streameval learners`` lists, or what `learner` returned for one.
        The keys of a mapping are the names.
    protocol : str, mapping or Protocol, optional
        As for `evaluate`, but without folds.
    delay, every, label_first, ignore_label_times
        As for `evaluate`: where labels are delayed, see `RegressionResult.bins`.
    seed : int
        Seed of randomised regressors.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    RegressionResult
        Predictions, measures and costs.

    Raises
    ------
    StreamevalError
        If a regressor or the protocol is unknown or wrong, or the target is nominal.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("planes", rows=2000)
    >>> tree = se.learner("fimt_dd", grace_period=100)
    >>> result = se.evaluate_regressors(stream, [tree, "amrules"])
    >>> result.measures("mean_absolute_error", "r_squared").round(2)
                                   mean_absolute_error  r_squared
    learner
    fimt_dd(grace_period=100)                 4.43      -0.81
    amrules                                   1.30       0.81
    target_mean                               3.61      -0.00
    """
    check_stream(stream)
    check_seed(seed)
    made = _made(learners)
    stream, parsed = protocol_for(stream, protocol, delay, every, label_first, ignore_label_times)
    if parsed.has_folds:
        raise ConfigError(
            f"Regressors: expected a protocol without folds, found {str(parsed)!r}. Choose "
            "prequential, delayed or reevaluation."
        )
    check_label_times(stream, parsed, ignore_label_times)
    waiting = None
    if isinstance(parsed, Reevaluation):
        tape, polls = parsed.polls(stream)
        waiting = Waiting(parsed, polls, delay=delay)
    else:
        (tape,) = parsed.tapes(stream)
    with bar(progress, lambda: len(made) * len(tape)) as update:
        runs = {
            name: one.play(stream, tape, int(seed), progress=update) for name, one in made.items()
        }
    return RegressionResult(stream, str(parsed), runs, waiting)


def _made(learners: Any) -> dict[str, Regressor]:
    """Return regressors by names, the baseline behind them unless it is there."""
    if isinstance(learners, Mapping):
        found = {str(name): _recipe(given) for name, given in learners.items()}
    else:
        several = learners if isinstance(learners, list | tuple) else [learners]
        found = unique(map(_recipe, several))
    if not found:
        raise ConfigError("Expected one regressor or more, found none.")
    check_ids(found)
    made = {name: one.make_regressor() for name, one in found.items()}
    baseline = TargetMean()
    if not isinstance(made.setdefault(baseline.name, baseline), TargetMean):
        raise ConfigError(
            f"Expected a name of its own for each regressor, found {baseline.name!r}, which is "
            "that of the baseline. Give another one: {name: learner}."
        )
    return made


def _recipe(given: Any) -> Recipe:
    if isinstance(given, Recipe):
        return given
    if not isinstance(given, str):
        raise ConfigError(
            f"Expected the id of a regressor, such as 'fimt_dd', or what learner() returned, found "
            f"{excerpt(repr(given), 60)}."
        )
    spec: LearnerSpec = spec_of(given)
    return Recipe(spec.id, spec)
