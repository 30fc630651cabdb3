"""Accuracy due to the order of the instances: beyond the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from streameval.errors import ConfigError
from streameval.items.dependence.settings import ORDER, ORDER_SHARES, OrderSettings
from streameval.items.inputs import StreamInput, silent
from streameval.learners.learner import Learner
from streameval.protocols.prequential import prequential
from streameval.significance.intervals import mean_interval
from streameval.streams.stream import Stream
from streameval.streams.variants import variant


def study(given: StreamInput[OrderSettings]) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure: ``order`` and ``shares``; see `order_study`."""
    sizes, seeds = given.settings.sizes, given.settings.seeds
    found = order_study(given.labelled_stream, given.learners(), sizes, seeds, given.announce)
    return {"order": found, "shares": order_shares(found)}


def order_study(
    stream: Stream,
    learners: Mapping[str, Learner],
    sizes: Sequence[int],
    seeds: Sequence[int],
    announce: Callable[[str], object] = silent,
) -> pd.DataFrame:
    """Return the accuracies of learners on a stream and on permutations of it.

    Parameters
    ----------
    stream : Stream
        The stream; every instance is predicted, then learnt.
    learners : mapping of str to Learner
        By id.
    sizes : sequence of int
        Sizes of blocks inside which instances keep their order.
    seeds : sequence of int
        Each gives a permutation of its own, and the learners' own random draws; at least two, or
        there is no interval.
    announce : callable, optional
        Called with a text whenever a variant is finished.

    Returns
    -------
    pandas.DataFrame
        Columns learner, variant (original, blocks, temporal, shuffled), size (of the blocks, NaN
        for the other variants), seed, accuracy.

    Raises
    ------
    ConfigError
        If there are fewer than two seeds.
    """
    if len(seeds) < 2:
        raise ConfigError(f"The study of order needs at least two seeds, found {len(seeds)}.")
    tape = prequential(len(stream))
    wanted: list[tuple[str, float, int, str]] = []
    for seed in seeds:
        wanted.append(("original", np.nan, seed, "original"))
        wanted += [("blocks", size, seed, f"blocks:{seed}:{size}") for size in sizes]
        wanted += [(kind, np.nan, seed, f"{kind}:{seed}") for kind in ("temporal", "shuffled")]
    rows = []
    for kind, size, seed, text in wanted:
        played = variant(stream, text)
        for name, learner in learners.items():
            labels = learner.play(played, tape, seed).label
            rows.append((name, kind, size, seed, float(np.mean(labels == played.y))))
        announce(f"{text}, seed {seed}")
    return pd.DataFrame(rows, columns=list(ORDER))


def order_shares(accuracies: pd.DataFrame) -> pd.DataFrame:
    """Return the gain in accuracy of each learner from each kind of order.

    Parameters
    ----------
    accuracies : pandas.DataFrame
        Those of `order_study`.

    Returns
    -------
    pandas.DataFrame
        Columns learner, part, size, mean, low, high, seeds. Parts, in accuracy:

        - ``all``: original - shuffled, what order brings altogether;
        - ``labels``: temporal - shuffled, what is left of it if labels keep their order and
          instances are drawn from the whole of their class;
        - ``beyond``: original - blocks of `size`, what spans more than a block;
        - ``within``: blocks of `size` - shuffled, what is found inside blocks.

        `low` and `high` are the interval of the mean over the seeds, see `mean_interval`: over
        permutations and the learners' own draws.
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
    return pd.DataFrame(rows, columns=list(ORDER_SHARES))


def _by_seed(accuracies: pd.DataFrame, variant: str) -> pd.Series:
    return accuracies[accuracies["variant"] == variant].set_index("seed")["accuracy"]
