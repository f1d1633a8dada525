"""What the commands show: boards, results, progress, pictures, JSON."""
