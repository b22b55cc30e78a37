"""What comes out of a printer: card art as SVG, sheets as PDF, decks as folders."""
