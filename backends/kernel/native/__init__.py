"""The library of compiled code: how it is built, found and called."""
