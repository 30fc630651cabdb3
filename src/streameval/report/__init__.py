"""The report: tables, scorecard and claims."""
