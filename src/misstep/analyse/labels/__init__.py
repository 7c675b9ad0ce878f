"""Comparisons from labels of the arms' disagreements alone."""
