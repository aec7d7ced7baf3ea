"""What a place is put together of: houses, edges, trees, furniture, cars."""
