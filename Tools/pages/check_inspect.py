# check_inspect.py: the page of `touchline inspect` in a real browser, with real input, and a real group behind it.
#
#     Chromium ─ mouse, fingers, keys ─▶ page ─▶ server ─▶ group ─▶ what the page shows, what the group says ─▶ differences
#
# Input     Tools/check-inspect: the program, a folder for runs, options
# Output    one line for each check that failed; figures; screenshots
# Knows     the page's elements by their ids, roles and texts

import argparse
import json
import pathlib
import random
import re
import time

import accessibility
import attack_inspect
import measure_inspect
from checks import Checks
from devtools import Browser, BrowserError
from inspector import Inspector, LivePage, Proxy, until

parser = argparse.ArgumentParser()
parser.add_argument("touchline")
parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--shots", type=pathlib.Path, required=True)
parser.add_argument("--axe", default="")
parser.add_argument("--minutes", type=float, default=0.3)
parser.add_argument("--seeds", default="1,2")
parser.add_argument("--only", default="")
options = parser.parse_args()
options.shots.mkdir(parents=True, exist_ok=True)
repository = pathlib.Path(__file__).resolve().parents[2]
scroll_data = repository.parent / "shared/data/scroll"

checks = Checks("check-inspect")
expect, part = checks.expect, checks.part
ALT = 1

BENCH = """\
id: BENCH
title: every gesture on a view of its own
screen: [375, 667]
windows:
  - name: window
    frame: [0, 0, 375, 667]
    view:
      name: root
      frame: [0, 0, 375, 667]
      subviews:
        - { name: plus, class: UIButton, frame: [20, 40, 90, 60], on: { touchUpInside: add } }
        - { name: power, class: UISwitch, frame: [130, 55, 51, 31], on: { valueChanged: turned } }
        - { name: volume, class: UISlider, frame: [200, 55, 155, 31], on: { valueChanged: heard } }
        - name: card
          frame: [20, 120, 100, 80]
          gestures: [{ name: double, class: Tap, taps: 2 }]
        - name: slab
          frame: [137, 120, 100, 80]
          gestures: [{ name: hold, class: LongPress }]
        - name: strip
          frame: [255, 120, 100, 80]
          gestures: [{ name: left, class: Swipe, direction: [left] }]
        - name: photo
          frame: [20, 220, 335, 227]
          multipleTouchEnabled: yes
          gestures:
            - { name: zoom, class: Pinch, delegate: { simultaneous: yes } }
            - { name: turn, class: Rotation, delegate: { simultaneous: yes } }
        - { name: puck, frame: [20, 457, 50, 50], drag: yes }
        - name: field
          frame: [130, 457, 225, 50]
          gestures: [{ name: pan, class: Pan }]
        - name: list
          class: UIScrollView
          frame: [0, 517, 375, 150]
          contentSize: [375, 4000]
          subviews:
            - { name: first, frame: [20, 10, 335, 40] }
            - { name: second, frame: [20, 60, 335, 40] }
"""

SECRET = """\
id: SECRET
title: a secure window
screen: [375, 667]
windows:
  - name: vault
    frame: [0, 0, 375, 667]
    secure: true
    view:
      name: combination
      frame: [0, 0, 375, 667]
      subviews:
        - { name: hidden-button, class: UIButton, frame: [100, 300, 123.25, 61.75], on: { touchUpInside: opened } }
"""


def recognized(view, gesture):
    """Whether an interaction ended with this recognizer's action."""
    return lambda each: view in (each.get("view") or "") and any(
        gesture in (one.get("name", "") or one.get("recognizer", "") or json.dumps(one)) and one.get("acted", True)
        for one in each["recognizers"]) and each["cause"] == "recognized" and f"{gesture} on" in each["because"]


def frame_of(view):
    return [view["frame"][key] for key in ("x", "y", "width", "height")]


# Gestures

def check_taps(inspector, page):
    browser = page.browser
    page.tap(65, 70)
    found = inspector.interaction(lambda each: "called add" in each["because"], "a tap of the mouse calls add")
    expect('UIButton "plus" touchesBegan' in found["receivers"], "tap: plus receives touchesBegan", found["receivers"])
    expect(max(abs(found["position"][0] - 65), abs(found["position"][1] - 70)) < 1, "tap: the point is 65,70", found["position"])
    page.says("called add")
    page.tap(155, 70)
    until(lambda: inspector.views()["power"]["control"].get("value") == 1, "a tap turns the switch on")
    browser.wait("[...document.querySelectorAll('.glass .view')].some(e => e.dataset.label.endsWith('\"power\"') &&"
                 " [...e.children].some(c => getComputedStyle(c).backgroundColor === 'rgb(52, 199, 89)'))")
    page.fingers("touchStart", [(1, 155, 70)])
    page.fingers("touchEnd", [])
    until(lambda: inspector.views()["power"]["control"].get("value", 0) == 0, "a finger turns the switch off")
    page.tap(70, 160, clicks=2)
    inspector.interaction(recognized("card", "double"), "two clicks are a double tap")
    expect(True, "double tap")


def check_drags(inspector, page):
    before = frame_of(inspector.views()["puck"])
    page.drag((45, 482), (95, 402))
    wanted = [before[0] + 50, before[1] - 80, 50, 50]
    until(lambda: max(abs(a - b) for a, b in zip(frame_of(inspector.views()["puck"]), wanted)) < 1.01,
          f"the puck follows the mouse to {wanted}, found {frame_of(inspector.views()['puck'])}")
    page.wait_shown("puck", frame_of(inspector.views()["puck"]))
    # 41 moves in about 0.2 s are more than the frames of that time: the browser coalesces, and the finger keeps its samples.
    sent = page.counters()["samplesSent"]
    page.drag((95, 402), (45, 482), steps=120, pause=0.001)
    expect(page.counters()["samplesSent"] - sent > 60, "drag: coalesced moves are sent as samples",
           page.counters()["samplesSent"] - sent)
    page.drag((150, 482), (320, 482))
    found = inspector.interaction(recognized("field", "pan"), "a drag of the mouse is a pan")
    expect(found["seconds"] > 0.05, "pan: it lasts", found["seconds"])
    page.drag((215, 70), (330, 70))
    until(lambda: inspector.views()["volume"]["control"]["value"] > 0.5, "a drag moves the slider")
    # A finger moves less than the distance that browsers ignore before a scroll: the app must hear of it.
    known = len(inspector.interactions())
    page.fingers("touchStart", [(1, 250, 480)])
    for step in range(1, 8):
        page.fingers("touchMove", [(1, 250 + step, 480)])
    page.fingers("touchEnd", [])
    until(lambda: any("it moves" in step["text"] for each in inspector.interactions()[known:] for step in each["steps"]),
          "a finger's small moves arrive")
    expect(True, "drags")


def check_two_fingers(inspector, page):
    page.two_fingers((187, 333), (30, 80), (0, 0))
    inspector.interaction(recognized("photo", "zoom"), "two fingers pinch")
    known = len(inspector.interactions())
    page.two_fingers((187, 333), (60, 60), (0, 70))
    until(lambda: any(recognized("photo", "turn")(each) for each in inspector.interactions()[known:]), "two fingers rotate")
    known = len(inspector.interactions())
    page.drag((230, 360), (320, 420), modifiers=ALT)
    mirrored = until(lambda: [each for each in inspector.interactions()[known:] if recognized("photo", "zoom")(each)],
                     "Alt and the mouse pinch")
    until(lambda: len(inspector.interactions()) >= known + 2, "Alt and the mouse are two fingers")
    both = inspector.interactions()[known:known + 2]
    middle = [sum(each["position"][axis] for each in both) / 2 for axis in (0, 1)]
    expect(abs(middle[0] - 187.5) < 1 and abs(middle[1] - 333.5) < 1, "pinch with Alt: around the screen's middle", middle)
    expect(len(mirrored) > 0, "pinch with Alt")


def check_swipe_and_press(inspector, page):
    page.drag((345, 160), (265, 162), steps=8, pause=0.006)
    inspector.interaction(recognized("strip", "left"), "a fast drag is a swipe")
    page.press(187, 160)
    page.says("hold")
    until(lambda: any("slab" in (each.get("view") or "") and any("began" in json.dumps(one) for one in each["recognizers"])
                      for each in inspector.interactions()), "a long press begins while the finger is down")
    page.release(187, 160)
    inspector.interaction(recognized("slab", "hold"), "a long press ends")
    expect(True, "swipe and long press")


def check_scroll(inspector, page):
    browser = page.browser
    browser.evaluate("""(() => { window.seen = []; const look = () => {
        const e = [...document.querySelectorAll('.glass .view')].findLast(e => e.dataset.label.endsWith('"first"'));
        const top = e ? Math.round(e.getBoundingClientRect().y * 10) : null;
        if (window.seen.at(-1) !== top) window.seen.push(top);
        window.looking = requestAnimationFrame(look); }; look(); })()""")
    page.drag((187, 650), (187, 540), steps=10, pause=0.008)
    offset = lambda: inspector.views()["list"]["scroll"]["contentOffset"]["y"]
    first = until(offset, "the list scrolls")
    def rests():
        one = offset()
        time.sleep(0.2)
        return one == offset() and one
    last = until(rests, "the list comes to rest", 20)
    expect(last > 112, "scroll: it decelerates after the lift", (first, last))
    page.wait_shown("first", [20, 517 + 10 - last, 335, 40], 1.0) if last < 400 else page.browser.settle()
    seen = browser.evaluate("cancelAnimationFrame(window.looking), window.seen.length")
    expect(seen > 10, "scroll: the page draws the way, not only the end", seen)


def check_recorded_scroll(inspector, browser):
    """A scroll view moves under fingers of the browser as recorded on a real iOS, within the tolerance of ScrollTraceTests."""
    trace = json.loads((scroll_data / "decel_v3000.json").read_text())
    width, height = trace["viewport"]["w"], trace["viewport"]["h"]
    content = trace["contentSize"]
    inspector.must("group", {"yaml": f"""\
id: SCROLL
title: a recorded scroll
screen: [{width}, {height}]
windows:
  - name: window
    frame: [0, 0, {width}, {height}]
    view:
      name: list
      class: UIScrollView
      frame: [0, 0, {width}, {height}]
      contentSize: [{content['w']}, {content['h']}]
      contentOffset: [0, {trace['startOffsetY']}]
"""})
    page = LivePage(browser, inspector)
    until(lambda: page.size() == [width, height], f"the screen has {width} × {height} points, found {page.size()}", 10)
    # The moments of the recording as the browser's times of the events, whenever they are sent.
    start = time.time() + 0.1
    numbers = []
    for moment, x, y, phase in trace["touches"]:
        while time.time() < start + moment:
            pass
        kind = {"began": "touchStart", "moved": "touchMove", "ended": "touchEnd"}[phase]
        points = [] if phase == "ended" else [(1, x, y)]
        numbers.append(page.fingers(kind, points, wait=False, timestamp=start + moment))
    for number in numbers:
        browser.answer(number)
    final = lambda: inspector.views()["list"]["scroll"]["contentOffset"]["y"]
    until(lambda: abs(final() - trace["final"]) < 400, f"the list comes near {trace['final']}, found {final()}", 20)
    def rests():
        one = final()
        time.sleep(0.3)
        return one == final() and one
    rest = until(rests, "the list comes to rest", 20)
    record = inspector.must("lookback", {})["record"]
    frames = offsets_after_lift(record)
    recorded = trace["frames_60Hz_offset"]
    # The browser's times are steps of 0.1 ms, so the velocity at the lift is known to about 0.5 %. The frames are compared
    # after the way is scaled, with the tolerance of ScrollTraceTests.
    begin = trace["offset_after_each_move_from_there"][-1]
    scale = (trace["final"] - begin) / (rest - begin)
    frames = [(at, begin + (offset - begin) * scale) for at, offset in frames]
    deviation, compared = min((deviation_of(frames, recorded, phase / 200) for phase in range(200)),
                              key=lambda one: (one[1] < len(recorded) // 2, one[0]))
    checks.say(f"recorded scroll: final {rest:.1f}, recorded {trace['final']:.1f}; "
          f"nine in ten of {compared} frames differ by at most {deviation:.2f} pt")
    expect(abs(scale - 1) < 0.005, f"recorded scroll: it rests at {trace['final']}", rest)
    expect(deviation <= 1 and compared >= len(recorded) // 2, "recorded scroll: nine in ten frames after the lift within 1 pt", (deviation, compared))


def offsets_after_lift(record):
    """(ns, offset) of a scroll view at each change of the screen after the last finger has lifted."""
    lift = max(finger["up"] for finger in record["fingers"])
    found = []
    for change in record["screens"]:
        for view in change.get("views", []):
            if "sc" in view and change["at"] > lift:
                found.append((change["at"], view["sc"][1]))
    return found


def deviation_of(frames, recorded, phase):
    """The difference in points of nine in ten of our frames from the recorded motion, and how many frames were compared.

    Our display's frames are at another phase than the recorded ones, a share of a frame. A busy machine may skip frames, so
    each of ours is compared with the nearest one after the frame before.
    """
    differences, next_index = [], 0
    motion = [recorded[index] * (1 - phase) + recorded[index + 1] * phase for index in range(len(recorded) - 1)]
    for _, offset in frames:
        if next_index >= len(motion) or offset < motion[0] - 1:
            continue
        index = min(range(next_index, min(len(motion), next_index + 30)), key=lambda index: abs(motion[index] - offset))
        differences.append(abs(motion[index] - offset))
        next_index = index + 1
    return sorted(differences)[len(differences) * 9 // 10] if differences else 0, len(differences)


def check_keys(inspector, page):
    """A tap without a pointer: the tab key reaches the glass, arrows move the cursor, space taps."""
    browser = page.browser
    browser.evaluate("document.activeElement.blur()")
    for _ in range(80):
        browser.key("Tab")
        if browser.evaluate("document.activeElement.id === 'glass' || document.activeElement.classList.contains('glass')"):
            break
    else:
        raise BrowserError("the tab key does not reach the glass")
    known = len(inspector.interactions())
    for name in ["ArrowUp"] * 27 + ["ArrowLeft"] * 12:
        browser.key_down(name)
        browser.key_up(name)
    browser.key(" ")
    until(lambda: any("called add" in each["because"] for each in inspector.interactions()[known:]), "a key taps plus")
    known = len(inspector.interactions())
    browser.key_down(" ")
    for _ in range(4):
        browser.key("ArrowDown")
    browser.key("Escape")
    until(lambda: any("cancel" in json.dumps(each["steps"]).lower() for each in inspector.interactions()[known:]),
          "Escape cancels the finger")
    browser.key_up(" ")
    expect(True, "keys")


def gestures(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    for check in (check_taps, check_drags, check_two_fingers, check_swipe_and_press, check_scroll, check_keys):
        with part(check.__name__.removeprefix("check_")):
            check(inspector, page)
    browser.screenshot(options.shots / "gestures.png")
    if (scroll_data / "decel_v3000.json").exists():
        with part("recorded scroll"):
            check_recorded_scroll(inspector, browser)
    else:
        checks.say("recorded scroll: NOT RUN: no shared/data/scroll beside the repository")


# What is secret

def numbers_near(value, points):
    """Pairs of numbers, and numbers in texts, that are near one of the points."""
    found = []

    def near(x, y):
        return any(abs(x - left) < 1.5 and abs(y - top) < 1.5 for left, top in points)

    def walk(value):
        if isinstance(value, dict):
            x, y = value.get("x"), value.get("y")
            if isinstance(x, (int, float)) and isinstance(y, (int, float)) and near(x, y):
                found.append(value)
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for first, second in zip(value, value[1:]):
                if type(first) in (int, float) and type(second) in (int, float) and near(first, second):
                    found.append(value[:8])
            for each in value:
                walk(each)
        elif isinstance(value, str):
            for x, y in re.findall(r"(\d+(?:\.\d+)?), ?(\d+(?:\.\d+)?)", value):
                if near(float(x), float(y)):
                    found.append(value)
    walk(value)
    return found


def check_secret(inspector, browser):
    """No message of the server has a position or a view of a secure window, also not for another browser."""
    frames = []
    browser.call("Network.enable")
    browser.listen("Network.webSocketFrameReceived", lambda event: frames.append(event["response"]["payloadData"]))
    inspector.must("group", {"yaml": SECRET})
    watcher, rest = attack_inspect.opened(attack_inspect.Target(inspector.port, inspector.token))
    try:
        browser.open(inspector.address, 1280, 900)
        browser.wait("document.querySelector('.glass .view.secure') !== null && window.touchline.state === 'live'")
        page = LivePage.__new__(LivePage)
        page.browser, page.inspector = browser, inspector
        page.tap(161, 331)
        page.drag((111, 301), (211, 351), steps=20, pause=0.02)
        until(lambda: len(inspector.interactions()) >= 2, "the secure window is touched")
        browser.wait("window.touchline.records > 0 && window.touchline.facts > 0")
        # What was in the way before the touches ended has arrived after another picture or record.
        known = page.counters()["records"]
        page.tap(161, 331)
        browser.wait(f"window.touchline.records > {known}")
        # The watcher's messages up to now: it reads until it has as new a picture as the page.
        watcher.sendall(attack_inspect.text({"t": "clock", "n": 77, "at": 5}))
        watcher.settimeout(20)
        while b'"clock","n":77' not in rest:
            rest += watcher.recv(1 << 16)
        texts = frames + [data.decode() for opcode, data in attack_inspect.frames_of(rest) if opcode == 1]
        expect(len(frames) > 3 and len(texts) > len(frames) + 1, "secret: messages were received", (len(frames), len(texts)))
        touched = [(161, 331)] + [(111 + step * 5, 301 + step * 2.5) for step in range(21)]
        # Steps and facts may name a view, as in every trace. No message has its text or its frame.
        for word, kinds in (("hidden-button", ("picture",)), ("123.25", ("picture", "record", "facts")), ("61.75", ("picture", "record", "facts"))):
            found = [text[:300] for text in texts if word in text and json.loads(text).get("t") in kinds]
            expect(found == [], f"secret: {word} is in no message", found[:1])
        leaks = [(text[:20], numbers_near(json.loads(text), touched)[:3]) for text in texts
                 if json.loads(text).get("t") != "clock" and numbers_near(json.loads(text), touched)]
        expect(leaks == [], "secret: no position in any message", leaks[:2])
        inside = browser.evaluate("[...document.querySelectorAll('.glass .view.secure .view')].map(e => e.dataset.label)")
        expect(inside == [], "secret: nothing is drawn inside the secure window", inside)
    finally:
        watcher.close()
        browser.listeners.pop("Network.webSocketFrameReceived", None)
        browser.call("Network.disable")


# Processes and browsers

def check_killed_app(inspector, browser):
    """An app dies in the middle of a drag: its touch is cancelled, it comes back, a later tap works."""
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    before = until(lambda: inspector.process_of("app1"), "app1 is there")
    page.press(200, 482)
    page.move([(200 + step * 2, 482) for step in range(20)])
    inspector.must("process", {"name": "app1", "act": "kill"})
    after = until(lambda: (now := inspector.process_of("app1")) and now["restarts"] > before["restarts"]
                  and now["state"] == "ready" and now, "app1 comes back")
    expect(after["pid"] != before["pid"], "kill: another process", after["pid"])
    page.move([(240 + step, 482) for step in range(20)])
    page.release(260, 482)
    page.wait_ready()
    def tapped():
        page.tap(65, 70)
        time.sleep(0.3)
        return any("called add" in each["because"] for each in inspector.interactions())
    until(tapped, "a tap works after the app came back", 20)
    browser.wait("document.querySelector('.glass .view') !== null")
    expect(True, "kill")


def check_two_browsers(inspector, browser):
    """Two browsers touch at once: each finger belongs to its browser's device."""
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    with Browser() as second:
        other = LivePage(second, inspector)
        page.press(150, 482)
        other.press(45, 482)
        page.move([(150 + step * 4, 482) for step in range(30)])
        browser.wait("[...document.querySelectorAll('.glass [data-other]')].some(e => e.style.display !== 'none')")
        other.move([(45 + step, 482 - step) for step in range(30)])
        page.release(266, 482)
        expect(frame_of(inspector.views()["puck"])[0] > 20, "two browsers: the second finger drags on after the first lifts")
        other.release(74, 453)
        inspector.interaction(recognized("field", "pan"), "the first browser's finger pans")
        until(lambda: abs(frame_of(inspector.views()["puck"])[0] - 49) < 1.01, "the second browser's finger moves the puck")
        page.wait_shown("puck", frame_of(inspector.views()["puck"]))
        other.wait_shown("puck", frame_of(inspector.views()["puck"]))
        expect(second.problems == [], "two browsers: no message on the second console", second.problems[:3])
        # A tab that is closed in the middle of a touch: the finger is cancelled.
        known = len(inspector.interactions())
        other.press(200, 482)
        other.move([(200 + step, 482) for step in range(10)])
        until(lambda: len(inspector.interactions()) > known, "the finger is down")
        second.close_tab()
        until(lambda: any("cancel" in json.dumps(each).lower() for each in inspector.interactions()[known:]),
              "a closed tab cancels its finger")
        page.tap(65, 70)
        until(lambda: any("called add" in each["because"] for each in inspector.interactions()[known:]),
              "the first browser taps after the second is gone")
        expect(True, "two browsers")


def check_resting_finger(inspector, browser):
    """A finger that rests longer than any silence of the connection stays down."""
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    page.press(45, 482)
    started = time.monotonic()
    page.says("finger")
    # The time is what is checked: nothing is sent meanwhile.
    browser.wait("new Promise(done => setTimeout(() => done(true), 6500))", 10)
    page.move([(45 + step * 3, 482) for step in range(11)])
    page.release(75, 482)
    found = inspector.interaction(lambda each: "puck" in (each.get("view") or "") and any(
        "lifts" in step["text"] for step in each["steps"]), "the resting finger lifts")
    expect(found["seconds"] > 6 and "cancel" not in json.dumps(found["steps"]).lower(), "rest: the finger stays down for 6.5 s",
           (found["seconds"], round(time.monotonic() - started, 1)))
    until(lambda: abs(frame_of(inspector.views()["puck"])[0] - 50) < 1.01, "the puck follows after the rest")


def forget(browser, known, *parts):
    """Forgets the problems since the first `known` that contain one of these texts: the check has made them."""
    browser.problems[known:] = [problem for problem in browser.problems[known:] if not any(part in problem for part in parts)]


def check_reconnect(inspector, browser):
    """A connection that is cut in the middle of a touch: the finger is cancelled, the page comes back by itself."""
    inspector.must("group", {"yaml": BENCH})
    known = len(browser.problems)
    proxy = Proxy(inspector)
    try:
        page = LivePage(browser, inspector, address=proxy.address)
        page.press(200, 482)
        page.move([(200 + step, 482) for step in range(20)])
        until(lambda: inspector.interactions(), "the finger is down")
        before = page.counters()["browser"]
        proxy.cut()
        browser.wait("window.touchline.state !== 'live'")
        expect(browser.evaluate("document.querySelector('#banner').hidden === false"), "reconnect: a banner says that the connection is lost")
        until(lambda: any("cancel" in json.dumps(each).lower() for each in inspector.interactions()), "the finger is cancelled")
        page.wait_ready()
        expect(page.counters()["browser"] != before or before is None, "reconnect: the server has another browser", before)
        page.release(220, 482)
        page.tap(65, 70)
        inspector.interaction(lambda each: "called add" in each["because"], "a tap works after the connection came back")
        expect(browser.evaluate("document.querySelector('#banner').hidden"), "reconnect: the banner is gone")
    finally:
        # A page that has left asks for nothing more.
        browser.call("Page.navigate", url="about:blank")
        proxy.close()
        # What was on its way through the proxy has no answer.
        forget(browser, known, "net::ERR_")


def check_restart(inspector, browser):
    """A server that has ended and another one on its port: the page says so, and the new address works."""
    known = len(browser.problems)
    with Inspector(options.touchline, options.work / "second") as first:
        LivePage(browser, first)
        port = first.port
        first.stop()
        browser.wait("window.touchline.state !== 'live' && document.querySelector('#banner').hidden === false")
    with Inspector(options.touchline, options.work / "second", port=port) as second:
        expect(second.port == port, "restart: the port is free again", second.port)
        expect(browser.evaluate("window.touchline.state") != "live", "restart: the old page has no token of the new server")
        second.must("group", {"yaml": BENCH})
        page = LivePage(browser, second)
        page.tap(65, 70)
        second.interaction(lambda each: "called add" in each["because"], "a tap works on the new server")
    # Connections that nobody takes are what this check makes. A request that a server has taken is answered before it ends.
    forget(browser, known, "WebSocket", "ERR_CONNECTION")


def sessions(inspector, browser):
    for check in (check_killed_app, check_two_browsers, check_resting_finger, check_reconnect, check_restart, check_secret):
        with part(check.__name__.removeprefix("check_").replace("_", " ")):
            check(inspector, browser)


# Scenes, dials, looking back

def choose_tab(browser, name):
    browser.click(f"#control-tab-{name}")
    browser.wait(f"!document.querySelector('#control-panel-{name}').hidden")


def write_scene(browser, text):
    browser.click("#scene-text")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="a", code="KeyA", windowsVirtualKeyCode=65, modifiers=2, commands=["selectAll"])
    browser.call("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA", windowsVirtualKeyCode=65, modifiers=2)
    browser.call("Input.insertText", text=text)
    browser.wait(f"document.querySelector('#scene-text').value.trim() === {json.dumps(text.strip())}")
    browser.click("#scene-apply")


def check_editor(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    choose_tab(browser, "scene")
    browser.wait("document.querySelector('#scene-text').value.includes('name: plus')")
    write_scene(browser, BENCH.replace("frame: [20, 40, 90, 60]", "frame: [30, 30, 70, 60]"))
    page.wait_shown("plus", [30, 30, 70, 60])
    expect(frame_of(inspector.views()["plus"]) == [30, 30, 70, 60], "editor: the group has the changed scene",
           frame_of(inspector.views()["plus"]))
    before = inspector.process_of("app1")["pid"]
    broken = BENCH.replace("frame: [130, 55, 51, 31]", "frame: [130, 55, wide, 31]")
    line = next(index for index, text in enumerate(broken.split("\n"), 1) if "wide" in text)
    write_scene(browser, broken)
    browser.wait("!document.querySelector('#scene-error').hidden")
    said = browser.evaluate("document.querySelector('#scene-error').textContent")
    expect(str(line) in said, f"editor: an error in line {line} is shown with it", said)
    browser.screenshot(options.shots / "editor-error.png")
    # The browser notes each answer that says no.
    browser.problems = [problem for problem in browser.problems if "422" not in problem]
    expect(inspector.process_of("app1")["pid"] == before, "editor: the old group goes on after an error")
    page.tap(65, 60)
    inspector.interaction(lambda each: "called add" in each["because"], "a tap works after a scene with an error")


def check_dials(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    # A press that is too short for the recognizer.
    page.press(187, 160)
    page.says("hold")
    page.release(187, 160)
    found = inspector.interaction(lambda each: "slab" in (each.get("view") or ""), "the short press is over")
    expect(found["cause"] != "recognized" and found["seconds"] < 0.5, "dial: the press is too short", (found["cause"], found["seconds"]))
    with part("what if"):
        browser.wait("!document.querySelector('#whatif').disabled")
        browser.click("#whatif")
        browser.wait("document.querySelectorAll('#whatif-answers li').length > 0", 30)
        text = browser.evaluate("document.querySelector('#whatif-answers').textContent")
        expect("minimumPressDuration" in text or "0." in text or "longer" in text, "what if: an answer names a change", text)
    choose_tab(browser, "dials")
    browser.wait("document.querySelectorAll('.dial').length > 0")
    dials = browser.evaluate("[...document.querySelectorAll('.dial')].map(e => [e.dataset.id, e.textContent])")
    identity = next((one for one, _ in dials if one.endswith("hold/minimumPressDuration")), None)
    expect(identity is not None, "dial: the long press has one", dials)
    slider = f"[data-id={json.dumps(identity)}] input"
    browser.box(slider)
    browser.evaluate(f"document.querySelector({json.dumps(slider)}).focus()")
    pid = inspector.process_of("app1")["pid"]
    browser.key("Home")
    until(lambda: (now := inspector.process_of("app1")) and now["pid"] != pid, "the dial starts another group")
    page.wait_ready()
    duration = until(lambda: (views := inspector.views()) and views["slab"]["recognizers"][0]["duration"] < 0.5
                     and [views["slab"]["recognizers"][0]["duration"]], "the recognizer has the dial's value")[0]
    known = len(inspector.interactions())
    browser.click("#again")
    until(lambda: any("slab" in (each.get("view") or "") for each in inspector.interactions()[known:])
          or browser.evaluate("document.querySelector('#notices').textContent"), "the finger is played again")
    expect(not browser.evaluate("document.querySelector('#notices').textContent"), "try again: no message",
           browser.evaluate("document.querySelector('#notices').textContent"))
    inspector.interaction(recognized("slab", "hold"), f"the same press is long enough for {duration} s")
    expect(True, "dial and try again")


def check_look_back(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    page.tap(65, 70)
    page.drag((45, 482), (105, 442))
    inspector.interaction(lambda each: "puck" in (each.get("view") or "") and each["seconds"] > 0.05, "the puck was dragged")
    choose_tab(browser, "run")
    browser.click("#lookback")
    browser.wait("!document.querySelector('#lookback-view').hidden && document.querySelector('#lookback-view #scrub') !== null")
    inside = "document.querySelector('#lookback-view')"
    clock = f"parseFloat({inside}.querySelector('#clock').textContent.replace('\u2212', '-'))"
    expect(browser.evaluate(f"{inside}.querySelectorAll('.interaction').length") == 2, "look back: two interactions")
    x, y, width, height = browser.box("#lookback-view #scrub")
    browser.drag(x + width * 0.05, y + height / 2, x + width - 1, y + height / 2)
    late = browser.evaluate(clock)
    puck = "[...document.querySelectorAll('#lookback-view .view')].findLast(e => e.dataset.label.endsWith('\"puck\"'))"
    at_end = browser.evaluate(f"{puck}.style.left + ' ' + {puck}.style.top")
    browser.evaluate("document.activeElement.blur()")
    browser.key("Home")
    early = browser.evaluate(clock)
    # The first moments of a run have no screen yet.
    for _ in range(100):
        if browser.evaluate(f"{puck} !== undefined"):
            break
        browser.key("ArrowRight")
    at_begin = browser.evaluate(f"{puck}.style.left + ' ' + {puck}.style.top")
    expect(early < late and at_begin != at_end, "look back: scrubbing moves the puck", (early, late, at_begin, at_end))
    browser.key("Home")
    browser.key("ArrowRight")
    first = browser.evaluate(clock)
    browser.key("ArrowRight")
    expect(browser.evaluate(clock) > first >= early, "look back: → steps from event to event", (early, first, browser.evaluate(clock)))
    browser.click("#lookback-view [data-speed='0.1']")
    begin, start = browser.evaluate(clock), time.monotonic()
    browser.evaluate("document.activeElement.blur()")
    browser.key(" ")
    browser.wait(f"{clock} > {begin} + 5")
    passed, real = browser.evaluate(clock) - begin, (time.monotonic() - start) * 1000
    browser.key(" ")
    expect(0 < passed < real / 5, "look back: slow motion is slow", (passed, real))
    browser.screenshot(options.shots / "look-back.png")
    browser.click("#live")
    browser.wait("document.querySelector('#lookback-view').hidden")
    page.tap(155, 70)
    until(lambda: inspector.views()["power"]["control"].get("value") == 1, "a tap works after looking back")


def check_plays(inspector, browser):
    """A script of fingers, a process that is stopped, and what the page offers."""
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    inspector.must("play", {"script": "tap f1 (65,70) @0"})
    inspector.interaction(lambda each: "called add" in each["because"], "a script's tap arrives")
    choices = inspector.must("choices")
    expect(len(choices["scenes"]) > 3 and len(choices["apps"]) > 3, "choices: scenes and apps", choices.get("scenes", [])[:2])
    choose_tab(browser, "run")
    browser.wait("document.querySelectorAll('#choice option').length > 5")
    inspector.must("group", {"app": "taps"})
    page.wait_ready()
    browser.wait("[...document.querySelectorAll('.glass .view')].some(e => e.dataset.label?.endsWith('\"heard\"'))")
    page.tap(187, 333)
    until(lambda: "single" in inspector.views()["heard"].get("text", ""), "the sample app hears a tap")
    browser.wait("document.querySelector('.glass').textContent.includes('single')")
    expect(True, "plays")


def edits(inspector, browser):
    for check in (check_editor, check_dials, check_look_back, check_plays):
        with part(check.__name__.removeprefix("check_").replace("_", " ")):
            check(inspector, browser)


# Looks

sizes = [(390, 844), (1280, 800), (3840, 2160)]

LOOK = """(() => {
  const small = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest('script, style, title, .view .text, option')) continue;
    const box = parent.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(parent).visibility === 'hidden') continue;
    const glass = document.querySelector('.glass .scaled');
    const scale = parent.closest('.scaled') ? glass.getBoundingClientRect().width / parseFloat(glass.style.width) : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale + 0.01;
    if (size < 12) small.push(`${size}px ${walker.currentNode.textContent.slice(0, 30)}`);
  }
  return { width: document.documentElement.scrollWidth, room: innerWidth, small: small.slice(0, 3),
    foreign: performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith(location.origin)),
    back: getComputedStyle(document.body).backgroundColor };
})()"""


def each_look():
    for width, height in sizes:
        for dark in (False, True):
            yield width, height, dark, f"{width}-{'dark' if dark else 'light'}"


def looks(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    backs = set()
    for width, height, dark, name in each_look():
        with part(f"look {name}"):
            page = LivePage(browser, inspector, width, height, dark=dark, touch=width < 600)
            page.tap(65, 70)
            page.says("called add")
            look = browser.evaluate(LOOK)
            expect(look["width"] <= look["room"], f"{name}: the body scrolls sideways", look["width"])
            expect(look["small"] == [], f"{name}: text below 12 px", look["small"])
            expect(look["foreign"] == [], f"{name}: the page loads from elsewhere", look["foreign"])
            backs.add((dark, look["back"]))
            browser.screenshot(options.shots / f"inspect-{name}.png")
            if height < 2000:
                browser.screenshot(options.shots / f"inspect-{name}-whole.png", whole=True)
    expect(len(backs) == 2, "one background for light and one for dark", backs)
    with part("reduced motion"):
        LivePage(browser, inspector, reduced_motion=True)
        moving = browser.evaluate("[...document.querySelectorAll('body *')].filter(e => { const s = getComputedStyle(e);"
                                  "return s.transitionDuration.split(',').some(t => parseFloat(t) > 0.01)"
                                  " || s.animationName !== 'none' && parseFloat(s.animationDuration) > 0.01; })"
                                  ".slice(0, 3).map(e => e.className || e.tagName)")
        expect(moving == [], "reduced motion: nothing fades or moves by itself", moving)


def axe(inspector, browser):
    if not options.axe:
        checks.say("axe: NOT RUN: axe-core is not there")
        return
    script = pathlib.Path(options.axe).read_text()
    inspector.must("group", {"yaml": BENCH})
    for width, height in sizes[:2]:
        for dark in (False, True):
            with part(f"axe at {width}, {'dark' if dark else 'light'}"):
                page = LivePage(browser, inspector, width, height, dark=dark, touch=width < 600)
                page.tap(65, 70)
                page.says("called add")
                # A color on its way to another is no color of the page.
                browser.wait("document.getAnimations().every(one => one.playState !== 'running')")
                found = accessibility.findings(browser, script)
                expect(found == [], f"axe at {width}, {'dark' if dark else 'light'}", found)


# Speed and malformed requests

def speed(inspector, browser):
    with part("speed"):
        for line in measure_inspect.measure(inspector, browser, options.minutes):
            checks.say(line)


def attack(inspector, browser):
    inspector.must("group", {"yaml": BENCH})
    page = LivePage(browser, inspector)
    before = inspector.memory()
    drawn = random.SystemRandom().randrange(1 << 32)
    seeds = [int(seed) for seed in options.seeds.split(",") if seed] + [drawn]
    total = 0

    def report(failure):
        nonlocal total
        total += 1
        expect(failure is None, f"attack: {failure}")
    with part("attack"):
        slowest = attack_inspect.attack(inspector.port, inspector.token, seeds, 40, report)
        grown = inspector.memory() - before
        checks.say(f"attack: {total} cases, seeds {seeds}; slow requests lasted {slowest:.1f} s; "
              f"the server has {inspector.memory():.1f} MiB, {grown:.1f} more")
        expect(inspector.process.poll() is None, "attack: the server is there")
        expect(grown < 64, "attack: the server grew by less than 64 MiB", grown)
        page = LivePage(browser, inspector)
        known = len(inspector.interactions())
        page.tap(65, 70)
        until(lambda: any("called add" in each["because"] for each in inspector.interactions()[known:]), "a tap works afterwards")


parts = {"gestures": gestures, "sessions": sessions, "edits": edits, "looks": looks, "axe": axe, "speed": speed, "attack": attack}
chosen = [name for name in options.only.split(",") if name] or list(parts)

with checks.browser() as browser:
    with Inspector(options.touchline, options.work / "runs") as inspector:
        for name in chosen:
            with part(f"part {name}"):
                parts[name](inspector, browser)
        code = inspector.stop()
        expect(code == 0, "the server ends with 0 after Ctrl-C", (code, inspector.said()[-300:]))
    # The page of a server that was ended tries to connect to it again.
    problems = [problem for problem in browser.problems if "ERR_CONNECTION_REFUSED" not in problem]
    expect(problems == [], "no message on the console", problems[:3])

checks.finish(options.shots)
