"""Alarms of drift detectors over time, and what resets at them are worth."""

from streameval.drawing.alarm_worth import draw as draw
