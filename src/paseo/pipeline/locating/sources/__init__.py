"""Who is in the pictures: results of other programs, and a detector run here."""
