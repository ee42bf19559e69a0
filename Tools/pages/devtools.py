# devtools.py: a headless Chromium through its DevTools protocol, with nothing but the standard library.
#
#     Page.open ─▶ navigation ─▶ evaluate, mouse, fingers, keys, screenshot ─▶ errors of the console
#
# Input     Tools/check-report, Tools/check-inspect, Tools/picture, Tools/record-inspect
# Knows     the protocol. No page of the project.
#
# Sources   documented  RFC 6455 (WebSocket), Chrome DevTools Protocol 1.3

import base64
import json
import os
import pathlib
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class BrowserError(Exception):
    pass


def program():
    """Returns the path of a Chromium, or None."""
    named = os.environ.get("TOUCHLINE_CHROMIUM")
    return named or next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Socket:
    """One WebSocket, as a client. Messages are texts."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BrowserError(f"chromium refused the WebSocket: {head[:80]}")

    def fill(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise BrowserError("chromium closed the connection")
        self.buffer += piece

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        piece, self.buffer = self.buffer[:count], self.buffer[count:]
        return piece

    def send(self, text):
        data = text.encode()
        size = len(data)
        head = b"\x81"
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        # The mask of zeros is allowed, and leaves the bytes as they are.
        self.socket.sendall(head + b"\0\0\0\0" + data)

    def receive(self):
        message = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if first & 15 in (0, 1):
                message += data
                if first & 0x80:
                    return message.decode()
            elif first & 15 == 8:
                raise BrowserError("chromium closed the connection")


class Browser:
    """A headless Chromium with one page."""

    def __init__(self):
        path = program()
        if not path:
            raise BrowserError("chromium is not there: apt-get install --no-install-recommends chromium")
        self.profile = tempfile.mkdtemp(prefix="touchline-chromium-")
        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", "--font-render-hinting=none", "--remote-debugging-port=0",
             f"--user-data-dir={self.profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.profile, "DevToolsActivePort")
        deadline = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().count("\n") >= 1):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise BrowserError("chromium did not start within 60 s")
            time.sleep(0.05)
        lines = port_file.read_text().split("\n")
        self.socket = Socket(int(lines[0]), lines[1])
        self.number = 0
        self.session = None
        self.problems = []
        self.listeners = {}
        self.answers = {}
        self.new_tab()

    def new_tab(self):
        """Opens an empty tab, which becomes the page."""
        self.session = None
        self.target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close_tab(self):
        """Closes the page as a person closes a tab, and opens an empty one."""
        self.session = None
        self.call("Target.closeTarget", targetId=self.target)
        self.new_tab()

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # The protocol

    def post(self, method, **parameters):
        """Sends a command and does not wait for its answer. Returns the number for `answer`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        self.answers[self.number] = None
        return self.number

    def answer(self, number, method="an earlier command"):
        while self.answers[number] is None:
            self.receive()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def call(self, method, **parameters):
        return self.answer(self.post(method, **parameters), method)

    def receive(self):
        message = json.loads(self.socket.receive())
        if message.get("id") in self.answers:
            self.answers[message["id"]] = message
        else:
            self.note(message)

    def listen(self, event, function):
        """Calls the function with the parameters of each such event, whenever a command waits for its answer."""
        self.listeners[event] = function

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") in self.listeners:
            self.listeners[event["method"]](parameters)
        match event.get("method"):
            case "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                self.problems.append(details.get("exception", {}).get("description") or details.get("text"))
            case "Runtime.consoleAPICalled" if parameters.get("type") in ("error", "warning", "assert"):
                self.problems.append(" ".join(str(value.get("value")) for value in parameters.get("args", [])))
            case "Log.entryAdded" if parameters["entry"].get("level") in ("error", "warning"):
                # Without the path nobody could tell which request has failed. A query holds the secret of a start.
                entry = parameters["entry"]
                path = urllib.parse.urlsplit(entry.get("url", "")).path
                self.problems.append(f"{entry.get('text')} ({path})" if path else entry.get("text"))

    # One page

    def emulate(self, width, height, dark=False, reduced_motion=False, scale=1, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}])

    def open(self, path, width, height, **look):
        """Opens a file or an address and waits until its main part is filled."""
        self.emulate(width, height, **look)
        # The same file again would not be loaded again.
        self.call("Page.navigate", url="about:blank")
        address = path if str(path).startswith("http:") else pathlib.Path(path).resolve().as_uri()
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && document.querySelector('main')?.childElementCount > 0")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details.get("text"))
        return result["result"].get("value")

    def wait(self, expression, seconds=30):
        deadline = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise BrowserError(f"not true within {seconds} s: {expression}")
            time.sleep(0.03)

    def settle(self):
        """Waits for two frames, so that observers and drawing are done."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def box(self, selector):
        """Scrolls an element into view and returns its box in the viewport: x, y, width, height."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            "if (!e.closest('.transport')) e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")
        if box is None:
            raise BrowserError(f"no element {selector}")
        return box

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector, share_x=0.5, share_y=0.5):
        x, y, width, height = self.box(selector)
        self.click_at(x + width * share_x, y + height * share_y)

    def click_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def drag(self, x, y, to_x, to_y, steps=8):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)
        self.settle()

    def touch(self, kind, fingers=(), wait=True, **more):
        """Sends the fingers that are down after a `touchStart`, `touchMove`, `touchEnd` or `touchCancel`: (id, x, y)."""
        number = self.post("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"id": finger, "x": x, "y": y, "force": 0.5, "radiusX": 8, "radiusY": 8} for finger, x, y in fingers], **more)
        return self.answer(number, "Input.dispatchTouchEvent") if wait else number

    KEYS = {" ": ("Space", 32), "ArrowRight": ("ArrowRight", 39), "ArrowLeft": ("ArrowLeft", 37), "Tab": ("Tab", 9),
            "ArrowDown": ("ArrowDown", 40), "ArrowUp": ("ArrowUp", 38), "Enter": ("Enter", 13), "Home": ("Home", 36),
            "End": ("End", 35), "+": ("Equal", 187), "-": ("Minus", 189), "Escape": ("Escape", 27)}

    SHIFT = 8

    def key_down(self, name, modifiers=0):
        code, number = self.KEYS[name]
        text = {"text": name} if len(name) == 1 else {"text": "\r"} if name == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=code, windowsVirtualKeyCode=number,
                  modifiers=modifiers, **text)

    def key_up(self, name, modifiers=0):
        code, number = self.KEYS[name]
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=code, windowsVirtualKeyCode=number,
                  modifiers=modifiers)

    def key(self, name, modifiers=0):
        self.key_down(name, modifiers)
        self.key_up(name, modifiers)
        self.settle()

    def write(self, text):
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="char", text=letter)
        self.settle()

    def screenshot(self, path, whole=False):
        self.settle()
        parameters = {"format": "png"}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters |= {"captureBeyondViewport": True,
                           "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        data = self.call("Page.captureScreenshot", **parameters)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
