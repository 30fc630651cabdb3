"""The streams of Tables 2 to 4 of Bifet et al. (2015), and how far a run goes along each."""

from __future__ import annotations

from collections.abc import Mapping

from streameval.report.results import Results
from streameval.report.tables import number_text

#: Length of the paper's generated streams.
MILLION = 1_000_000
#: Those with drift.
DRIFTING = (
    *("led_50000", "sea_50", "sea_50000", "hyp_10_0.001", "hyp_10_0.0001"),
    *("rbf_50_0.001", "rbf_10_0.001", "rbf_50_0.0001", "rbf_10_0.0001"),
)
#: All that are generated.
GENERATED = (*DRIFTING[:5], "rbf_0_0", *DRIFTING[5:])
#: All streams with their lengths. Of real ones the paper gives none; these are the whole files.
LENGTHS: Mapping[str, int] = {
    "covtype": 581_012,
    "elec2": 45_312,
    "poker": 829_201,
    **dict.fromkeys(GENERATED, MILLION),
}
#: The runs of the paper for each stream. An average over streams has at most the variance of a
#: proportion of all their runs, as p (1 - p) is concave.
RUNS = 50
#: The study whose rates the tables show.
STUDY = "bifet2015/errors"
#: Columns of our tables of rates.
RATES = (
    *("stream", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "value", "low", "high"),
)


def shorter(stream: str, instances: int) -> str:
    """Return how runs of a stream are shorter than the paper's; "" if they are not."""
    wanted = LENGTHS[stream]
    if instances >= wanted:
        return ""
    return f"runs of {number_text(instances)} instances, in the paper {number_text(wanted)}"


def fewer_streams(results: Results, streams: int) -> str:
    """Return how an average over so many streams differs from the paper's; "" if it does not."""
    if streams != len(LENGTHS):
        return f"an average over {streams} streams, in the paper {len(LENGTHS)}"
    for stream in LENGTHS:
        rates, lacking = results.trace(STUDY, stream, "rates")
        short = lacking if rates is None else shorter(stream, int(rates["instances"].max()))
        if short:
            return f"{stream}: {short}"
    return ""
