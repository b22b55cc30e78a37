"""Pithead: a companion that referees a night of Saboteur at a real table."""
