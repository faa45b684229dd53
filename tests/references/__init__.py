"""Independent references: the notes' algorithms in plain NumPy. They import nothing from regretful."""
