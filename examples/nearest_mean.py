"""A learner of one's own: a class with two methods."""

import numpy as np


class NearestMean:
    """Predict the class whose mean is nearest, in standard deviations; ignore missing values."""

    def __init__(self, schema, fading=0.999):
        self.fading = fading
        self.total = np.zeros((schema.n_classes, schema.n_attributes))
        self.weight = np.zeros((schema.n_classes, schema.n_attributes))
        self.squares = np.zeros(schema.n_attributes)

    def learn(self, x, y, w):
        """Count an instance for its class."""
        for sums in (self.total, self.weight, self.squares):
            sums *= self.fading
        known = ~np.isnan(x)
        self.total[y, known] += w * x[known]
        self.weight[y, known] += w
        self.squares[known] += w * x[known] ** 2

    def predict(self, x):
        """Return a class code, 0 before the first label."""
        seen = np.flatnonzero(self.weight.sum(axis=1))
        if len(seen) == 0:
            return 0
        weight = np.maximum(self.weight, 1e-9)
        mean = self.total / weight
        everything = weight.sum(axis=0)
        variance = self.squares / everything - (self.total.sum(axis=0) / everything) ** 2
        distance = (x - mean[seen]) ** 2 / np.maximum(variance, 1e-9)
        return seen[np.nansum(distance, axis=1).argmin()]
