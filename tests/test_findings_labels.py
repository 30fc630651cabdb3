"""The numbers of docs/findings.md about the labels of the real streams."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.findings import number, said
from scipy.stats import fisher_exact

from streameval.base.settings import ROOT
from streameval.evaluation.run import run_learners
from streameval.learners.registry import load_learners
from streameval.measures.fading import algorithm_1
from streameval.measures.moa import moa_evaluate
from streameval.protocols.registry import parse
from streameval.significance.label_order import TEST


def _repeats(labels: np.ndarray) -> float:
    return float(np.mean(labels[1:] == labels[:-1]))


def test_the_head_of_kdd99(real_stream):
    head, whole = (np.asarray(real_stream(name).y) for name in ("kdd99_head", "kdd99"))
    assert said(f"The first {len(head):,} rows of the 10 % file give all eight cells,")
    counts = np.bincount(head)
    largest = np.argsort(-counts, kind="stable")[:3]
    after = [np.mean(head[1:][head[:-1] == label] == label) for label in largest]
    shares = counts[largest] / len(head)
    assert said(f"| proportion | {' | '.join(f'{share:.4f}' for share in shares)} |")
    assert said(f"| proportion after the same class | {' | '.join(f'{p:.4f}' for p in after)} |")
    assert said(f"The accuracy of No-Change there is {_repeats(head):.4f}.")
    first, second, third = np.sort(np.bincount(whole) / len(whole))[::-1][:3]
    assert said(f"The whole 10 % file has proportions {first:.3f}, {second:.3f} and {third:.3f}.")
    sizes = np.arange(1, len(whole) + 1)
    three = np.argsort(-np.bincount(whole))[:3]
    shares = np.stack([np.cumsum(whole == label) / sizes for label in three])
    agree = (np.round(np.sort(shares, axis=0)[::-1], 2) == [[0.60], [0.18], [0.17]]).all(axis=0)
    found = sizes[agree]
    assert (np.diff(found) == 1).all()
    assert len(head) in found
    assert said(
        f"The {len(found)} prefixes from {found[0]:,} to {found[-1]:,} rows round to the three "
        f"published proportions, and {len(head):,} is among them."
    )
    ozone, prices = (np.asarray(real_stream(name).y) for name in ("ozone", "elec2"))
    cells = [f"{one:.4f}" for one in (*after, _repeats(head))]
    assert said(
        f"The values are {cells[0]}, {cells[1]}, {cells[2]} and {cells[3]} in the head of KDD99, "
        f"and {_repeats(ozone):.4f} on ozone."
    )
    share = np.bincount(prices).max() / len(prices)
    assert said(f"of the same table are rounded ({share:.4f} is printed as {share:.2f}).")


def test_sections_of_100_labels(real_stream):
    labels = np.asarray(real_stream("kdd99").y)
    changes = np.concatenate([[0], np.cumsum(labels[1:] != labels[:-1])])
    alone = np.mean(changes[99:] == changes[: len(changes) - 99])
    assert said(f"{100 * alone:.0f} % of all sections of 100 labels of KDD99 have one class only")


@pytest.mark.parametrize("n", [100])
def test_the_first_labels(real_stream, n):
    for name in ("kdd99", "ozone"):
        assert len(set(np.asarray(real_stream(name).y)[:n])) == 1
    assert said(f"and so do the first {n} labels of KDD99 and of ozone.")


def test_ozone_without_incomplete_rows(real_stream):
    stream = real_stream("ozone")
    labels = np.asarray(stream.y)[~np.isnan(np.asarray(stream.X)).any(axis=1)]
    is_rare = labels == np.bincount(labels).argmin()
    stays = np.mean(is_rare[1:][is_rare[:-1]])
    assert said(f"The file without incomplete rows ({len(labels):,} days) would give {stays:.2f}.")
    assert said(f"Naive Bayes treats {stream.X.shape[1]} redundant attributes as independent.")


def test_the_order_of_ozone_days(real_stream):
    labels = np.asarray(real_stream("ozone").y)
    rare = np.bincount(labels).argmin()
    is_rare = labels == rare
    before, now = is_rare[:-1], is_rare[1:]
    table = [[np.sum((before == a) & (now == b)) for b in (True, False)] for a in (True, False)]
    odds, p_value = fisher_exact(table)
    tested = TEST(labels.astype(np.int32))
    assert said(
        f"The odds of an ozone day are {odds:.1f} times as high after an ozone day "
        f"(p = {p_value:.3f}, Fisher's exact test; {tested.p_value:.3f} by the two-sided exact "
        "runs test)."
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


def test_algorithm_1_on_kdd99(real_stream):
    stream = real_stream("kdd99")
    true = np.asarray(stream.y)
    repeated = np.concatenate([[0], true[:-1]])
    smoothing = 0.00001
    found = algorithm_1(
        true, repeated, len(stream.schema.classes), smoothing=smoothing, at=[len(true)]
    )
    assert said(
        f"with the paper's λ = {smoothing:.5f}, it estimates {found.p_persistent[0]:.3f} for the "
        f"accuracy of No-Change instead of {_repeats(true):.3f}."
    )
    largest = np.argsort(-np.bincount(true))[:3]
    stays = [np.mean(true[1:][true[:-1] == label] == label) for label in largest]
    assert said(f"P(i|i) is at least {min(stays):.4f} for the three large classes.")
    names = [stream.schema.classes[label].rstrip(".") for label in largest]
    estimates = [f"{found.persistence[0, label]:.2f}" for label in largest]
    assert names == ["smurf", "neptune", "normal"]
    assert said(
        f"After {len(true):,} instances its estimate is {estimates[0]} for smurf, {estimates[1]} "
        f"for neptune and {estimates[2]} for normal."
    )
    assert said(f"κ_per of No-Change itself is {found.kappa_temporal[0]:.2f}.")


def test_the_public_files_of_table_3(real_stream):
    assert len(real_stream("elec2").schema.attributes) == 8
    assert said("The public file of Elec2 has eight attributes (`elec2`; the five are")
    assert said(f"KDD99 has {len(real_stream('kdd99').y):,} rows at UCI.")


def test_majority_against_moas_majority(real_stream):
    stream = real_stream("elec2")
    majority = load_learners(ROOT / "config" / "learners.yaml")["majority"].make()
    table, _ = run_learners(stream, parse("prequential"), {"majority": majority})
    kappa_m = moa_evaluate(
        table.true, table.predicted["majority"], 2, "basic", at=[len(table.true)]
    ).kappa_m
    assert said(
        f"so the Majority learner itself scores below 0 ({number(100 * kappa_m[0], 3)} % on elec2)."
    )
