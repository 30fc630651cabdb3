"""All drift detectors by name, and how they are written.

Detectors of the package are written as protocols are, see `streameval.notation`: ``adwin``,
``adwin:0.01``, ``every:n=500``. Those of River are ``river:`` and a class, with parameters by their
names: ``river:KSWIN``, ``river:drift.binary.HDDMA:drift_confidence=0.01``.

To add one, write a module with a subclass of `Detector` and list it here.
"""

from __future__ import annotations

from typing import Any

from streameval import notation
from streameval.detectors.detector import Detector
from streameval.sources import LazyRegistry

#: The detectors of the package by name; the last ones are baselines.
DETECTORS: LazyRegistry[type[Detector]] = LazyRegistry(
    {
        "adwin": "streameval.detectors.adwin:ADWIN",
        "ddm": "streameval.detectors.ddm:DDM",
        "eddm": "streameval.detectors.eddm:EDDM",
        "hddm_a": "streameval.detectors.hddm_a:HDDMA",
        "hddm_w": "streameval.detectors.hddm_w:HDDMW",
        "kswin": "streameval.detectors.kswin:KSWIN",
        "page_hinkley": "streameval.detectors.page_hinkley:PageHinkley",
        "rddm": "streameval.detectors.rddm:RDDM",
        "stepd": "streameval.detectors.stepd:STEPD",
        "chance": "streameval.detectors.chance:Chance",
        "every": "streameval.detectors.baselines:Every",
        "always": "streameval.detectors.baselines:Always",
        "never": "streameval.detectors.baselines:Never",
    }
)

#: How a detector of River is written.
FORM_OF_RIVER = "river:CLASS[:PARAMETER=VALUE...]"


def parse(setting: Any) -> Detector:
    """Return the detector of a text, a mapping or an object.

    Parameters
    ----------
    setting : str, mapping, Detector, or object with ``update`` and ``drift_detected``
        See the head of this module. An object is one of River, or behaves like it; it is left
        alone: each run begins with a copy.

    Returns
    -------
    Detector
        Equal to others with the same parameters.

    Raises
    ------
    ConfigError
        If there is no such detector, or a parameter is unknown, missing or wrong; if it is one of
        River, which is not installed.
    """
    if _is_of_river(setting):
        from streameval.detectors.river import river_detector

        return river_detector(setting)
    found: Detector = notation.parse(
        setting,
        Detector,  # type: ignore[type-abstract]
        DETECTORS,
        "{name: adwin, delta: 0.01}",
    )
    return found


def forms() -> list[str]:
    """Return the text form of each detector, such as ``every:N``."""
    own = [notation.form(detector) for detector in DETECTORS.values()]
    return [*own, FORM_OF_RIVER]


def _is_of_river(setting: Any) -> bool:
    if isinstance(setting, str):
        return setting.partition(":")[0].strip() == "river"
    return hasattr(setting, "drift_detected") and hasattr(setting, "update")
