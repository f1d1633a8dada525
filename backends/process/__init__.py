"""Runs backends in child processes, within limits.

Solver libraries don't react to time limits or signals while they run. So backends run in a child process
(`child_main`) that can be killed at any moment. It sends each fact as soon as it is proved; the facts received by then
are the answer. The parent replays plans. A `Worker` keeps a child process for many jobs, a `Run` is one job in
progress, a `Portfolio` is two backends on one board.
"""
