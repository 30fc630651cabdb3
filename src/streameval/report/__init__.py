"""The report: tables, scorecard and claims (floor 4)."""
