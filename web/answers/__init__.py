"""What the API answers, one module for each kind of question."""
