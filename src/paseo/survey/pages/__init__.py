"""The pages that people see, made of text, escaped."""
