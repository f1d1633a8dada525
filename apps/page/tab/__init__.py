"""The page in a browser's tab, without a server: what answers there, and what makes the folder of files."""
