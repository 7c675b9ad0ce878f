"""The families as people meet them: a module each, and the one list of them."""
