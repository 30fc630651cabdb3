"""Random generators that depend only on the task, not on machine or schedule."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(*key: str | int) -> np.random.Generator:
    """Random generator for a task whose key is made of study, stream, learner, run, fold and so on.

    Equal keys give equal draws on any machine; different keys give independent draws. PCG64 is
    seeded through `numpy.random.SeedSequence` with the SHA-256 of the key.
    """
    # The separator and the types keep keys such as ("a", "1") and ("a", 1) apart.
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in key)
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest, "big")))
