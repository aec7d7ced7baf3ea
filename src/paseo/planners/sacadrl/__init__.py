"""SA-CADRL: the network of its authors, and the look ahead around it."""
