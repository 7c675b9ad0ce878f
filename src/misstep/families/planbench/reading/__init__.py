"""Replies → what they answer: a plan, a verdict on a plan, or facts."""
