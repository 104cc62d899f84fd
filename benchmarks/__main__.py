"""Time public calls, write the results with commit and machine, and make the page of them."""

from benchmarks.calls import main
from benchmarks.calls_page import write

if __name__ == "__main__":
    main()
    write()
