# check_report.py: pages of `touchline report` in a real browser, with real input, in both sizes and both colors.
#
#     touchline report ─▶ pages ─▶ Chromium ─ mouse, keys ─▶ what the page shows ─▶ differences
#
# Input     Tools/check-report: the program, and the folder for screenshots
# Output    one line for each check that failed, and screenshots
# Knows     the page's elements by their roles, classes and ids

import contextlib
import pathlib
import subprocess
import sys
import time

from checks import Checks
from devtools import BrowserError

touchline, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
sizes = [(1280, 900), (390, 844)]
checks = Checks("check-report")
expect = checks.expect


def run(*words):
    result = subprocess.run([touchline, *words], capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise BrowserError(f"touchline {' '.join(words)}: {result.stderr.strip()}")
    return result.stdout


@contextlib.contextmanager
def group(run_folder, *options):
    """A live group that runs until the end of the block."""
    process = subprocess.Popen([touchline, "up", "--run-dir", run_folder, *options], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        if not line.startswith("ready: "):
            raise BrowserError(f"touchline up: {line.strip()}")
        yield
        run("down", "--run-dir", run_folder)
        process.wait(60)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def pages():
    """Makes the pages: a scenario, a recording, a live group, and a scene with a secret."""
    made = {}

    def make(name, *words):
        made[name] = str(folder / f"{name}.html")
        run("report", *words, "-o", made[name])

    make("S24", "S24")
    make("recording", "Config/Recordings/tap-and-drag.evemu")
    live = str(folder / "group")
    with group(live, "--app", "taps"):
        # The receipt comes when each recognizer has decided: an earlier second tap would make a double tap of the first.
        run("input", "tap", "187,333", "--receipt", "--run-dir", live)
        run("input", "doubleTap", "200,350", "--receipt", "--run-dir", live)
        run("input", "pan", "130,290", "250,390", "--run-dir", live)
        time.sleep(0.6)
    make("live", live)
    secret = folder / "secret.yaml"
    secret.write_text("""\
id: SECRET
title: a secure window with the text of a script element
screen: [375, 667]
windows:
  - name: vault
    frame: [0, 0, 375, 667]
    secure: true
    view:
      name: "</script><h1>"
      frame: [0, 0, 375, 667]
script: |
  down f1 (123.25,321.75) @0.000
  up   f1 @0.080
""")
    make("secret", str(secret))
    return made


# What every page must be

LOOK = """(() => {
  const small = [], low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest('script, style, title, .view .text, option')) continue;
    const box = parent.getBoundingClientRect();
    if (box.width === 0) continue;
    const scale = parent.closest('.scaled') ? document.querySelector('.glass').clientWidth / 375 : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale + 0.01;
    if (size < 12) small.push(`${size}px ${walker.currentNode.textContent.slice(0, 30)}`);
  }
  return { width: document.documentElement.scrollWidth, room: innerWidth, small: small.slice(0, 3),
    resources: performance.getEntriesByType('resource').map((entry) => entry.name), title: document.title,
    back: getComputedStyle(document.body).backgroundColor };
})()"""


def check_look(browser, name, path):
    backs = set()
    for width, height in sizes:
        for dark in (False, True):
            color = "dark" if dark else "light"
            browser.open(path, width, height, dark=dark, touch=width < 600)
            look = browser.evaluate(LOOK)
            where = f"{name} at {width}, {color}"
            expect(look["width"] <= look["room"], f"{where}: the body scrolls sideways", look["width"])
            expect(look["small"] == [], f"{where}: text below 12 px", look["small"])
            expect(look["resources"] == [], f"{where}: the page loads something", look["resources"])
            backs.add((color, look["back"]))
            browser.screenshot(folder / f"{name}-{width}-{color}.png")
            browser.screenshot(folder / f"{name}-{width}-{color}-whole.png", whole=True)
    expect(len(backs) == 2, f"{name}: one background for light and one for dark", backs)


clock = "parseFloat(document.querySelector('#clock').textContent.replace('\u2212', '-'))"
finger = ("[...document.querySelectorAll('.glass .finger')].filter(e => e.style.display !== 'none')"
          ".map(e => [+e.querySelector('.dot').getAttribute('cx'), +e.querySelector('.dot').getAttribute('cy')])")


def check_scenario(browser, path):
    """S24: a tap on the third row of a table."""
    browser.open(path, 1280, 900)
    expect(browser.evaluate("document.querySelector('.cause').textContent")
           == 'Cause: GLTableView "GLTableView" selects row 2 of section 0', "S24: the cause")
    expect(browser.evaluate(finger) == [[187, 110]], "S24: a finger at 187,110", browser.evaluate(finger))
    expect(browser.evaluate("document.querySelector('.view.hit')?.dataset.label") == "UITableViewCellContentView",
           "S24: the hit view is lit")
    expect("UIWindow" in browser.evaluate("document.querySelector('.caption').textContent"), "S24: the hit path is named")
    expect(browser.evaluate("document.querySelectorAll('.hop').length") == 0, "S24: no latencies of virtual times")

    # Scrubbing to the end: the finger is gone, the last step is current.
    x, y, width, height = browser.box("#scrub")
    browser.drag(x + width * 0.1, y + height / 2, x + width - 1, y + height / 2)
    expect(browser.evaluate(clock) > 80, "S24: scrubbing moves the time", browser.evaluate(clock))
    steps = browser.evaluate("[...document.querySelectorAll('.step')].findIndex(e => e.classList.contains('current'))")
    expect(steps == browser.evaluate("document.querySelectorAll('.step').length") - 1, "S24: the last step is current", steps)

    # Keys.
    browser.evaluate("document.activeElement.blur()")
    browser.key("Home")
    browser.key("ArrowRight")
    expect(browser.evaluate(clock) == 0, "S24: → goes to the first event", browser.evaluate(clock))
    browser.key("ArrowRight")
    expect(browser.evaluate(clock) == 80, "S24: → goes to the next event", browser.evaluate(clock))
    browser.key("ArrowLeft")
    expect(browser.evaluate(clock) == 0, "S24: ← goes back", browser.evaluate(clock))
    before = browser.evaluate("document.querySelector('.range').textContent")
    browser.key("+")
    expect(browser.evaluate("document.querySelector('.range').textContent") != before, "S24: + zooms")
    browser.key("-")
    browser.key(" ")
    expect(browser.evaluate("document.querySelector('#play').getAttribute('aria-label')") == "Pause", "S24: space plays")
    browser.wait("document.querySelector('#play').getAttribute('aria-label') === 'Play'", 10)
    expect(browser.evaluate(clock) > 80, "S24: it plays to the end")

    # Slow motion takes its time.
    browser.key("Home")
    browser.click("[data-speed='0.02']")
    expect(browser.evaluate("document.querySelector(\"[data-speed='0.02']\").getAttribute('aria-pressed')") == "true",
           "S24: 1/50 is pressed")
    begin, start = browser.evaluate(clock), time.monotonic()
    browser.click("#play")
    time.sleep(0.8)
    browser.click("#play")
    passed, real = browser.evaluate(clock) - begin, (time.monotonic() - start) * 1000
    expect(0 < passed < real / 25, f"S24: slow motion passes less than {real / 25:.1f} ms", passed)

    # Marks of the timeline: the reason of a failure on hover and on focus.
    failed = "[data-mark^='recognizer'].failed"
    x, y, width, height = browser.box(failed)
    browser.mouse("mouseMoved", x + min(3, width / 2), y + height / 2)
    browser.settle()
    tip = browser.evaluate("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent")
    expect("lifted after 0.0 pt, needs 10.0 pt" in tip, "S24: the reason of a failed pan on hover", tip)
    browser.mouse("mouseMoved", 2, 2)
    browser.evaluate("document.querySelector('.toolbar button:last-of-type').focus()")
    browser.key("Tab")
    expect(browser.evaluate("document.activeElement.dataset.mark !== undefined"), "S24: the tab key reaches the timeline")
    browser.key("ArrowDown")
    tip = browser.evaluate("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent")
    expect(tip != "", "S24: a mark with the focus shows its text")
    browser.screenshot(folder / "S24-focus.png")

    # Facts.
    total = browser.evaluate("document.querySelector('output.soft').textContent")
    browser.click("#facts-text")
    browser.write("received by")
    shown = browser.evaluate("document.querySelector('output.soft').textContent")
    expect(shown.startswith("2 of ") and shown != total, "S24: the filter finds two facts", shown)
    expect(browser.evaluate("document.querySelectorAll('.rows .fact').length") == 2, "S24: two rows")

    # Without motion nothing fades, and playing still works.
    browser.open(path, 1280, 900, reduced_motion=True)
    expect(browser.evaluate("getComputedStyle(document.querySelector('.step')).transitionDuration") == "0s",
           "S24: no transition with reduced motion")


def check_recording(browser, path):
    """Two taps on a button and a drag that has no effect."""
    browser.open(path, 1280, 900)
    expect(browser.evaluate("document.querySelectorAll('.interaction').length") == 3, "recording: three interactions")
    browser.click("li:nth-child(3) > .interaction")
    began = browser.evaluate("parseFloat(document.querySelectorAll('.interaction .soft')[2].textContent)")
    expect(browser.evaluate(clock) == began, "recording: a click on an interaction goes to its beginning",
           browser.evaluate(clock))
    expect(browser.evaluate("[...document.querySelectorAll('.interaction')].map(e => e.getAttribute('aria-expanded'))")
           == ["false", "false", "true"], "recording: one interaction is open")
    browser.click("li:nth-child(3) .steps li:last-child .step")
    expect(browser.evaluate("document.querySelector('[aria-current=step]') === document.querySelector('li:nth-child(3) .steps li:last-child .step')"),
           "recording: a click on a step makes it the current one")
    # In the middle of the drag: one finger with a trail.
    browser.evaluate("document.activeElement.blur()")
    browser.click("li:nth-child(3) > .interaction")
    for _ in range(40):
        browser.key("ArrowRight")
    trail = browser.evaluate("[...document.querySelectorAll('.glass .finger')].find(e => e.style.display !== 'none').querySelector('.trail').getAttribute('d').split('L').length")
    expect(trail > 20, "recording: a trail of the drag", trail)
    browser.screenshot(folder / "recording-drag.png")
    # Dragging the lanes pans, a click in them moves the playhead.
    browser.click(".tool:nth-of-type(2)")
    before = browser.evaluate("document.querySelector('.range').textContent")
    x, y, width, height = browser.box(".chart")
    browser.drag(x + width * 0.7, y + 30, x + width * 0.5, y + 30)
    expect(browser.evaluate("document.querySelector('.range').textContent") != before, "recording: dragging the lanes pans")
    x, y, width, _ = browser.box(".axis")
    browser.click_at(x + 208 + (width - 220) / 2, y + 10)
    middle = browser.evaluate("document.querySelector('.range').textContent.replaceAll('\u2212', '-').split('–').map(parseFloat)")
    expect(abs(browser.evaluate(clock) - sum(middle) / 2) < (middle[1] - middle[0]) * 0.02,
           "recording: a click on the axis moves the time there", browser.evaluate(clock))


def check_live(browser, path):
    """A live group: real times, recognizers that wait."""
    browser.open(path, 1280, 900)
    expect(browser.evaluate("document.querySelectorAll('.hop:not(.heading)').length") == 6, "live: six rows of latencies")
    expect(browser.evaluate("document.querySelectorAll('.hop .bar').length") > 6, "live: histograms have bars")
    expect(browser.evaluate("document.querySelectorAll('.way').length") > 6, "live: ways of events")
    expect(browser.evaluate("document.querySelectorAll('.span.waits').length") > 0, "live: a recognizer waits")
    browser.click("li:nth-child(4) > .interaction")
    text = browser.evaluate("document.querySelector('.view .text')?.textContent")
    expect((text or "").startswith("single"), "live: the label has a text after the taps", text)
    expect(browser.evaluate("document.querySelectorAll('.interaction').length") == 4, "live: four interactions")
    card = browser.evaluate("getComputedStyle(document.querySelector('[data-label=\"UIView \\\\\"card\\\\\"\"]')).backgroundColor")
    expect(card == "rgb(255, 204, 0)", "live: the card is yellow", card)


def check_secret(browser, path):
    text = pathlib.Path(path).read_text()
    for word in ("123.2", "321.7", "</script><h1>"):
        expect(word not in text, f"secret: the page does not contain {word}")
    browser.open(path, 1280, 900)
    expect(browser.evaluate("document.title").startswith("Run report"), "secret: a text cannot end the data")
    expect(browser.evaluate("document.querySelector('.note')") is not None, "secret: the page says that positions are hidden")
    expect(browser.evaluate(finger) == [], "secret: no finger on a secure window", browser.evaluate(finger))


with checks.browser() as browser:
    made = pages()
    for name, path in made.items():
        check_look(browser, name, path)
    check_scenario(browser, made["S24"])
    check_recording(browser, made["recording"])
    check_live(browser, made["live"])
    check_secret(browser, made["secret"])
    expect(browser.problems == [], "no message on the console", browser.problems[:3])

checks.finish(folder)
