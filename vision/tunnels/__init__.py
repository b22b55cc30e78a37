"""Reading a card's tunnels from its picture alone, whatever the edition: no face need be known."""
