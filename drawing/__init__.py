"""Boards and plans as pictures: SVG, animated SVG, PNG and GIF."""
