"""Content of results as parts, and their rendering as text, HTML, LaTeX and Markdown."""
