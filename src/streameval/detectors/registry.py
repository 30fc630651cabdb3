"""All drift detectors by name, and their notation.

Detectors have the same notation as protocols, see `streameval.base.params`: ``adwin``,
``adwin:0.01``, ``every:n=500``.

To add a detector, write a module with a subclass of `Detector` and list it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streameval.base import params
from streameval.base.other_tools import construct
from streameval.base.sources import LazyRegistry
from streameval.detectors.custom import CustomDetector, check_members
from streameval.detectors.detector import Detector

#: The detectors of the package by name; the last four are baselines.
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


def parse(setting: Any) -> Detector:
    """Make a detector from a text, a mapping or an object.

    Parameters
    ----------
    setting : str, mapping, Detector, or object with ``update`` and ``drift_detected``
        See the head of this module for the notation, and `CustomDetector` for objects. A class is
        instantiated.

    Returns
    -------
    Detector
        It is equal to other detectors with the same parameters.

    Raises
    ------
    ConfigError
        If there is no such detector, or a parameter is unknown, missing or wrong.
    """
    if isinstance(setting, type):
        setting = construct(setting)
    if not isinstance(setting, str | Mapping | Detector):
        check_members(setting, DETECTORS)
        return CustomDetector(setting)
    detector: Detector = params.parse_setting(
        setting,
        Detector,  # type: ignore[type-abstract]
        DETECTORS,
        example="{name: adwin, delta: 0.01}",
    )
    return detector


def detector_forms() -> list[str]:
    """Text form of each detector, such as ``every:N``."""
    return [params.syntax_of(detector) for detector in DETECTORS.values()]
