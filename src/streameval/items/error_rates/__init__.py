"""Error rates of tests and verdicts, from runs with a known truth."""
