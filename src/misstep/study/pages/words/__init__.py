"""What the participant's page says by itself: in English, or in a study's own words."""
