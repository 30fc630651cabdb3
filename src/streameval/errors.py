"""The errors a user can meet.

Every message says what was expected, what was found where, and what to do about it.
"""


class StreamevalError(Exception):
    """Base of all errors that are the input's fault, not the program's."""


class DataError(StreamevalError):
    """A file or an array does not hold the stream that it should hold."""


class DownloadError(StreamevalError):
    """A raw file could not be had from anywhere, or is not the expected one."""


class ConfigError(StreamevalError):
    """A configuration or registry entry is unknown or contradictory."""


def excerpt(text: object, most: int = 200) -> str:
    """Return the first characters of a text, for messages: what is found may be of any length."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[:most]}..."
