"""The thresholds that claims of several papers share: what words such as "good" are taken to mean.

Those of one paper's claims stand in its own ``thresholds.py``. A threshold is fixed before a run.
``docs/rules.csv`` records every rule with the numbers in it and the day from which it stands. For a
rule that has changed, the record has the verdicts by the old and by the new one. A test compares
the rules in the code with the record.
"""

from __future__ import annotations

#: Landis and Koch (1977), The measurement of observer agreement for categorical data, p. 165: from
#: 0.41 agreement is "moderate", up to 0.20 it is "slight".
GOOD_KAPPA, SLIGHT_KAPPA = 0.4, 0.2
