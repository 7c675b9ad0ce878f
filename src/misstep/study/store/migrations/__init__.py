"""How an older database becomes one of this version; run by `migrating.py`, never by hand."""
