"""The pictures that go with a question."""
