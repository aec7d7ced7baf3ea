"""The commands about scenes, questions and answers."""
