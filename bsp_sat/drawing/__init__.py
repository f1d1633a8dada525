"""Boards and plans as pictures: SVG, animated SVG, PNG and GIF, and pages to step through a plan."""
