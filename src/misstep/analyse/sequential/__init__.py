"""Results that may be looked at after every group: evidence, looks, and what they allow to say."""
