"""Who is where: people in pictures, placed on the ground with how sure that is."""
