"""MOA's evaluators give MOA's numbers, including their defects."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import measures as naive
from naive.detectors import uniforms
from test_measures import labels

from streameval.base.errors import ConfigError, DataError
from streameval.measures.moa import moa_basic_values, moa_evaluate


def golden_labels():
    """3,000 labels of three classes; the answers are right in 90, 50, 80 % of each thousand."""
    u = uniforms(11)
    true, predicted, last = [], [], 0
    for t in range(3000):
        if next(u) < 0.5:
            last = int(next(u) * next(u) * 3)
        true.append(last)
        right = (0.9, 0.5, 0.8)[t // 1000]
        predicted.append(last if next(u) < right else int(next(u) * 3))
    return true, predicted


AT = [7, 400, 1100, 2050, 3000]
# The evaluator classes of MOA 2024.07 (the jar of capymoa 0.15.1), fed with `golden_labels`
# through addResult: accuracy, kappa, kappa temporal, kappa M in percent at each of AT.
GOLDEN = {
    ("basic", None): [
        (100.0, 100.0, 100.0, 100.0),
        (96.5, 92.13670893185615, 85.56701030927833, 88.4297520661157),
        (92.36363636363636, 83.72657833697606, 65.43209876543207, 73.66771159874607),
        (82.82926829268293, 65.47097475591386, 19.817767653758512, 38.56893542757416),
        (83.93333333333334, 67.60673591716287, 26.29969418960246, 43.22732626619554),
    ],
    ("window", 250): [
        (100.0, 100.0, 100.0, 100.0),
        (96.39999999999999, 91.91287470347207, 84.48275862068964, 88.31168831168831),
        (81.2, 61.48803670927566, 7.843137254901969, 18.965517241379327),
        (75.2, 49.82682161007347, -24.00000000000003, -1.6393442622950833),
        (86.4, 72.1976907729042, 39.28571428571427, 50.72463768115942),
    ],
    ("fading", 0.995): [
        (100.0, 100.0, 100.0, 100.0),
        (96.39094503537972, 91.72400442160263, 84.20661353658365, 87.73539593945557),
        (81.15029321223207, 61.954636087473204, 6.578886292459342, 22.818445916319856),
        (75.10034201022748, 52.65475332319481, -21.59019536242074, 12.60045191472296),
        (86.3098075536398, 72.73013541965707, 42.154053133753614, 53.41307366086714),
    ],
    ("ewma", 0.02): [
        (13.187446675328001, 12.303223119474058, 2.207889630966908, 4.362552175695682),
        (96.57795254581362, 92.1220602542016, 84.96263397738676, 88.50266821938617),
        (62.16644349424043, 33.25910618067487, -88.08194567708483, -99.0469125122429),
        (84.53598515572067, 69.67780772429744, 8.95946636448722, 53.12613119445609),
        (85.87375879974226, 74.13218117118552, 53.49151267691256, 60.774903833045904),
    ],
    ("adwin", None): [
        (100.0, 100.0, 100.0, 100.0),
        (96.5, 92.13670893185615, 85.56701030927833, 88.4297520661157),
        (82.46268656716418, 62.627225480706414, 20.612984460413987, 39.526505404014415),
        (72.87694974003466, 46.84738144096902, -26.656612831273257, 2.9629091920960797),
        (83.77483443708608, 67.70213068482592, 25.57263503250498, 42.66725949500385),
    ],
}


@pytest.mark.parametrize(("evaluator", "parameter"), GOLDEN)
def test_goldens(evaluator, parameter):
    true, predicted = golden_labels()
    result = moa_evaluate(true, predicted, 3, evaluator, parameter, positions=AT)
    expected = np.array(GOLDEN[evaluator, parameter])
    np.testing.assert_allclose(100 * np.stack(result, axis=1), expected, rtol=1e-12)


@settings(max_examples=12)
@given(
    labels(),
    st.sampled_from(
        [("basic", 0.0), ("window", 9.0), ("fading", 0.9), ("ewma", 0.1), ("adwin", 0.9)]
    ),
)
def test_equals_its_naive_twin(case, evaluator):
    k, true, predicted, _, _ = case
    at = sorted({1, len(true) // 2 + 1, len(true)} & set(range(1, len(true) + 1)))
    result = moa_evaluate(true, predicted, k, *evaluator, positions=at)
    for s, t in enumerate(at):
        expected = naive.moa_evaluate(true[:t], predicted[:t], k, *evaluator)
        for first, second in zip(result, expected, strict=True):
            assert first[s] == pytest.approx(second, rel=1e-9, abs=1e-9, nan_ok=True)


@given(labels(), st.integers(0, 3))
def test_several_predictions_of_the_same_labels(case, several):
    k, true, predicted, no_change, majority = case
    rows = [predicted, no_change, majority][:several]
    result = moa_basic_values(true, np.reshape(rows, (several, len(true))).astype(int), k)
    for row, values in zip(rows, zip(*result, strict=True), strict=True):
        found_here = [float(value) for value in values]
        if min(row) >= 0:
            expected = [
                float(each[0]) for each in moa_evaluate(true, row, k, positions=[len(true)])
            ]
            assert repr(found_here) == repr(expected)
        twin = naive.moa_evaluate(true, row, k, "basic", None, missing=-1)
        assert found_here == pytest.approx(twin, nan_ok=True, abs=1e-12)


def test_predictions_of_other_labels_are_refused():
    with pytest.raises(DataError, match=r"'predicted':.* \(2,\), found \(3,\)"):
        moa_basic_values([0, 1], [[0, 1, 1]], 2)
    with pytest.raises(DataError, match=r"expected codes -1..1, found -2 at position 1"):
        moa_basic_values([0, 1], [[0, -2]], 2)


def test_nothing_guards_a_division_by_zero():
    # Ten perfect answers of one class: kappa and kappa_m are NaN, kappa_t is NaN or 1 by the
    # code of the class; one error in ten: kappa_t and kappa_m are -inf (run with MOA 2024.07).
    zeros = moa_evaluate([0] * 10, [0] * 10, 2, positions=[10])
    assert [math.isnan(v[0]) for v in zeros] == [False, True, True, True]
    ones = moa_evaluate([1] * 10, [1] * 10, 2, positions=[10])
    assert ones.kappa_temporal[0] == 1
    wrong_once = moa_evaluate([0] * 10, [0] * 9 + [1], 2, positions=[10])
    assert wrong_once.kappa_temporal[0] == -math.inf
    assert wrong_once.kappa_m[0] == -math.inf


@pytest.mark.parametrize(
    ("evaluator", "parameter", "message"),
    [
        ("sliding", None, "expected one of basic, window, fading, ewma, adwin, found 'sliding'"),
        ("window", 2.5, "'window': expected an integer >= 1, found 2.5"),
        ("fading", 1.0, "'fading': expected a parameter between 0 and 1, found 1.0"),
    ],
)
def test_bad_parameters_are_named(evaluator, parameter, message):
    with pytest.raises(ConfigError, match=message):
        moa_evaluate([0], [0], 1, evaluator, parameter, positions=[1])
