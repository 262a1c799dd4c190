"""Reads a tide table."""
import csv


class TideTable:
    def __init__(self, path):
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(file))

    def highest(self):
        return max(self.rows, key=lambda row: float(row["metres"]))
