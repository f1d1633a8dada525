"""The order encoding: which block is dug before which."""
