"""The nouns of the suite, its chance, and the reading of answers. Standard library only."""
