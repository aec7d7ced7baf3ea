"""Several exams on one page: a leaderboard, and every question with all models' answers."""
