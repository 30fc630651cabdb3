"""Evaluation of data-stream classifiers: streams, tapes, learners, measures, studies.

A `Stream` is read or generated; a protocol turns it into a `Tape` of predict and learn
events; a `Learner` plays the tape and leaves `Predictions`; measures read predictions;
studies put those together into tables; the report draws them.
"""

__version__ = "0.1.0"
