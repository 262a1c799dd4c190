from tide_table import TideTable


def main():
    print(TideTable("docs/tides.csv").highest()["time"])


if __name__ == "__main__":
    main()
