"""The researcher's page: how the study goes, and the few things that can be done about it."""
