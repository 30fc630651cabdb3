"""Ensembles of Hoeffding trees."""
