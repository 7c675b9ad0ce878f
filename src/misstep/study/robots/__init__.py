"""Robot participants, so that a study is tried before a person sees it."""
