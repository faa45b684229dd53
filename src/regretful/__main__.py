"""`python -m regretful` is the command line."""

from regretful.cli import main

if __name__ == "__main__":
    main()
