"""Campaigns: several solvers on the same boards; outcomes in a SQLite file, tables and plots."""
