"""What all our web pages share."""
