"""Temporally Augmented streams: the last labels as further inputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from streameval.errors import ConfigError, DataError
from streameval.streams.stream import Attribute, Stream


def temporally_augmented(stream: Stream, lags: int = 1) -> Stream:
    """Put the labels of the instances before in front of an instance's inputs.

    Any learner that plays the result is the Temporally Augmented classifier of that
    learner: neither needs to know of the other. Right for prequential tapes, on which every
    label is known before the next instance is predicted.

    Parameters
    ----------
    stream : Stream
        A stream with classes, in the order in which its labels arrive.
    lags : int
        How many labels, ℓ of the paper.

    Returns
    -------
    Stream
        The same instances with `lags` nominal attributes in front, the oldest label first.
        Before the first label they hold class 0, as MOA's do.

    Raises
    ------
    ConfigError
        If `lags` is less than one.
    DataError
        If the target is numeric.

    References
    ----------
    Žliobaitė et al. (2015), Section 3.2, Equation 4; Bifet et al. (2013), Section 5 (SWT).
    """
    if lags < 1:
        raise ConfigError(f"temporally_augmented: expected at least one lag, found {lags}.")
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r}: temporally_augmented needs class labels, the target "
            f"{stream.schema.target!r} is numeric."
        )
    n, m = stream.X.shape
    X = np.empty((n, lags + m))
    X[:, lags:] = stream.X
    for place in range(lags):
        lag = lags - place
        X[:lag, place] = 0.0
        X[lag:, place] = stream.y[: max(n - lag, 0)]
    names = [f"{stream.schema.target}[t-{lags - place}]" for place in range(lags)]
    labels = tuple(Attribute(name, stream.schema.classes) for name in names)
    schema = replace(stream.schema, attributes=labels + stream.schema.attributes)
    return replace(
        stream, X=X, schema=schema, name=f"{stream.name}:temporally_augmented:{lags}", _digest=[]
    )
