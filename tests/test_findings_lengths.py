"""What docs/findings.md says of tests by the length of the stream, from the records."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.findings import said

from streameval.base.settings import ROOT

RECORDED = ROOT / "resources" / "recorded" / "bifet2015"
LENGTHS = (1000, 5000, 20_000, 50_000)


@pytest.fixture(scope="module")
def tests() -> pd.DataFrame:
    """Return the rates of the middle scale by alternative, test and length."""
    table = pd.read_csv(RECORDED / "middle" / "tables" / "tests.csv")
    streams, runs = table["streams"].unique().item(), table["runs"].unique().item()
    assert said(f"Over {streams} streams McNemar's test rejects a true null hypothesis in")
    assert said(f"of the middle scale: {runs / streams:.0f} runs for each stream")
    return table.set_index(["alternative", "test", "instances"]).sort_index()


def _listed(numbers: list[str]) -> str:
    return f"{', '.join(numbers[:-1])} and {numbers[-1]}"


def test_sizes_by_length(tests):
    sizes = {
        test: _listed([f"{100 * tests.loc[('noise 0.05', test, n), 'size']:.0f}" for n in LENGTHS])
        for test in ("mcnemar", "paired_t", "wilcoxon")
    }
    assert said(
        f"McNemar's test rejects a true null hypothesis in {sizes['mcnemar']} % of the runs after "
        f"1,000, 5,000, 20,000 and 50,000 instances, the paired t-test in {sizes['paired_t']} %, "
        f"Wilcoxon's test in {sizes['wilcoxon']} %."
    )
    assert (tests.xs("corrected_t", level="test")["size"] == 0).all()
    assert said("Nadeau and Bengio rejects a true null hypothesis in none of the runs")


def test_powers_by_length(tests):
    power = [tests.loc[("noise 0.05", "paired_t", n), "power"] for n in LENGTHS]
    assert said(
        f"is {power[0]:.2f}, {power[1]:.2f} and {power[2]:.2f} after 1,000, 5,000 and 20,000 "
        f"instances, and {power[3]:.2f} after 50,000."
    )


def test_the_power_of_the_corrected_t_test():
    files = sorted((RECORDED / "middle").glob("*.rates.csv"))
    assert len(files) == 11
    rates = pd.concat([pd.read_csv(file) for file in files])
    chosen = rates["test"].eq("corrected_t") & rates["alternative"].eq("noise 0.05")
    chosen &= rates["scheme"].eq("bootstrap_validation") & rates["reading"].eq("learnt")
    last = rates[chosen & rates["instances"].isin([45_312, 50_000])]  # electricity ends first
    assert len(last) == len(files)
    power = last["value"].mean()
    assert said(f"Its power, with noise 0.05, is {power:.2f} after 50,000 instances.")


def test_rates_of_the_tests_over_folds_at_a_million_instances():
    table = pd.read_csv(RECORDED / "paper" / "tables" / "table2.csv")
    mean = table[(table["stream"] == "all") & (table["alternative"] == "same")]
    printed = pd.read_csv(ROOT / "resources" / "published" / "bifet2015" / "table2.csv")
    printed = printed[printed["p_noise"] == 0].groupby("test")["value"].agg(["min", "max"])
    ours = 100 * mean.groupby("test")["value"].agg(["min", "max"])
    theirs = {
        test: f"{100 * low:.0f} to {100 * high:.0f} %" for test, low, high in printed.itertuples()
    }
    sign, wilcoxon = ours.loc["sign_printed"], ours.loc["wilcoxon"]
    assert said(
        f"The sign test rejects in {sign['min']:.1f} to {sign['max']:.1f} % on average, printed "
        f"{theirs['sign']}, which"
    )
    assert said(
        f"Wilcoxon's test rejects in {wilcoxon['min']:.1f} to {wilcoxon['max']:.1f} %, printed "
        f"{theirs['wilcoxon']}."
    )


def test_noise_on_sea_is_found_in_every_run():
    files = sorted((RECORDED / "paper").glob("sea_*.rates.csv"))
    table = pd.concat(map(pd.read_csv, files))
    noisy = table[table["alternative"].eq("noise 0.05") & table["instances"].eq(1_000_000)]
    noisy = noisy[noisy["test"].isin(["mcnemar", "sign_printed", "wilcoxon"])]
    assert len(noisy) == len(files) * 3 * 2 * 3  # tests, readings, schemes
    assert (noisy["value"] == 1).all()
    assert said("With 5 % noise all these tests find the difference on SEA in every run.")
