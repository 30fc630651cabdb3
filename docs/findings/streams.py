"""Compute values from the labels of the bundled streams."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact

import streameval as se
from findings.groups import FROM_FILES, Values
from findings.text import join_numbers, number, percent, texts
from streameval.base.settings import ROOT
from streameval.evaluation.run import run_learners
from streameval.learners.registry import load_learners
from streameval.measures.fading import smoothed_kappas
from streameval.measures.moa import moa_evaluate
from streameval.protocols.registry import parse
from streameval.streams.stream import Stream

_PUBLISHED = ROOT / "resources" / "published"
#: Length of the small sample of Žliobaitė et al. (2015), Section 7, and its smoothing weight.
_SAMPLE, _SMOOTHING = 100, 0.00001


@cache
def stream_of(name: str) -> Stream:
    """Bundled stream."""
    return se.load(name)


def labels_of(name: str) -> np.ndarray:
    """Labels of a bundled stream."""
    return np.asarray(stream_of(name).y)


def repeated_fraction(labels: np.ndarray) -> float:
    """Proportion of labels that equal the previous one: the accuracy of No-Change."""
    return float(np.mean(labels[1:] == labels[:-1]))


def _by_frequency(labels: np.ndarray) -> np.ndarray:
    return np.argsort(-np.bincount(labels), kind="stable")


def _repeat_rates(labels: np.ndarray, classes: np.ndarray) -> list[float]:
    return [float(np.mean(labels[1:][labels[:-1] == k] == k)) for k in classes]


@FROM_FILES.add
def kdd99_head() -> Values:
    """Proportions in the head of KDD99 and in the whole file."""
    head, whole = labels_of("kdd99_head"), labels_of("kdd99")
    classes, sizes = _by_frequency(whole)[:3], np.arange(1, len(whole) + 1)
    printed = pd.read_csv(_PUBLISHED / "bifet2013" / "table2.csv")
    is_share = printed["stream"].eq("kdd99") & printed["measure"].str.fullmatch(r"P\(c\d\)")
    printed = np.sort(printed.loc[is_share, "value"])[::-1]
    shares = np.stack([np.cumsum(whole == k) / sizes for k in classes])
    agree = (np.round(np.sort(shares, axis=0)[::-1], 2) == printed[:3, None]).all(axis=0)
    lengths = sizes[agree]
    assert (np.diff(lengths) == 1).all()
    assert len(head) in lengths
    rates = _repeat_rates(head, _by_frequency(head)[:3])
    return texts(
        rows=len(head),
        head=join_numbers(np.sort(np.bincount(head) / len(head))[::-1][:3], 4),
        whole=join_numbers(np.sort(np.bincount(whole) / len(whole))[::-1][:3], 3),
        first=lengths[0],
        last=lengths[-1],
        repeats=join_numbers(rates, 4),
        no_change=number(repeated_fraction(head), 4),
    )


@FROM_FILES.add
def kdd99() -> Values:
    """Labels of KDD99, and what Algorithm 1 estimates of them."""
    stream, labels = stream_of("kdd99"), labels_of("kdd99")
    windows = np.lib.stride_tricks.sliding_window_view(np.diff(labels) != 0, _SAMPLE - 1)
    assert len({*labels[:_SAMPLE]}) == len({*labels_of("ozone")[:_SAMPLE]}) == 1
    classes = _by_frequency(labels)[:3]
    estimates = smoothed_kappas(
        labels,
        np.concatenate([[0], labels[:-1]]),
        len(stream.schema.classes),
        smoothing=_SMOOTHING,
        positions=[len(labels)],
    )
    rates = _repeat_rates(labels, classes)
    assert [stream.schema.classes[k].rstrip(".") for k in classes][-1] == "normal"
    assert estimates.persistence[0, classes].max() < min(rates)
    return texts(
        rows=len(labels),
        sample=_SAMPLE,
        alone=percent((~windows.any(axis=1)).mean(), 0),
        no_change=number(repeated_fraction(labels), 3),
        smoothing=f"{_SMOOTHING:.5f}",
        p_persistent=number(estimates.p_persistent[0], 3),
        least_repeats=number(min(rates), 4),
        persistence_of_normal=number(estimates.persistence[0, classes[-1]], 2),
        kappa_per=number(estimates.kappa_temporal[0], 2),
    )


@FROM_FILES.add
def ozone() -> Values:
    """Order of ozone days."""
    stream, labels = stream_of("ozone"), labels_of("ozone")
    is_rare = labels == np.bincount(labels).argmin()
    before, now = is_rare[:-1], is_rare[1:]
    table = [[np.sum((before == a) & (now == b)) for b in (True, False)] for a in (True, False)]
    odds, p_value = fisher_exact(table)
    stays, majority = np.mean(~now[~before]), np.mean(~is_rare)
    assert stays > majority
    return texts(
        odds=number(odds),
        p_value=number(p_value, 3),
        stays=number(stays, 4),
        majority=number(majority, 4),
        no_change=number(repeated_fraction(labels), 4),
        inputs=stream.schema.n_attributes,
    )


@FROM_FILES.add
def elec2() -> Values:
    """Labels of electricity, and the Majority learner beside MOA's."""
    stream, labels = stream_of("elec2"), labels_of("elec2")
    majority = load_learners(ROOT / "config" / "learners.yaml")["majority"].make()
    table, _ = run_learners(stream, parse("prequential"), {"majority": majority})
    true, predicted = table.true, table.predicted["majority"]
    of_moa = moa_evaluate(true, predicted, 2, "basic", positions=[len(true)]).kappa_m[0]
    assert of_moa < 0
    assert stream_of("elec2_mlj").schema.n_attributes == 5
    share = np.bincount(labels).max() / len(labels)
    return texts(
        attributes=stream.schema.n_attributes,
        share=number(share, 4),
        share_rounded=number(share, 2),
        kappa_m_of_moa=percent(of_moa, 3),
    )
