"""The predictions of each learner of the registry, as digests in a file of `approved`."""

from __future__ import annotations

import hashlib

import pytest

import streameval as se
from streameval.base.settings import ROOT
from streameval.learners.registry import load_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION


def digest(stream: se.Stream, learner: str, **options: int) -> str:
    """The beginning of the SHA-256 of predictions, with twelve digits of each number."""
    predictions = se.evaluate(stream, [learner], **options).predictions
    text = predictions.to_csv(index=False, float_format="%.12g")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.long("each learner runs once, and is compiled before if no kernels are kept")
def test_predictions_are_those_that_are_approved(approved):
    classes = se.generate("led", 800)
    demand = ROOT / "examples" / "demand.csv"
    numbers = se.read(demand, "count", drop=["time"], numeric_target=True)
    streams = {CLASSIFICATION: classes, REGRESSION: numbers}
    lines = [
        f"{name:<32} {digest(stream, name)}"
        for task, stream in streams.items()
        for name, spec in load_learners(ROOT / "config" / "learners.yaml").items()
        if task in spec.tasks
    ]
    pretrained = digest(classes, "naive_bayes", pretrain=400)
    lines.append(f"{'naive_bayes, pretrained':<32} {pretrained}")
    approved("predictions.txt", "\n".join([*lines, ""]))
