# inspector.py: a running `touchline inspect`, its group, and its page in a browser.
#
#     Inspector (process, API, what the group says) ─▶ LivePage (points of the phone's screen as input of the browser)
#
# Input     check_inspect.py, measure_inspect.py, record_inspect.py
# Knows     the command's options, the server's addresses, and how the page scales the phone's screen

import contextlib
import json
import math
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from devtools import BrowserError


def until(condition, what, seconds=30, pause=0.03):
    """Asks again and again until the condition holds, and returns what it returned."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise BrowserError(f"not within {seconds} s: {what}")
        time.sleep(pause)


class Inspector:
    """`touchline inspect` as a process. Files of its group are in `folder`."""

    def __init__(self, touchline, folder, *options, port=0):
        self.touchline = touchline
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.environment = os.environ | {"TMPDIR": str(self.folder)}
        self.errors = open(self.folder / "inspect.err", "a+")
        self.process = subprocess.Popen([touchline, "inspect", "--port", str(port), *options], stdout=subprocess.PIPE,
                                        stderr=self.errors, stdin=subprocess.DEVNULL, text=True, env=self.environment)
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        line = self.process.stdout.readline() if ready else ""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        if not found:
            self.process.kill()
            self.process.wait()
            raise BrowserError(f"touchline inspect has no address: {line.strip()} {self.said()}")
        self.address = found.group(0)
        self.port, self.token = int(found.group(1)), found.group(2)

    def said(self):
        """What the program has written to stderr."""
        return (self.folder / "inspect.err").read_text().strip()[-2000:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends the program as Ctrl-C does. Returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.errors.close()
        return self.process.returncode

    def memory(self):
        """The server's resident memory in MiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text).group(1)) / 1024

    # The server's API

    def api(self, path, body=None):
        """Returns the status of an answer and its JSON. With a body the request is a POST."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{path}", data=data, headers={
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
            "Origin": f"http://127.0.0.1:{self.port}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text.startswith(b"{") else text.decode(errors="replace")

    def must(self, path, body=None):
        status, answer = self.api(path, body)
        if status != 200:
            raise BrowserError(f"/api/{path} of {json.dumps(body)[:80]}: {status} {str(answer)[:300]}")
        return answer

    # What the group says

    def run_directory(self):
        """The folder of the group as it is now. A group that is restarted has another one."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                words = (entry / "cmdline").read_text().split("\0")
            except (OSError, IndexError):
                continue
            if parent == self.process.pid and "--run-dir" in words:
                found.append((int(entry.name), words[words.index("--run-dir") + 1]))
        if not found:
            raise BrowserError("touchline inspect has no group")
        return max(found)[1]

    def run(self, *words, codes=(0,)):
        words = (*words, "--run-dir", self.run_directory())
        result = subprocess.run([self.touchline, *words], capture_output=True, text=True, timeout=120, env=self.environment)
        if result.returncode not in codes:
            raise BrowserError(f"touchline {' '.join(words)}: {result.stderr.strip()[-500:]}")
        return result.stdout

    def status(self):
        """The group's state; one without processes while the page starts another group."""
        return json.loads(self.run("status", "--json", codes=(0, 1, 3)) or '{"processes": []}')

    def process_of(self, name):
        return next((process for process in self.status()["processes"] if process["name"] == name), None)

    def views(self, app="app1"):
        """The views of an app by their identifier, as `touchline tree` says."""
        apps = json.loads(self.run("tree", "--json"))["apps"]
        tree = next(entry["tree"] for entry in apps if entry["app"] == app)
        return {view["identifier"]: view for view in tree["views"] if "identifier" in view}

    def interactions(self):
        """What became of each finger so far, as `touchline explain` says."""
        result = self.run("explain", "--json", codes=(0, 1))
        return json.loads(result)["interactions"] if result.strip() else []

    def interaction(self, condition, what, seconds=30):
        """The last interaction for which the condition holds, as soon as there is one."""
        def look():
            return [each for each in self.interactions() if condition(each)]
        return until(look, what, seconds, 0.1)[-1]


class Proxy:
    """Another port for the page, whose connections can be cut."""

    def __init__(self, inspector):
        self.server = inspector.port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.address = inspector.address.replace(f":{self.server}/", f":{self.port}/")
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.server))
            self.open += [client, server]
            threading.Thread(target=self.copy, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client, False), daemon=True).start()

    def copy(self, source, target, is_request):
        head = b"" if is_request else None
        try:
            while piece := source.recv(1 << 16):
                if head is not None:
                    # The server knows itself by its own port only.
                    head += piece
                    if b"\r\n\r\n" not in head:
                        continue
                    piece, head = head.replace(f":{self.port}".encode(), f":{self.server}".encode()), None
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Ends every connection."""
        for connection in self.open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self.open = []

    def close(self):
        self.listener.close()
        self.cut()


class LivePage:
    """The inspector's page in a browser, in points of the phone's screen."""

    def __init__(self, browser, inspector, width=1280, height=900, address=None, **look):
        self.browser, self.inspector = browser, inspector
        browser.open(address or inspector.address, width, height, **look)
        self.wait_ready()

    READY = ("document.querySelector('.glass .view') !== null && window.touchline !== undefined"
             " && window.touchline.state === 'live'")

    def wait_ready(self):
        self.browser.wait(self.READY, 30)

    def size(self):
        return self.browser.evaluate("[parseFloat(document.querySelector('.glass .scaled').style.width),"
                                     " parseFloat(document.querySelector('.glass .scaled').style.height)]")

    def place(self, x, y):
        """The position of a point of the phone's screen in the browser's viewport."""
        left, top, width, height = self.browser.evaluate(
            "(() => { const e = document.querySelector('.glass'); const b = e.getBoundingClientRect();"
            "if (b.top < 0 || b.bottom > innerHeight) e.scrollIntoView({block: 'nearest', behavior: 'instant'});"
            "const c = e.getBoundingClientRect(); const s = getComputedStyle(e);"
            "return [c.x + parseFloat(s.borderLeftWidth), c.y + parseFloat(s.borderTopWidth), e.clientWidth, e.clientHeight]; })()")
        screen = self.size()
        return left + x * width / screen[0], top + y * height / screen[1]

    # Mouse

    def tap(self, x, y, clicks=1):
        x, y = self.place(x, y)
        self.browser.mouse("mouseMoved", x, y)
        for click in range(1, clicks + 1):
            self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=click)
            self.browser.mouse("mouseReleased", x, y, button="left", clickCount=click)

    def press(self, x, y, modifiers=0):
        x, y = self.place(x, y)
        self.browser.mouse("mouseMoved", x, y, modifiers=modifiers)
        self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)

    def move(self, points, modifiers=0, pause=0.004):
        """Moves the pressed mouse. The moves are sent without waiting, so the browser coalesces those of one frame."""
        places = [self.place(x, y) for x, y in (points[0], points[-1])]
        # A point's position in the viewport is linear in it.
        (x0, y0), (x1, y1) = points[0], points[-1]
        def at(value, a, b, pa, pb):
            return pa if a == b else pa + (value - a) * (pb - pa) / (b - a)
        numbers = []
        for x, y in points:
            numbers.append(self.browser.post("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1,
                                             x=at(x, x0, x1, places[0][0], places[1][0]),
                                             y=at(y, y0, y1, places[0][1], places[1][1]), modifiers=modifiers))
            time.sleep(pause)
        for number in numbers:
            self.browser.answer(number)

    def release(self, x, y, modifiers=0):
        x, y = self.place(x, y)
        self.browser.mouse("mouseReleased", x, y, button="left", clickCount=1, modifiers=modifiers)

    def drag(self, start, end, steps=40, modifiers=0, pause=0.004):
        self.press(*start, modifiers=modifiers)
        self.move([(start[0] + (end[0] - start[0]) * step / steps, start[1] + (end[1] - start[1]) * step / steps)
                   for step in range(steps + 1)], modifiers, pause)
        self.release(*end, modifiers=modifiers)

    # Fingers

    def fingers(self, kind, points, **more):
        """Touches: `points` is a list of (id, x, y) in points of the phone's screen."""
        placed = [(finger, *self.place(x, y)) for finger, x, y in points]
        return self.browser.touch(kind, placed, **more)

    def two_fingers(self, center, radii, angles, steps=24):
        """Two fingers around a center: their radius and angle (degrees) go from the first value to the second."""
        for step in range(steps + 1):
            share = step / steps
            radius = radii[0] + (radii[1] - radii[0]) * share
            angle = math.radians(angles[0] + (angles[1] - angles[0]) * share)
            across = (math.cos(angle) * radius, math.sin(angle) * radius)
            points = [(1, center[0] - across[0], center[1] - across[1]), (2, center[0] + across[0], center[1] + across[1])]
            self.fingers("touchStart" if step == 0 else "touchMove", points)
        self.fingers("touchEnd", [])

    # What the page shows

    def says(self, text, seconds=20):
        """Waits until the page's text contains this."""
        self.browser.wait(f"document.querySelector('main').textContent.includes({json.dumps(text)})", seconds)

    def counters(self):
        return self.browser.evaluate("window.touchline")

    def shown(self, name):
        """The box of the view with this identifier in points of the screen, as it is drawn, or None."""
        return self.browser.evaluate(
            "(() => { const g = document.querySelector('.glass'), s = document.querySelector('.glass .scaled');"
            # The app in front is the last one.
            f"const e = [...document.querySelectorAll('.glass .view')].findLast(e => e.dataset.label?.endsWith({json.dumps(json.dumps(name))}));"
            "if (!e) return null; const b = e.getBoundingClientRect(), o = s.getBoundingClientRect();"
            "const k = parseFloat(s.style.width) / o.width;"
            "return [(b.x - o.x) * k, (b.y - o.y) * k, b.width * k, b.height * k]; })()")

    def wait_shown(self, name, box, tolerance=1.0, seconds=20):
        def near():
            found = self.shown(name)
            return found and all(abs(a - b) <= tolerance for a, b in zip(found, box))
        until(near, f"{name} is drawn at {box}, found {self.shown(name)}", seconds)
