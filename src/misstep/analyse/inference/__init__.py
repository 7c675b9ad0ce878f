"""Tests and intervals: pure functions on paired differences."""
