"""How often tests and verdicts are wrong, by runs where the truth is known."""
