"""Judging drift detectors by the accuracy gained when a learner is reset at their alarms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import MAX_RUNS, as_list, number_of_workers, select_name
from streameval.api.learners import LearnerLike
from streameval.api.progress import progress_bar
from streameval.api.request import Request
from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError
from streameval.base.values import check_integer, enumeration
from streameval.detectors.registry import parse
from streameval.evaluation.alarm_worth import (
    RUNS,
    WORTH_COLUMNS,
    AlarmWorth,
    AlarmWorths,
    alarm_worth,
    error_curves,
    worth_rows,
)
from streameval.evaluation.delays import (
    first_label_line,
    missing_labels_line,
    stream_entry,
    unlabelled_counts,
)
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdicts import check_rope
from streameval.streams.stream import Stream
from streameval.view.formats import score
from streameval.view.mixin import Viewable
from streameval.view.parts import Column, Part, Table, View, Words, sentence_part

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels

#: Up to this number all alarms are listed in a sentence, otherwise the first and the last.
_MAX_LISTED = 3
#: Largest default window of error rates in the plot, in predictions.
_MAX_WINDOW = 1000
#: The default window is at most the length of the stream divided by this.
_WINDOWS_IN_STREAM = 40
_NOTE = (
    "In brackets: 95 % intervals, in points of accuracy, that hold for all comparisons at once. "
    "They cover other instances of such streams, and other orders of the gaps between alarms."
)
_NOTE_WITHOUT_RESETS = (
    "In brackets: a 95 % interval, in points of accuracy, for other instances of such streams."
)


def detect(
    stream: Stream,
    learner: LearnerLike,
    detectors: Any = "adwin",
    *,
    runs: int = RUNS,
    rope: float | None = None,
    delay: int | str | timedelta | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seed: int = 1,
    cores: int | None = None,
    progress: bool | None = None,
) -> Detection:
    """Detect drifts from the errors of a learner, and measure the effect of resets at the alarms.

    A detector reads the errors of the learner, which is reset at each alarm. The accuracy of the
    learner is compared with three references, by verdicts as in `compare`:

    - the learner with resets at other times: the gaps between the alarms are put in random order.
      If labels depend on each other, any reset gains accuracy, since a new model
      follows the latest labels. This comparison shows whether the times of the alarms matter. It
      has no verdict if the gaps have fewer than 20 different orders, as with up to three alarms or
      with equal gaps;
    - the learner without resets;
    - No-Change, which repeats the previous label.

    Predictions of another system, such as a model in production, do not learn, so resets do not
    change them. The result then says where they get worse, and compares them with No-Change only.

    Parameters
    ----------
    stream : Stream
        A stream with a nominal target.
    learner : learner
        The learner to reset, as for `evaluate`: a learner of the package (without a wrapper), a
        class with ``learn`` and ``predict``, or a model of River or scikit-learn. Or predictions,
        as for `evaluate`: ``"column:NAME"``, ``"predictions.csv:COLUMN"``, a series or an array.
    detectors : str, object, or list of these
        Drift detectors that ``streameval detectors`` lists: ``"adwin"``, ``"every:500"``,
        ``"ddm:min_instances=50"``; or objects with ``update`` and ``drift_detected``, such as
        ``river.drift.KSWIN(seed=1)``.
    runs : int
        Number of random orders of the gaps of each detector, and of runs of a random learner; at
        least 2, by default 10. Predictions of another system have no runs.
    rope : float
        Region of practical equivalence: the largest difference that counts as practically equal.
        The default is that of `compare`.
    delay, label_first, ignore_label_times
        As for `compare`. The detector reads an error when the label arrives.
    seed : int
        Seed of the random orders and of random learners; by default 1.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a progress bar; by default if the error output is a terminal.

    Returns
    -------
    Detection
        Alarms, accuracies, verdicts and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is invalid, or the learner or a detector is unknown or does not suit the
        stream.

    References
    ----------
    Žliobaitė et al. (2015), Section 6.9.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.detect(se.load("markov_ozone"), "naive_bayes", ["ddm", "every:500"])
    >>> result.alarms["every:n=500"].tolist()
    [499, 999, 1499, 1999, 2499]
    """
    if isinstance(learner, list | tuple | Mapping):
        raise ConfigError(f"learner: expected one, found {len(learner)}. Call detect for each.")
    # `Request.of` reads learners from this name.
    request = Request.of(locals() | {"learners": learner})
    request.require_classes("detect")
    name = next(iter(request.recipes))
    if request.tuned:
        raise ConfigError(
            f"learner: expected one that was not tuned on stream {stream.name!r}, found {name}: "
            "detect scores all instances, also those used for tuning. Tune on another stream."
        )
    parsed_detectors = [parse(detector) for detector in _detector_list(detectors)]
    runs = check_integer(runs, "runs", least=2, most=MAX_RUNS)
    workers, arrival = number_of_workers(cores), request.arrival()
    tape, classifier = arrival.tape, request.classifiers[name]
    # Two runs of the learner without resets, of No-Change and of Majority. If the predictions
    # learn, also two runs with resets at the alarms of each detector, and one for each random
    # order.
    events = (2 * 3 + len(parsed_detectors) * (2 + runs) * classifier.learns) * len(tape)
    with progress_bar(progress, lambda: events, [classifier], len(stream)) as update:
        worths = alarm_worth(
            arrival.stream,
            tape,
            classifier,
            parsed_detectors,
            scored=arrival.scored,
            n_runs=runs,
            rope=None if rope is None else check_rope(rope),
            seed_key=("detect", request.seed),
            workers=workers,
            progress=update,
        )
    alarm_rows = {name: tape.row[worth.alarms] for name, worth in worths.by_detector.items()}
    return Detection(request, arrival.stream, name, worths, alarm_rows, arrival.before_first_label)


def _detector_list(detectors: Any) -> Sequence[Any]:
    """List of detectors; an object that is no iterable is one detector."""
    if not isinstance(detectors, Iterable):
        return [detectors]
    listed = as_list(detectors, "detectors")
    if not listed:
        raise ConfigError("detectors: expected one or more, such as 'adwin', found none.")
    return listed


class Detection(Viewable):
    """Alarms of drift detectors and the effect of resets; see `streameval.detect`.

    Attributes
    ----------
    stream : Stream
        The instances with labels.
    learner : str
        Name of the learner.
    detectors : list of str
        Names of the detectors, each with its non-default parameters.
    runs : int
        Number of runs with gaps in random order; 0 for predictions, which resets do not change.
    before_first_label : int
        Number of instances before the first label. They are not scored.
    """

    def __init__(
        self,
        request: Request,
        stream: Stream,
        learner: str,
        worths: AlarmWorths,
        alarms: Mapping[str, Codes],
        before_first_label: int = 0,
    ) -> None:
        self.request, self.stream, self.learner = request, stream, learner
        self._worths, self._timeline = worths, request.timeline(stream)
        self._alarms = {name: self._timeline.take(rows) for name, rows in alarms.items()}
        labels = self._timeline.label_timeline(stream)
        self._label_times = {name: labels and labels.take(rows) for name, rows in alarms.items()}
        self.detectors, self.runs = [*worths.by_detector], worths.n_runs
        self.before_first_label = before_first_label

    @cached_property
    def alarms(self) -> dict[str, pd.Series[int]]:
        """Rows of the file or data frame at whose labels each detector signals a change.

        Rows are counted from 0; alarms are those of the first run. If instances have dates, they
        are the index of the series.

        A detector here reads errors of predictions made just before the label is learnt, by a model
        that is reset. `Result.signals` reads errors of predictions on arrival, by a model without
        resets, so it may differ. For predictions of another system both are the same.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.detect(se.load("markov_ozone"), "naive_bayes", "every:1000", runs=2)
        >>> result.alarms["every:n=1000"].tolist()
        [999, 1999]
        """
        return {name: alarms.rows for name, alarms in self._alarms.items()}

    def worth(self, detector: str) -> AlarmWorth:
        """Verdicts on the alarms of a detector.

        Parameters
        ----------
        detector : str
            One of `detectors`.

        Returns
        -------
        AlarmWorth
            ``over_shuffled`` (against the same gaps in random order), ``over_never`` (against no
            resets) and ``over_no_change``: each a verdict with difference, low, high, verdict,
            reason and signs; also ``alarms``, and ``rate``, the number of alarms per label learnt.
            The first two are None for predictions
            that do not learn.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> result.worth("ddm").over_shuffled.verdict
        'cannot be told from'
        """
        return self._worths.by_detector[select_name(detector, self.detectors, "detector")]

    def table(self) -> pd.DataFrame:
        """Accuracies and verdicts by detector, for the learner without resets, and for No-Change.

        Returns
        -------
        pandas.DataFrame
            By detector: alarms (their number), accuracy, kappa_temporal, shuffled (mean accuracy
            with the same gaps in random order); over_shuffled, over_never and over_no_change,
            differences of accuracies with their intervals (_low, _high) and verdicts (_verdict).
            shuffled, over_shuffled and over_never are missing for predictions that do not learn.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> result.table().index.tolist()
        ['ddm', 'never', 'no_change']
        """
        import pandas as pd

        table = pd.DataFrame(worth_rows(self._worths), columns=list(WORTH_COLUMNS)).set_index(
            "detector"
        )
        numeric = [name for name in table if not str(name).endswith("_verdict")]
        return table.astype(dict.fromkeys(numeric, np.float64) | {"alarms": np.int64})

    def _view(self) -> View:
        stream, has_resets = self.stream, self.runs > 0
        table = Table(COLUMNS if has_resets else _COLUMNS_WITHOUT_RESETS, worth_rows(self._worths))
        setting = (
            f"{self.learner} on {stream.name}, {len(stream):,} instances"
            f"{self.request.stream.date_range_text}"
            f"{', reset at the alarms of each detector' if has_resets else ''}."
        )
        missing_labels = (
            [Words([line])] if (line := missing_labels_line(self.request.stream)) else []
        )
        head = Words([setting, *filter(None, [first_label_line(self.before_first_label)])])
        worths = self._worths.by_detector
        sentences = [
            _sentence(worth, self.learner, self._alarm_places(name))
            for name, worth in worths.items()
        ]
        if not has_resets:
            # The predictions, and so this verdict, are the same for all detectors.
            verdict = next(iter(worths.values())).over_no_change.predicate("No-Change")
            sentences.append(f"{self.learner} {verdict}. It does not learn: resets have no effect.")

        def numbers() -> dict[str, Any]:
            rows = [{**row, **self._alarm_numbers(row["detector"])} for row in table.json_rows]
            return {
                "stream": stream.name,
                **stream_entry(stream),
                **unlabelled_counts(self.request.stream),
                "learner": self.learner,
                "runs": self.runs,
                "detectors": rows,
            }

        note = _NOTE if has_resets else _NOTE_WITHOUT_RESETS
        parts: list[Part] = [*missing_labels, head, table, sentence_part(sentences)]
        return View(parts, numbers, note, self.plot)

    def _alarm_numbers(self, detector: str) -> dict[str, list[Any]]:
        """Rows and dates of the alarms of a detector, for JSON."""
        if detector not in self._alarms:  # the rows for no resets and for No-Change
            return {"rows": []}
        alarms, labels = self._alarms[detector], self._label_times[detector]
        times = {} if alarms.time is None else {"times": alarms.iso_texts()}
        label_times = {} if labels is None else {"label_times": labels.iso_texts()}
        return {"rows": alarms.row.tolist(), **times, **label_times}

    def _alarm_places(self, detector: str) -> str:
        """Clause with rows and dates of the alarms: of up to three, else of the first and last."""
        alarms, labels = self._alarms[detector], self._label_times[detector]
        if not (n := len(alarms)):
            return ""
        listed = np.arange(n) if n <= _MAX_LISTED else np.array([0, n - 1])
        texts = [f"row {row}" for row in alarms.row[listed].tolist()]
        if dates := alarms.take(listed).date_texts():
            if labels is not None:
                label_dates = labels.take(listed).date_texts()
                dates = [
                    f"{date}, label {label_date}"
                    for date, label_date in zip(dates, label_dates, strict=True)
                ]
            texts = [f"{text} ({date})" for text, date in zip(texts, dates, strict=True)]
        if n > _MAX_LISTED:
            return f", first at {texts[0]}, last at {texts[1]}"
        return f", at {enumeration(texts)}"

    def plot(self, window: int | None = None, points: int = 400) -> Axes | Panels:
        """Plot the error rate over time, the alarms, and the effect of resets.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        window : int, optional
            Number of predictions in the sliding window of error rates; by default a fortieth of the
            stream, at most 1,000.
        points : int
            Largest number of positions of the window.

        Returns
        -------
        Panels
            Four axes of matplotlib; two for predictions that do not learn. Save the figure with
            ``.figure.savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> result.plot().figure.savefig("alarms.svg")
        """
        from streameval.drawing.results import draw_detector_results

        window = (
            _default_window(len(self.stream)) if window is None else check_integer(window, "window")
        )
        frames = self._frames(window, check_integer(points, "points"))
        return draw_detector_results(frames, self.stream.name, self.learner, self._timeline.begin)

    def _frames(self, window: int, points: int) -> dict[str, pd.DataFrame]:
        """Data frames to draw, with the columns of the item ``alarm_worth`` of the report.

        Instances have dates if the stream has them.
        """
        import pandas as pd

        curves = error_curves(self._worths, window, points)
        # `error_curves` counts instances from 1.
        ends = self._worths.runs.instances(self.learner)[curves.pop("instance") - 1]
        times = self._timeline.take(ends).columns()
        errors = [
            pd.DataFrame({**times, "name": name, "error": curve}) for name, curve in curves.items()
        ]
        alarms = [
            pd.DataFrame({**alarms.columns(), "detector": name})
            for name, alarms in self._alarms.items()
        ]
        return {
            "worth": self.table().reset_index(),
            "errors": pd.concat(errors, ignore_index=True),
            "alarms": pd.concat(alarms, ignore_index=True),
        }


def _difference_column(baseline: str) -> Column:
    key = "over_" + baseline.lower().replace("-", "_")
    keys = [key, f"{key}_low", f"{key}_high"]
    return Column(f"over {baseline}", keys, partial(CLASSIFICATION_TASK.interval, unit=False))


COLUMNS = (
    Column("", ["detector"], kind="name"),
    Column("alarms", ["alarms"], "{:,}".format),
    Column("accuracy", ["accuracy"], CLASSIFICATION_TASK.value_text),
    Column("κ_t", ["kappa_temporal"], partial(score, undefined="")),
    Column("shuffled", ["shuffled"], CLASSIFICATION_TASK.value_text),
    *map(_difference_column, ("shuffled", "never", "No-Change")),
)
_COLUMNS_WITHOUT_RESETS = tuple(
    column for column in COLUMNS if not {"shuffled", "over_shuffled", "over_never"} & {*column.keys}
)


def _sentence(worth: AlarmWorth, learner: str, alarm_places: str) -> str:
    if not worth.rate:  # no alarm in any run; `worth.alarms` are those of the first run
        return f"{worth.detector} signals nothing."
    times = "once" if len(worth.alarms) == 1 else f"{len(worth.alarms):,} times"
    signals = f"{worth.detector} signals {times}{alarm_places}."
    if worth.over_shuffled is None or worth.over_never is None:
        return signals
    return (
        f"{signals} Resets at its alarms "
        f"{worth.over_shuffled.predicate('the same gaps in random order', plural=True)}; they "
        f"{worth.over_never.predicate(f'{learner} without resets', plural=True)}, and "
        f"{worth.over_no_change.predicate('No-Change', plural=True)}."
    )


def _default_window(n: int) -> int:
    return max(min(_MAX_WINDOW, n // _WINDOWS_IN_STREAM), 1)
