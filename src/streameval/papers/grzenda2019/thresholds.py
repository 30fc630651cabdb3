"""The thresholds of the claims of Grzenda et al. (2019)."""

#: "About 10": within so much of it, as a fraction.
ABOUT = 0.2
#: "Stable over time": from where a tenth of the labels has arrived, within this of the last value,
#: as a fraction of it.
STABLE = 0.2
SETTLED = 0.1
#: "Nearly the same curve": no bin's accuracy differs by more; "coarse": one does.
NEARLY = 0.01
#: "Not much variation": over all bins, the largest error of a learner less the smallest one, as a
#: fraction of the mean.
LITTLE = 0.1
#: Accuracies that are "similar" are so close; those that "largely differ", or are "substantially"
#: higher or lower, are farther apart.
APART = 0.02
#: "Almost linear": a straight line explains at least this fraction of the variance over bins.
LINEAR = 0.9
#: A clear trend, or a "close relation": a rank correlation of at least this.
TREND = 0.9
#: "Drop significantly": at some time the value is at most this fraction of its median.
DROP = 0.5
