"""Many comparisons at once: models, summaries of runs, predictions, dose and response."""
