"""The answers of the API, a module for each kind of question."""
