"""The answers of the API, a module for each kind of question. What asks wrongly is refused as in `request_fields`."""
