"""Before a run: power, what a design can decide, and what a sum of money can show."""
