"""Backends in processes of their own, within limits.

A solver deep in its own code sees neither a clock nor a signal, so backends run in a child process (`child_main`)
that can be ended at any moment. It sends what it proves as it proves it; the facts that have arrived by then are the
answer. Plans are replayed on this side. A `Worker` keeps such a process for one run after the other, a `Run` is one
backend at work on one board, `Portfolio` is two backends on one board.
"""
