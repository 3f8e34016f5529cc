"""Games between engines: who plays whom, over which protocol, and how the score is read."""
