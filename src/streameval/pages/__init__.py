"""Pages for people: results as a single self-contained HTML file."""

from importlib.util import find_spec

from streameval.base.errors import ConfigError

for _needed in ("matplotlib", "jinja2"):
    if find_spec(_needed) is None:
        raise ConfigError(
            f"A page needs {_needed}, which is not installed. It comes with the pipeline: "
            'pip install "streameval[pipeline]"'
        )
