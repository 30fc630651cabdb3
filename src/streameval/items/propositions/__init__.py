"""Propositions about the baselines of streams, by simulation."""
