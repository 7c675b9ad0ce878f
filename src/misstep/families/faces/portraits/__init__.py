"""Parametric portraits: a person, a scene → a picture. Needs the extra `faces` (numba)."""
