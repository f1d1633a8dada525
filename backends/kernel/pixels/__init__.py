"""Loops over the pixels of a picture, for the reader of screenshots."""
