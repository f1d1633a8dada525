"""The layered encoding: many moves a layer."""
