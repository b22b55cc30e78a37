"""Making a deck folder from photographs of a deck's cards: cut out, read, told apart."""
