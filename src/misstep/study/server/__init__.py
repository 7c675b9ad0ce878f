"""The web application for people, and the researcher's page."""
