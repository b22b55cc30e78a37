"""The rules, pure: no input or output, no clock, no randomness but what is handed in."""
