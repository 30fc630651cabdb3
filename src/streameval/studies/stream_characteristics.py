"""Size and temporal dependence of streams (Žliobaitė et al. 2015, Table 3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.items.given import Given, OfItem, over_streams
from streameval.streams.stream import Stream


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table for several streams; see `stream_characteristics`."""
    return over_streams(
        given, lambda one: stream_characteristics(one.labelled_stream), item.columns
    )


def stream_characteristics(stream: Stream) -> pd.DataFrame:
    """Return a stream's row of Table 3.

    Returns
    -------
    pandas.DataFrame
        Columns instances, attributes, classes (declared ones), P(M), P(T). P(M) is the proportion
        of the most frequent class. P(T) is the proportion of labels that equal the previous label,
        Σ P(i, i) of Proposition 7, among the n - 1 labels with a previous one.
    """
    labels = stream.y
    row = {
        "instances": len(stream),
        "attributes": stream.X.shape[1],
        "classes": stream.n_classes,
        "P(M)": np.bincount(labels).max() / len(labels),
        "P(T)": float(np.mean(labels[1:] == labels[:-1])) if len(labels) > 1 else float("nan"),
    }
    return pd.DataFrame([row])
