# checks.py: checks of pages in a browser: what is expected, what was found, the sum at the end.
#
#     Checks ─▶ part … expect … ─▶ finish: one line with the sum, exit code 1 if a check failed
#
# Input     check_report.py, check_inspect.py
# Output    a line on stderr for each check that failed
# Knows     names and conditions. No page.

import contextlib
import sys
import time

from devtools import Browser, BrowserError


class Checks:
    def __init__(self, name):
        self.name, self.count, self.failures = name, 0, []

    def say(self, text):
        print(f"{self.name}: {text}", file=sys.stderr)

    def expect(self, holds, what, found=None):
        self.count += 1
        if not holds:
            self.failures.append(what if found is None else f"{what}, found {found!r}")
            self.say(self.failures[-1])

    @contextlib.contextmanager
    def part(self, name):
        """A check that stops at its first broken condition, and leaves the others to run."""
        started = time.monotonic()
        try:
            yield
        except (BrowserError, OSError, KeyError, IndexError, TypeError, StopIteration, ValueError) as error:
            self.expect(False, f"{name}: {type(error).__name__}: {error}")
        self.say(f"{name}: {time.monotonic() - started:.1f} s")

    def browser(self):
        """Starts a browser. A machine on which none starts says nothing about the pages: the program ends with 0."""
        try:
            return Browser()
        except BrowserError as error:
            self.say(f"NOT RUN: {error}")
            sys.exit(0)

    def finish(self, shots):
        self.say(f"{self.count} checks, {len(self.failures)} failed; screenshots in {shots}")
        sys.exit(1 if self.failures else 0)
