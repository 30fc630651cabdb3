"""The report: tables, scorecard and figures (floor 4)."""
