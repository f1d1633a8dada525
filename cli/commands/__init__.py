"""The commands, one module each; what only one command needs is in modules whose names begin with the command's.

A module declares a command's options. What takes long to import and only some runs need is imported in the function
that uses it, so that ``--help`` needn't wait for it.
"""
