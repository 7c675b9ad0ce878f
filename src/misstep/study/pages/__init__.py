"""The participant's page: its source, its build, and the door to what was built."""
