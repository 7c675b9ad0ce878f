"""A study frozen into one file before the data are seen, and what was changed since."""
