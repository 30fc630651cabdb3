"""The numbers in the text of pages, filled from results.

``docs/findings.md`` and ``validation/findings.md`` are written from the templates
``findings.md.in`` and ``validation.md.in``, where ``{kdd99.rows}`` stands for the value ``rows`` of
the group ``kdd99``. Other pages are edited by hand; ``sentences.yaml`` lists their sentences with
numbers. A group is a function in a module here: it computes its values, and asserts what the
sentences around them say. The values of groups that need a run or many seconds are kept in
``values.json``. ``make findings`` computes what it can and fills the pages.
"""
