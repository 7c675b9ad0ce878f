"""Words for before a run: designs, costs, and what a sum of money can show."""
