"""Drawing with matplotlib: the style of all figures, looks, scales, panels, figures of results."""

from importlib.util import find_spec

from streameval.base.errors import ConfigError

if find_spec("matplotlib") is None:
    raise ConfigError(
        "Drawing needs matplotlib, which is not installed. It comes with the pipeline: "
        'pip install "streameval[pipeline]"'
    )
