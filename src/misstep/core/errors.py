"""What a user is told: one line, and the exit code that goes with it."""


class MisstepError(Exception):
    """Something failed. The message is one line for a person; the exit code is 1."""

    exit_code = 1


class BadInput(MisstepError):
    """Wrong use or bad input. The message names the file or option, the field and the value."""

    exit_code = 2
