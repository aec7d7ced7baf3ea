"""What people gave: answers, places, and apart from them who they are."""
