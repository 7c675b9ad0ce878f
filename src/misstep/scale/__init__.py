"""Runs and makers of items spread over many machines, on Ray, which is imported only here."""
