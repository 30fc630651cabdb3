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
