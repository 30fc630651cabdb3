"""Rearrangements of a stream that remove one kind of structure and keep the others.

Žliobaitė, Bifet, Read, Pfahringer and Holmes, *Evaluation methods and decision theory for
classification of streaming data with temporal dependence*, Machine Learning 98, 2015,
compare original, shuffled and temporally dependent orders of the same instances. Time
stamps do not survive a rearrangement: variants have none.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, DataError
from streameval.seeds import generator
from streameval.streams.readers.events import NEVER
from streameval.streams.stream import Stream

#: The variant that changes nothing.
ORIGINAL = "original"
#: The variants, and how many numbers stand behind each: a seed, and a size.
NUMBERS = {ORIGINAL: 0, "shuffled": 1, "temporal": 1, "blocks": 2}
_KINDS_IN_STEM = r"\.(shuffled|temporal|blocks)\."


def shuffled(stream: Stream, seed: int) -> Stream:
    """Return the instances in random order: neither dependence nor drift.

    Parameters
    ----------
    stream : Stream
        Any stream.
    seed : int
        Which permutation.
    """
    rng = generator("variant", "shuffled", stream.name, seed)
    return _rearranged(stream, rng.permutation(len(stream)), f"shuffled:{seed}")


def temporal(stream: Stream, seed: int) -> Stream:
    """Return the same labels in the same order over permuted instances of each class.

    Dependence between labels stays, change of the inputs given the class goes.

    Parameters
    ----------
    stream : Stream
        A classification stream.
    seed : int
        Which permutations.

    Raises
    ------
    DataError
        If the target is numeric.
    """
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r} has a numeric target; the variant 'temporal' permutes "
            "within classes. Use 'shuffled' or 'blocks'."
        )
    rng = generator("variant", "temporal", stream.name, seed)
    rows = np.empty(len(stream), dtype=np.intp)
    for code in range(stream.n_classes):
        members = np.flatnonzero(stream.y == code)
        rows[members] = rng.permutation(members)
    return _rearranged(stream, rows, f"temporal:{seed}")


def blocks(stream: Stream, seed: int, size: int) -> Stream:
    """Return blocks of consecutive instances in random order; order is kept inside a block.

    Parameters
    ----------
    stream : Stream
        Any stream.
    seed : int
        Which permutation.
    size : int
        Instances per block; what is left over makes a shorter last block, which is moved
        like the others.

    Raises
    ------
    ConfigError
        If `size` is not positive.
    """
    _check_size(size)
    rng = generator("variant", "blocks", stream.name, seed, size)
    starts = np.arange(0, len(stream), size)
    rows = [np.arange(a, min(a + size, len(stream))) for a in rng.permutation(starts)]
    return _rearranged(stream, np.concatenate(rows), f"blocks:{seed}:{size}")


def _check_size(size: int) -> None:
    if size < 1:
        raise ConfigError(f"Variant 'blocks': expected a block size of 1 or more, found {size}.")


def _rearranged(stream: Stream, rows: NDArray[np.intp], suffix: str) -> Stream:
    if stream.label_time is not None and (stream.label_time == NEVER).any():
        raise DataError(
            f"Stream {stream.name!r} has labels that never arrive; a variant has no time stamps "
            "to say so. Take the labelled rows first."
        )
    result = stream.take(rows, f"{stream.name}:{suffix}")
    return replace(result, time=None, label_time=None, _digest=[])


def split_name(text: str) -> tuple[str, str]:
    """Split ``"elec2:shuffled:1"`` into stream ``"elec2"`` and variant ``"shuffled:1"``.

    A name without variant has the variant ``"original"``.
    """
    name, _, text = text.partition(":")
    return name, text or ORIGINAL


def file_stem(name: str) -> str:
    """Return what stands for a stream or variant in the names of files.

    A colon may not be in them on every system: ``"elec2:shuffled:1"`` is ``"elec2.shuffled.1"``.
    """
    return name.replace(":", ".")


def name_of_stem(stem: str) -> str:
    """Return the name that `file_stem` made a stem of."""
    name, dot, numbers = re.sub(_KINDS_IN_STEM, r":\1:", stem).rpartition(":")
    return f"{name}{dot}{numbers.replace('.', ':')}" if dot else stem


def check_variant(name: str, text: str) -> tuple[str, list[int]]:
    """Return the kind and the numbers of a variant.

    Parameters
    ----------
    name : str
        The stream's, for the message.
    text : str
        See `variant`.

    Raises
    ------
    ConfigError
        If it is no variant.
    """
    kind, *words = text.split(":")
    numbers = [int(word) for word in words if word.isdecimal() and word.isascii()]
    if len(numbers) != len(words) or len(words) != NUMBERS.get(kind):
        raise ConfigError(
            f"Variant {text!r} of stream {name!r}: expected original, shuffled:<seed>, "
            "temporal:<seed> or blocks:<seed>:<size>."
        )
    if kind == "blocks":
        _check_size(numbers[1])
    return kind, numbers


def variant(stream: Stream, text: str) -> Stream:
    """Return the variant that a text names.

    Parameters
    ----------
    stream : Stream
        The original.
    text : str
        ``"original"``, ``"shuffled:<seed>"``, ``"temporal:<seed>"`` or
        ``"blocks:<seed>:<size>"``.

    Raises
    ------
    ConfigError
        If it is none of these.
    """
    kind, numbers = check_variant(stream.name, text)
    if kind == "shuffled":
        return shuffled(stream, *numbers)
    if kind == "temporal":
        return temporal(stream, *numbers)
    return blocks(stream, *numbers) if kind == "blocks" else stream
