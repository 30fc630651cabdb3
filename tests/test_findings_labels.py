"""The numbers of docs/findings.md about the labels of the real streams."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.findings import said
from scipy.stats import fisher_exact

pytestmark = pytest.mark.realdata


def _repeats(labels: np.ndarray) -> float:
    return float(np.mean(labels[1:] == labels[:-1]))


def test_the_head_of_kdd99(real_stream):
    head, whole = (np.asarray(real_stream(name).y) for name in ("kdd99_head", "kdd99"))
    assert len(head) == 65_536
    counts = np.bincount(head)
    largest = np.argsort(-counts, kind="stable")[:3]
    after = [np.mean(head[1:][head[:-1] == label] == label) for label in largest]
    shares = counts[largest] / len(head)
    assert said(f"| proportion | {' | '.join(f'{share:.4f}' for share in shares)} |")
    assert said(f"| proportion after the same class | {' | '.join(f'{p:.4f}' for p in after)} |")
    assert said(f"The accuracy of No-Change there is {_repeats(head):.4f}.")
    first, second, third = np.sort(np.bincount(whole) / len(whole))[::-1][:3]
    assert said(f"has proportions {first:.3f}, {second:.3f} and {third:.3f}.")
    sizes = np.arange(1, len(whole) + 1)
    three = np.argsort(-np.bincount(whole))[:3]
    shares = np.stack([np.cumsum(whole == label) / sizes for label in three])
    agree = (np.round(np.sort(shares, axis=0)[::-1], 2) == [[0.60], [0.18], [0.17]]).all(axis=0)
    found = sizes[agree]
    assert (np.diff(found) == 1).all()
    assert said(f"The {len(found)} prefixes from {found[0]:,} to {found[-1]:,} rows round to")


def test_sections_of_100_labels(real_stream):
    labels = np.asarray(real_stream("kdd99").y)
    changes = np.concatenate([[0], np.cumsum(labels[1:] != labels[:-1])])
    alone = np.mean(changes[99:] == changes[: len(changes) - 99])
    assert said(f"{100 * alone:.0f} % of all sections of 100 labels of KDD99 have one class only")
    ozone = np.asarray(real_stream("ozone").y)
    assert len(set(labels[:100])) == len(set(ozone[:100])) == 1


def test_the_order_of_ozone_days(real_stream):
    labels = np.asarray(real_stream("ozone").y)
    rare = np.bincount(labels).argmin()
    is_rare = labels == rare
    before, now = is_rare[:-1], is_rare[1:]
    table = [[np.sum((before == a) & (now == b)) for b in (True, False)] for a in (True, False)]
    odds, p_value = fisher_exact(table)
    assert said(
        f"The odds of an ozone day are {odds:.1f} times as high after an ozone day "
        f"(p = {p_value:.3f}, Fisher's exact test;"
    )
    stays = np.mean(~now[~before])
    assert said(f"P(M|M) = {stays:.4f} exceeds P(M) = {np.mean(~is_rare):.4f}.")
    chance = np.mean(is_rare) ** 2 + np.mean(~is_rare) ** 2
    assert said(
        f"Independent labels would repeat with probability {chance:.3f}; in the stream "
        f"{_repeats(labels):.3f} repeat."
    )
    assert said(f"P(c₂|c₂) = 0.11. - **Here.** It is {np.sum(before & now)}/{np.sum(is_rare)}")
    assert said(f"Only {np.sum(is_rare)} of {len(labels):,} days are ozone days.")


def test_when_vicprice_changes(real_stream):
    stream = real_stream("elec2")
    names = [attribute.name for attribute in stream.schema.attributes]
    price = np.asarray(stream.X)[:, names.index("vicprice")]
    constant = np.argmax(price != price[0]) / len(price)
    peak = np.max(np.abs(price - price.mean())) / price.std()
    assert said(
        f"it is constant for the first {100 * constant:.0f} % of the stream and then has peaks of "
        f"{peak:.0f} standard deviations"
    )
