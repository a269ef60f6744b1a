"""Adds up what was spent."""
