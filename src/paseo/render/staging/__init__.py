"""What every renderer is shown: a backdrop that stands still, and moments of records before it."""
