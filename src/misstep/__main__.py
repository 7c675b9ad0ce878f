"""`python -m misstep` is the command line."""

from misstep.cli import main

main()
