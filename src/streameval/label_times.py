"""The times of labels that streams and protocols agree on."""

from __future__ import annotations

import numpy as np

#: The time of a label that never arrives.
NEVER = int(np.iinfo(np.int64).max)
