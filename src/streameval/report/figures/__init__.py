"""One function per figure; all draw with the colours of `streameval.report.style`."""
