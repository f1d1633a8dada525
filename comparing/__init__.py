"""Campaigns: several solvers on the same boards, with their outcomes in a SQLite file, as plots and as tables."""
