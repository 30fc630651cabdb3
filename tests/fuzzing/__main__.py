"""Any number of inputs with any seed, by hand.

PYTHONPATH=tests python -m fuzzing --inputs 10000 --seed 7 --keep failures
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from fuzzing.inputs import run, wrapped


def main() -> int:
    """Run by hand; keep what fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--inputs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=int(np.random.SeedSequence().entropy) % 10**6)
    parser.add_argument("--keep", type=Path, default=None, help="a folder for inputs that fail")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, failures = run(options.inputs, options.seed, Path(folder))
    for failure in failures:
        print(f"--- {failure.seed} ({failure.case.ending})\n{failure.why}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            name, content = wrapped(failure.case)
            (options.keep / f"{failure.seed.replace(':', '-')}-{name}").write_bytes(content)
    print(f"seed {options.seed}")
    for kind, count in sorted(counts.items()):
        print(f"{count:>8,}  {kind}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
