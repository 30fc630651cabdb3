"""McNemar's test, by the binomial distribution."""

from __future__ import annotations

import numpy as np
import scipy  # loads its parts when they are first used: most jobs need none

from streameval.significance.mcnemar import Discordant, discordant_counts
from streameval.significance.significance_test import SignificanceResult, SignificanceTest


def _test(evidence: Discordant) -> SignificanceResult:
    """Return a - b, and the binomial p-value: twice the smaller tail, at most 1.

    Without discordant predictions the p-value is 1.
    """
    a, b = discordant_counts(evidence)
    n = (a + b).astype(np.int64)  # numbers of trials that are floats take seven times as long
    p_value = np.minimum(1.0, 2.0 * scipy.special.bdtr(np.minimum(a, b), n, 0.5))
    return SignificanceResult(a - b, p_value)


TEST = SignificanceTest(
    name="mcnemar_exact",
    title="Exact McNemar test",
    null="among predictions that only one learner has right, either has it with probability 1/2",
    estimand=(
        "the difference in accuracy of two runs on the same instances of one stream; two runs of "
        "one algorithm with different seeds can differ in it"
    ),
    assumptions=(
        "instances are independent of each other; where errors come in runs it rejects too often, "
        "and so it does where folds that share test instances are pooled"
    ),
    reference="McNemar (1947); Dietterich (1998), Section 3.1",
    evidence=Discordant,
    function=_test,
)
