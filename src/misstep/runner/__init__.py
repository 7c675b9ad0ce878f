"""Adapters to the runner of models: family → task, log → records, the journal, strategies."""
