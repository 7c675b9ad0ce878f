"""A study without a server: all screens listed ahead, for any web server or for JATOS."""
