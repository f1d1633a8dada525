"""Output of the commands: boards, results, progress, plots."""
