"""Names of the types of arrays."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Class codes, and row numbers of streams.
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
