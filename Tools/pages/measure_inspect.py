# measure_inspect.py: how fast the page of `touchline inspect` is, and what it needs.
#
#     time until interactive, 200 taps, pictures of 500 views that scroll, memory over a long use ─▶ lines with figures
#
# Input     check_inspect.py: a running Inspector and a Browser
# Output    figures as texts. Only what no machine could excuse raises an error.
# Knows     the page's counters (`window.touchline`) and the group's facts

import time

from devtools import BrowserError
from inspector import LivePage, until

TAPS = 200

MANY = """\
id: MANY
title: 500 views in a scroll view
screen: [375, 667]
windows:
  - name: window
    frame: [0, 0, 375, 667]
    view:
      name: root
      frame: [0, 0, 375, 667]
      subviews:
        - name: list
          class: UIScrollView
          frame: [0, 0, 375, 560]
          contentSize: [375, 12500]
          subviews:
""" + "".join(f"            - {{ name: row{row}, frame: [10, {row * 25}, 355, 22] }}\n" for row in range(500)) + """\
        - { name: plus, class: UIButton, frame: [20, 580, 90, 60], on: { touchUpInside: add } }
"""


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def heap(browser):
    """The page's JavaScript heap after a collection, in MiB, and its nodes."""
    browser.call("HeapProfiler.enable")
    browser.call("HeapProfiler.collectGarbage")
    browser.call("Performance.enable")
    metrics = {entry["name"]: entry["value"] for entry in browser.call("Performance.getMetrics")["metrics"]}
    return metrics["JSHeapUsedSize"] / (1 << 20), int(metrics["Nodes"])


def time_until_interactive(inspector, browser):
    """Milliseconds from the navigation to a page that is live and has drawn the group's screen; the best and middle of five."""
    source = ("(() => { const look = () => { if (" + LivePage.READY + ") window.readyAt = performance.now();"
              " else requestAnimationFrame(look); }; requestAnimationFrame(look); })()")
    number = browser.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    times = []
    for _ in range(5):
        LivePage(browser, inspector)
        browser.wait("window.readyAt > 0")
        times.append(browser.evaluate("window.readyAt"))
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)
    return min(times), percentile(times, 0.5)


def latency_of_taps(inspector, browser):
    """Milliseconds from the browser's event to touchesBegan, for each of the taps: by the page, and by the facts."""
    page = LivePage(browser, inspector)
    known = len(inspector.interactions())
    sent = []
    # The browser's times of the events on the host's clock, by the page's own offset.
    browser.evaluate("window.presses = []; document.querySelector('.glass').addEventListener('pointerdown',"
                     " (event) => window.presses.push(event.timeStamp), { capture: true }), true")
    for tap in range(TAPS):
        page.tap(65, 610)
        # A tap that comes within the double tap's time is one of two taps, which changes nothing here.
        time.sleep(0.011 + tap % 7 * 0.003)
    sent = browser.evaluate("window.presses.map((at) => at * 1e6 + window.touchline.offset)")
    found = until(lambda: (each := inspector.interactions()[known:]) and len(each) >= TAPS and each, f"{TAPS} taps arrive", 60)
    began = []
    for each in found[:TAPS]:
        step = next(step for step in each["steps"] if step["station"] == "responder" and "touchesBegan" in step["text"])
        landed = next(step for step in each["steps"] if step["station"] == "device")
        began.append(each["beganNanoseconds"] + (step["seconds"] - landed["seconds"]) * 1e9)
    facts = [(one - other) / 1e6 for one, other in zip(began, sent)]
    return facts, [one["toBegan"] for one in page.counters()["latencies"] if one["toBegan"] is not None]


def picture_rate(inspector, browser, seconds=4):
    """Pictures in a second that the page draws while 500 views scroll, and the browser's frames in that time."""
    page = LivePage(browser, inspector)
    browser.evaluate("(() => { window.frames_ = 0; const look = () => { window.frames_++; window.counting = requestAnimationFrame(look); }; look(); })()")
    before = browser.evaluate("[window.touchline.pictures.drawn, window.frames_, performance.now()]")
    deadline = time.monotonic() + seconds
    page.press(187, 500)
    while time.monotonic() < deadline:
        page.move([(187, 500 - step * 4) for step in range(60)], pause=0.008)
        page.move([(187, 264 + step * 4) for step in range(60)], pause=0.008)
    after = browser.evaluate("cancelAnimationFrame(window.counting), [window.touchline.pictures.drawn, window.frames_, performance.now()]")
    page.release(187, 500)
    passed = (after[2] - before[2]) / 1000
    return (after[0] - before[0]) / passed, (after[1] - before[1]) / passed


def long_use(inspector, browser, minutes):
    """Memory of the tab and of the server at the beginning and at the end of a use with taps and drags."""
    page = LivePage(browser, inspector)
    values = []
    deadline = time.monotonic() + minutes * 60
    step = 0
    pause = min(60, minutes * 60 / 4)
    due = time.monotonic() + pause
    for _ in range(10):
        page.tap(65, 610)
    values.append((*heap(browser), inspector.memory()))
    while time.monotonic() < deadline:
        page.tap(65, 610)
        page.drag((187, 450), (187, 150 + step % 5 * 20), steps=20)
        if step % 2:
            page.drag((187, 150), (187, 450), steps=20)
        step += 1
        if time.monotonic() >= due:
            due += pause
            values.append((*heap(browser), inspector.memory()))
    values.append((*heap(browser), inspector.memory()))
    return step, values


def measure(inspector, browser, minutes):
    """Yields a line for each figure."""
    inspector.must("group", {"yaml": MANY})
    best, middle = time_until_interactive(inspector, browser)
    yield f"interactive after {middle:.0f} ms (best of 5: {best:.0f} ms)"
    facts, own = latency_of_taps(inspector, browser)
    yield (f"browser's event to touchesBegan, {len(facts)} taps: p50 {percentile(facts, .5):.2f} ms, "
           f"p90 {percentile(facts, .9):.2f} ms, most {max(facts):.2f} ms (by facts and the page's clock offset)")
    if own:
        yield f"the same by the page's counters: p50 {percentile(own, .5):.2f} ms, p90 {percentile(own, .9):.2f} ms"
    pictures, frames = picture_rate(inspector, browser)
    yield f"500 views that scroll: {pictures:.1f} pictures/s, {frames:.1f} frames/s of the browser"
    if pictures < 2:
        raise BrowserError(f"expected at least 2 pictures/s, found {pictures:.1f}")
    rounds, values = long_use(inspector, browser, minutes)
    first, last = values[min(1, len(values) - 2)], values[-1]
    yield (f"{minutes} min, {rounds} rounds: heap of the tab {first[0]:.1f} → {last[0]:.1f} MiB, nodes {first[1]} → {last[1]}, "
           f"server {first[2]:.1f} → {last[2]:.1f} MiB; all: " + ", ".join(f"{heap:.1f}/{nodes}/{rss:.1f}" for heap, nodes, rss in values))
    if last[0] > 400 or last[2] > 1000:
        raise BrowserError(f"memory: {last}")
