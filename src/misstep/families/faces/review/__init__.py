"""What people say of a set by eye, and what there is to be looked at."""
