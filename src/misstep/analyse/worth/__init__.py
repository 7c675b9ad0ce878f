"""What an arm is worth on a task of the user's own: time, money, and which arm to take."""
