"""Money: what a run will cost, what it may, and what it has."""
