"""Calls to a model: by which strategy and settings, in which order, and what if one fails."""
