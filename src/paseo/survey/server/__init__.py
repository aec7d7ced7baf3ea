"""The web server that people come to."""
