"""Other people's logs: any two Inspect logs or lm-evaluation-harness files of the same items."""
