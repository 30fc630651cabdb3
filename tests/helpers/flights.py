"""A flight of the Data Expo."""

from __future__ import annotations

FLIGHT = {
    "Year": 2008,
    "Month": 1,
    "DayofMonth": 1,
    "DayOfWeek": 2,
    "UniqueCarrier": "DL",
    "CRSArrTime": 1225,
    "CRSDepTime": 955,
    "CRSElapsedTime": 90,
    "Origin": "MCO",
    "Distance": 404,
    "ArrTime": 1227,
    "ArrDelay": 2,
    "DepDelay": 8,
}
