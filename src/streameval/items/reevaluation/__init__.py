"""Continuous re-evaluation of instances with pending labels: by bin, and its cost."""
