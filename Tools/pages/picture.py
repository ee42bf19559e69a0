# picture.py: the picture at the top of README.md: a page of `touchline report`, opened at the touch that failed.
#
# Input     Tools/picture: the page, and the picture to write
# Knows     the page's elements by their classes

import sys

from devtools import Browser

page, picture = sys.argv[1:]
with Browser() as browser:
    browser.open(page, 1280, 1320)
    browser.click("li:nth-child(4) > .interaction")
    # The step in which the taps fail.
    failed = ("[...document.querySelectorAll('li:nth-child(4) .step')]"
              ".findIndex(step => step.textContent.includes(' fails: '))")
    index = browser.evaluate(failed)
    browser.evaluate(f"document.querySelectorAll('li:nth-child(4) .step')[{index}].scrollIntoView({{block: 'nearest'}})")
    browser.click(f"li:nth-child(4) .steps > li:nth-child({index + 1}) .step")
    browser.evaluate("document.activeElement.blur()")
    browser.mouse("mouseMoved", 2, 2)
    browser.evaluate("scrollTo(0, 0)")
    browser.screenshot(picture)
    if browser.problems:
        sys.exit(f"picture: {browser.problems[0]}")
