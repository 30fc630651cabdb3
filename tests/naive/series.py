"""Tests of series of differences, written as their definitions are; plain Python loops."""

from __future__ import annotations

import cmath
import itertools
import math

import numpy as np
from scipy import integrate, special
from scipy.stats import t as student

from naive.entities import in_order as entity_by_entity


def bartlett(values, bandwidth):
    """The weighted sum of autocovariances, Newey and West (1987)."""
    n, mean = len(values), sum(values) / len(values)
    total = 0.0
    for lag in range(-bandwidth + 1, bandwidth):
        products = [
            (values[t] - mean) * (values[t - lag] - mean) for t in range(n) if 0 <= t - lag < n
        ]
        total += (1 - abs(lag) / bandwidth) * sum(products) / n
    return total


def daniell(values, frequencies):
    """The mean of 2 π times the periodogram over the lowest frequencies."""
    n = len(values)
    total = 0.0
    for j in range(1, frequencies + 1):
        angle = 2 * math.pi * j / n
        wave = sum(value * cmath.exp(-1j * angle * t) for t, value in enumerate(values))
        total += 2 * math.pi * abs(wave) ** 2 / (2 * math.pi * n)
    return total / frequencies


def fluctuation_path(values, window):
    """The statistic of each window of consecutive values."""
    spread = math.sqrt(bartlett(values, math.isqrt(len(values))))
    return [
        sum(values[start : start + window]) / (spread * math.sqrt(window))
        for start in range(len(values) - window + 1)
    ]


def log_mixture(total, time, rho, scale=2.0):
    """The mean of exp(λ s - ψ(λ) v) over the gamma density of u = 1 - c λ, by quadrature."""
    shape = rho / scale**2

    def exponent(w):  # u = exp(-w), so that no logarithm of 0 is needed; du = u dw
        u = math.exp(-w)
        psi_of_rate = (w - (1 - u)) / scale**2
        return (1 - u) / scale * total - psi_of_rate * time - (shape - 1) * w - shape * u - w

    grid = np.concatenate([[0.0], np.geomspace(1e-7, 1e4, 8000)])
    heights = np.array([exponent(w) for w in grid])
    top = heights.max()
    inside = np.flatnonzero(heights > top - 60)
    ends = grid[max(inside[0] - 1, 0)], grid[min(inside[-1] + 1, len(grid) - 1)]
    value, _ = integrate.quad(
        lambda w: math.exp(exponent(w) - top),
        *ends,
        points=[grid[heights.argmax()]],
        limit=400,
        epsabs=0,
    )
    density = shape * math.log(shape) - math.lgamma(shape)
    return math.log(value) + top + density - math.log(special.gammainc(shape, shape))


def walk(values):
    """The sums of differences, and of their squared distances from the mean before them."""
    sums, times = [], []
    total = time = 0.0
    for count, value in enumerate(values):
        before = total / count if count else 0.0
        time += (value - before) ** 2
        total += value
        sums.append(total)
        times.append(time)
    return sums, times


def kfold(differences_by_fold):
    """z of Bayle et al. (2020) for folds of one size."""
    differences = [d for fold in differences_by_fold for d in fold]
    n, mean = len(differences), sum(differences) / len(differences)
    variance = sum((d - mean) ** 2 for d in differences) / n
    return mean * math.sqrt(n) / math.sqrt(variance), mean, math.sqrt(variance / n)


def initial_positive(values):
    """Long-run variance by Geyer's initial monotone sequence, lag by lag; at most 4096 values."""
    return initial_positive_and_reach(values)[0]


def initial_positive_and_reach(values):
    """Long-run variance, and the largest lag whose covariance is part of it."""
    n, mean = len(values), sum(values) / len(values)

    def covariance(lag):
        return sum((values[t] - mean) * (values[t + lag] - mean) for t in range(n - lag)) / n

    sums = []
    for k in range(n // 2):
        pair = covariance(2 * k) + covariance(2 * k + 1)
        if pair <= 0:
            break
        sums.append(min([pair, *sums[-1:]]))
    variance = 2 * sum(sums) - covariance(0)
    if variance <= covariance(0):
        return covariance(0), 0
    return variance, 2 * len(sums) - 1


def long_run(values, entities):
    """Long-run variance in time plus that within entities, less the part that both include."""
    place = entity_by_entity(range(len(values)), entities)
    if place == sorted(place):
        return initial_positive(values)
    in_time, reach_in_time = initial_positive_and_reach(values)
    by_entity, reach_by_entity = initial_positive_and_reach([values[t] for t in place])
    n, mean = len(values), sum(values) / len(values)
    in_both = sum((value - mean) ** 2 for value in values) / n
    for later in range(n):
        for earlier in range(later - 1, -1, -1):
            if place[earlier] > place[earlier + 1]:
                break  # another entity, unless it ended before this one began
            near_in_time = place[later] - place[earlier] <= reach_in_time
            if near_in_time and later - earlier <= reach_by_entity:
                product = (values[place[later]] - mean) * (values[place[earlier]] - mean)
                in_both += 2 * product / n
    return max(in_time, by_entity, in_time + by_entity - in_both)


def stream_mean(values, confidence, runs, entities=None):
    """Mean, its standard error and degrees of freedom, and the ends of its interval."""
    n, mean = len(values), sum(values) / len(values)
    starts = [section * n // 12 for section in range(13)]
    orders = [values] if entities is None else [values, entity_by_entity(values, entities)]
    spreads = [
        np.var([np.mean(order[a:b]) for a, b in itertools.pairwise(starts)], ddof=1)
        for order in orders
    ]
    lasting = initial_positive(values) if entities is None else long_run(values, entities)
    in_time = max(max(spreads) / 12, lasting / n)
    between = np.var(runs, ddof=1) / len(runs) if runs else 0.0
    rest = between**2 / (len(runs) - 1) if runs else 0.0
    freedom = (in_time + between) ** 2 / (in_time**2 / 11 + rest)
    error = math.sqrt(in_time + between)
    half = student.ppf(0.5 + confidence / 2, freedom) * error
    return mean, mean - half, mean + half, error, freedom
