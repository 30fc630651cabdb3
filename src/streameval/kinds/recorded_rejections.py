"""How often tests reject, as recorded of a long run; nothing of the run at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.rejections import COLUMNS, TITLE, Chosen
from streameval.settings import locate
from streameval.studies.recorded import ABOUT, RECORDED, files_of, read_about


class Settings(Chosen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of recorded_rejections."""

    recorded: Annotated[
        str,
        Meta(
            description="The record: its folder in resources/recorded, STUDY/NAME.",
            pattern="^[a-z][a-z0-9_]*/[A-Za-z0-9_.-]+$",
        ),
    ]

    @property
    def folder(self) -> str:
        """The folder of the record."""
        return f"{RECORDED}/{self.recorded}"

    def about(self) -> Mapping[str, Any]:
        """Return what the record says of itself."""
        return read_about(locate(f"{self.folder}/{ABOUT}"))

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [f"{self.folder}/{name}" for name in files_of(self.about(), ("rates", "gaps"))]

    def stream_titles(self) -> dict[str, str]:
        """See `Settings`."""
        return {name: one["title"] for name, one in self.about()["streams"].items()}

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        about = self.about()
        lengths = {f"{one['instances']:,}" for one in about["streams"].values()}
        longest = max(one["instances"] for one in about["streams"].values())
        return {
            **super().words(),
            "date": about["date"],
            "version": about["version"],
            "instances": f"{longest:,}" if len(lengths) == 1 else f"up to {longest:,}",
            "runs": max(one["runs"] for one in about["streams"].values()),
        }


KIND = Kind(
    name="recorded_rejections",
    settings=Settings,
    reads="nothing",
    columns=COLUMNS,
    title=f"{TITLE}, as recorded",
    subject="rejections by test and scheme, recorded",
    caption="Recorded {date}, version {version}, n = {instances}, {runs} runs of each scheme; this "
    "run made nothing of it. Proportion of runs, {what}, in which a test finds a difference. Under "
    "same there is none but the seeds, so it should be the level of the test; elsewhere it should "
    "be 1.",
)
