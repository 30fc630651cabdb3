"""The report: tables, scorecard and figures (floor 4)."""

from importlib.util import find_spec

from streameval.errors import ConfigError

if find_spec("matplotlib") is None:
    raise ConfigError(
        "The report needs matplotlib, which is not installed. It comes with the pipeline: "
        'pip install "streameval[pipeline]"'
    )
