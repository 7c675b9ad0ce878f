"""The embedded model: its weights, the process that runs it, and its provider for the runner."""
