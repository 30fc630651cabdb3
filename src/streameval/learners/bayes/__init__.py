"""Naive Bayes, and the class-conditional statistics that trees use too."""
