"""Boards from pictures: screenshots of ball-sort and water-sort games, without calibration for any one app."""
