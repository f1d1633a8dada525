"""Campaigns: several solvers on the same boards, with outcomes in a SQLite file, tables and plots."""
