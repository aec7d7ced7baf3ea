"""An exam: all questions of many scenes put to one model, stored as they are answered."""
