"""Accuracy due to the order of the instances."""

from __future__ import annotations

import numpy as np
import pandas as pd

from instance_order import ORDER, ORDER_GAINS, OrderSettings
from streameval.items.inputs import StreamInput
from streameval.protocols.prequential import prequential
from streameval.significance.intervals import mean_interval
from streameval.streams.variants import variant


def study(stream_input: StreamInput[OrderSettings]) -> dict[str, pd.DataFrame]:
    """The accuracies of learners on a stream and on permutations of it.

    A seed determines a permutation and the random numbers of the learners.
    """
    stream, settings = stream_input.labelled_stream, stream_input.settings
    tape = prequential(len(stream))
    # (kind, block size, seed, notation) of each variant of the stream
    variants: list[tuple[str, float, int, str]] = []
    for seed in settings.seeds:
        variants.append(("original", np.nan, seed, "original"))
        variants += [("blocks", size, seed, f"blocks:{seed}:{size}") for size in settings.sizes]
        variants += [(kind, np.nan, seed, f"{kind}:{seed}") for kind in ("temporal", "shuffled")]
    learners, rows = stream_input.learners(), []
    for kind, size, seed, notation in variants:
        permuted = variant(stream, notation)
        for name, learner in learners.items():
            labels = learner.run(permuted, tape, seed).label
            rows.append((name, kind, size, seed, float(np.mean(labels == permuted.y))))
        stream_input.announce(f"{notation}, seed {seed}")
    table = pd.DataFrame(rows, columns=list(ORDER))
    return {"order": table, "shares": order_gains(table)}


def order_gains(accuracies: pd.DataFrame) -> pd.DataFrame:
    """The gain in accuracy of each learner from each part of the order.

    Intervals are over seeds. The gains are differences in accuracy between variants of the stream:

    - ``all``: original minus shuffled;
    - ``labels``: temporal minus shuffled. In the temporal variant labels keep their order, and
      inputs are exchanged within classes;
    - ``beyond``: original minus blocks, the gain from order over longer distances than a block;
    - ``within``: blocks minus shuffled, the gain from order inside blocks.
    """
    rows = []
    for learner, part in accuracies.groupby("learner", sort=False):
        original, shuffled = _by_seed(part, "original"), _by_seed(part, "shuffled")
        differences = {
            ("all", np.nan): original - shuffled,
            ("labels", np.nan): _by_seed(part, "temporal") - shuffled,
        }
        for size in sorted(part["size"].dropna().unique().tolist()):
            blocks = _by_seed(part[part["size"] == size], "blocks")
            differences["beyond", size] = original - blocks
            differences["within", size] = blocks - shuffled
        for (name, size), values in differences.items():
            rows.append((learner, name, size, *mean_interval(values), len(values)))
    return pd.DataFrame(rows, columns=list(ORDER_GAINS))


def _by_seed(accuracies: pd.DataFrame, variant: str) -> pd.Series:
    return accuracies[accuracies["variant"] == variant].set_index("seed")["accuracy"]
