"""Continuous re-evaluation of instances whose labels wait: by bin, and its cost."""
