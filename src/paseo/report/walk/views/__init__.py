"""What the robot saw at chosen moments of its drives, for the page of a report."""
