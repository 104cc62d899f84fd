"""`python -m thresher` is the command `thresher`."""

import sys

from _thresher_command import main

if __name__ == "__main__":
    sys.exit(main())
