# attack_inspect.py: malformed requests and messages to a running `touchline inspect`, over raw sockets.
#
#     cases, mutations of a seed ─▶ socket ─▶ 4xx, or the socket is closed; everything else is a failure
#
# Input     check_inspect.py: the port and the token of a server
# Output    how many cases there were, and what failed
# Knows     the bytes of HTTP and WebSocket. No browser.
#
# Sources   documented  RFC 9112 (HTTP/1.1), RFC 6455 (WebSocket); Docs/Internals/Inspector.md
import base64
import concurrent.futures
import json
import random
import re
import socket
import struct
import threading
import time

# A server may keep an incomplete request this long, in seconds.
PATIENCE = 60
# Browsers that the server takes at once are fewer than this many cases in parallel.
AT_ONCE = 4


class Target:
    """The server under attack, and the requests that it accepts."""

    def __init__(self, port, token):
        self.port, self.token = port, token
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def request(self, method="GET", path="/api/choices", body=None, drop=(), **headers):
        """The bytes of a request with the token. A header's name has _ for -; None leaves the header out."""
        fields = {"Host": self.host, "Authorization": f"Bearer {self.token}", "Origin": self.origin, "Connection": "close"}
        if body is not None:
            body = body if isinstance(body, bytes) else body.encode()
            fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in fields.items() if value is not None and name not in drop]
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines]) + "\r\n\r\n"
        return head.encode("latin-1") + (body or b"")

    def upgrade(self, path=None, **headers):
        """The bytes of a WebSocket's handshake."""
        fields = {"Authorization": None, "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec_WebSocket_Key": base64.b64encode(b"0123456789abcdef").decode(), "Sec_WebSocket_Version": "13"}
        return self.request(path=path or f"/live?token={self.token}", **(fields | headers))


# Answers

def read_all(connection, seconds=PATIENCE, limit=4 << 20):
    """Reads until the server closes. Returns the bytes, and whether it closed."""
    deadline = time.monotonic() + seconds
    data = b""
    while len(data) < limit:
        left = deadline - time.monotonic()
        if left <= 0:
            return data, False
        connection.settimeout(left)
        try:
            piece = connection.recv(1 << 16)
        except TimeoutError:
            return data, False
        except OSError:
            return data, True
        if not piece:
            return data, True
        data += piece
    return data, False


def read_head(connection, seconds=PATIENCE):
    """Reads the head of one answer. Returns the head, or what came before the socket was closed, and the rest."""
    data, deadline = b"", time.monotonic() + seconds
    try:
        while b"\r\n\r\n" not in data and len(data) < 1 << 20:
            connection.settimeout(max(0.001, deadline - time.monotonic()))
            piece = connection.recv(1 << 16)
            if not piece:
                break
            data += piece
    except TimeoutError:
        raise AssertionError(f"no answer within {seconds} s") from None
    except OSError:
        pass
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def status_of(data):
    """The status of an answer, 0 without one, and −1 if the bytes are not HTTP."""
    if not data:
        return 0
    words = data.split(b"\r\n")[0].split(b" ")
    if not words[0].startswith(b"HTTP/1.") or len(words) < 2 or not words[1].isdigit():
        return -1
    return int(words[1])


def send(connection, data):
    """Sends as much as the server takes. A server may answer and close before it has read everything."""
    try:
        connection.sendall(data)
    except OSError:
        pass


# WebSocket

def frame(data, opcode=1, final=True, mask=b"\x11\x22\x33\x44", reserved=0, size=None, form=None):
    """The bytes of one frame. `size` is a length that is not true, `form` the length's code if it is not the shortest."""
    data = data if isinstance(data, bytes) else data.encode()
    size = len(data) if size is None else size
    first = (0x80 if final else 0) | reserved << 4 | opcode
    form = form or (size if size < 126 else 126 if size < 1 << 16 else 127)
    head = bytes([first, (0x80 if mask else 0) | form])
    if form == 126:
        head += struct.pack(">H", size)
    elif form == 127:
        head += struct.pack(">Q", size & (1 << 64) - 1)
    if not mask:
        return head + data
    whole = int.from_bytes(data, "big") ^ int.from_bytes((mask * (len(data) // 4 + 1))[:len(data)], "big")
    return head + mask + whole.to_bytes(len(data), "big")


def frames_of(data):
    """The frames of a server's bytes as (opcode, data), and None at the end if bytes are no frames."""
    found = []
    while len(data) >= 2:
        opcode, size, start = data[0] & 15, data[1] & 127, 2
        if data[0] & 0x70 or data[1] & 0x80 or opcode not in (0, 1, 8, 9, 10):
            return [*found, None]
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start + size:
            break
        found.append((opcode, data[start:start + size]))
        data = data[start + size:]
    return found


def text(value):
    return frame(value if isinstance(value, (str, bytes)) else json.dumps(value))


def touch(*entries, **more):
    return text({"t": "touch", "at": 1000, "c": list(entries)} | more)


def opened(target):
    """A WebSocket after its handshake, and the bytes that came with the answer."""
    connection = target.connect()
    send(connection, target.upgrade())
    head, rest = read_head(connection)
    if status_of(head) != 101:
        raise AssertionError(f"a correct handshake was answered with {head[:60]!r}")
    return connection, rest


# The cases

def http_cases(target):
    """Requests as (name, bytes). Each is answered with 4xx, or the socket is closed."""
    get, port, token = target.request, target.port, target.token
    good = f"/?token={token}"
    cases = []
    for path in ("/../etc/passwd", "/components/../../etc/passwd", "/components/%2e%2e/%2e%2e/etc/passwd",
                 "/components/..%2f..%2fetc%2fpasswd", "/components/..%5c..%5cetc", "/components/%252e%252e%252fetc",
                 "/components/page.js%00", "/components/page.js%2500.css", "/components/%c0%ae%c0%ae/etc", "/components/",
                 "/components/page.js/more", "/components/PAGE.JS", "/components/....//page.js", "/components//page.js",
                 "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/", "/api/nothing", "/api/choices/more", "/API/choices",
                 "/live/more", "/index.html", "/.git/config", "/components/page.js;x=1", "/components/%", "/components/%zz",
                 "http://evil.example/", "*", "evil", "/components/" + "a" * 5000, "/" + "%41" * 40000,
                 "/?token=" + "a" * 200000):
        cases.append((f"path {path[:40]}", get(path=path)))
    cases += [
        ("a NUL in the path", get(path="/components/page.js\0")), ("bytes above 127 in the path", get(path="/\xff\xfe")),
        ("a tab in the path", get(path="/\tx")), ("a space in the path", get(path="/a b")),
        ("no Host", get(Host=None)), ("an empty Host", get(Host="")), ("another Host", get(Host="evil.example")),
        ("a Host that begins with the address", get(Host=f"127.0.0.1:{port}.evil.example")),
        ("a Host with another port", get(Host=f"127.0.0.1:{port ^ 1}")),
        ("a Host with a user", get(Host=f"user@127.0.0.1:{port}")),
        ("two Hosts", get().replace(b"Origin:", b"Host: evil.example\r\nOrigin:", 1)),
        ("the page for another Host", get(path=good, Host="evil.example", Authorization=None)),
        ("another Origin", get("POST", "/api/again", "{}", Origin="http://evil.example")),
        ("the Origin null", get("POST", "/api/again", "{}", Origin="null")),
        ("an Origin with another port", get("POST", "/api/again", "{}", Origin=f"http://127.0.0.1:{port ^ 1}")),
        ("an Origin that begins with ours", get("POST", "/api/again", "{}", Origin=target.origin + ".evil.example")),
        ("the page without a token", get(path="/", Authorization=None)),
        ("an empty token", get(path="/?token=", Authorization=None)),
        ("a wrong token", get(path="/?token=" + "0" * len(token), Authorization=None)),
        ("the beginning of the token", get(path=good[:-1], Authorization=None)),
        ("the token and one letter", get(path=good + "a", Authorization=None)),
        ("the token with a NUL", get(path=good + "%00", Authorization=None)),
        ("no token for choices", get(Authorization=None)), ("a token of another kind", get(Authorization=f"Basic {token}")),
        ("an empty bearer", get(Authorization="Bearer ")), ("a long bearer", get(Authorization="Bearer " + "a" * 60000)),
        ("the token in a cookie", get(Authorization=None, Cookie=f"token={token}")),
        ("the token in another case", get(Authorization=f"Bearer {token.swapcase()}x")),
    ]
    for method, path in (("POST", good), ("PUT", good), ("DELETE", "/api/group"), ("TRACE", "/"), ("CONNECT", "/"),
                         ("OPTIONS", "/api/group"), ("PATCH", "/api/dials"), ("GET", "/api/group"), ("GET", "/api/again"),
                         ("POST", "/api/choices"), ("POST", "/components/page.js"), ("DELETE", "/components/page.js"),
                         ("get", "/api/choices"), ("", "/api/choices"), ("G\0T", "/api/choices"), ("A" * 20000, "/")):
        cases.append((f"method {method[:10]!r} of {path[:20]}", get(method, path)))
    plain = get()
    post = get("POST", "/api/dials", '{"id":"no-such-dial","value":1}')
    head = post[:post.index(b"Content-Length")]
    body = b"\r\n\r\n" + b'{"id":"no-such-dial","value":1}'
    cases += [
        ("no version", b"GET /api/choices\r\n\r\n"), ("version 9.9", plain.replace(b"HTTP/1.1", b"HTTP/9.9", 1)),
        ("version HTTP/", plain.replace(b"HTTP/1.1", b"HTTP/", 1)), ("no request line", b"\r\n" * 2000),
        ("random bytes", random.Random(1).randbytes(4000) + b"\r\n\r\n"),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300) + b"\r\n\r\n"),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(40)),
        ("a header without a colon", plain.replace(b"Origin:", b"Nothing\r\nOrigin:", 1)),
        ("a NUL in a header", plain.replace(b"Origin:", b"X: a\0b\r\nOrigin:", 1)),
        ("a header of 200 kB", plain.replace(b"Origin:", b"X: " + b"a" * 200000 + b"\r\nOrigin:", 1)),
        ("a header's name of 200 kB", plain.replace(b"Origin:", b"a" * 200000 + b": 1\r\nOrigin:", 1)),
        ("20,000 headers", plain.replace(b"Origin:", b"X: 1\r\n" * 20000 + b"Origin:", 1)),
        ("a request line without an end", b"GET /" + b"a" * 300000),
        ("half a head", plain[:60]), ("one byte", b"G"), ("nothing", b""),
    ]
    for name, length in (("negative", "-1"), ("no number", "ten"), ("with a sign", "+31"), ("empty", ""), ("of 2^64 + 31", str(2 ** 64 + 31)),
                         ("of 10^18", str(10 ** 18)), ("in hexadecimal", "0x1f"), ("two in one", "31, 32"), ("of 31.0", "31.0")):
        cases.append((f"a length {name}", head + f"Content-Length: {length}".encode() + body))
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    cases += [
        ("two lengths", head + b"Content-Length: 31\r\nContent-Length: 5" + body),
        ("a length and chunks", head + b"Content-Length: 31\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
        ("a body that ends early", head + b"Content-Length: 500" + body),
        ("a body above 1 MiB", get("POST", "/api/group", b'{"yaml":"' + b"a" * (1 << 20) + b'"}')),
        ("a body of 8 MiB", get("POST", "/api/group", b" " * (8 << 20))),
        ("a scene above 256 KiB", get("POST", "/api/group", json.dumps({"yaml": "#" * 300000}))),
        ("chunks of no number", chunked + b"zz\r\nab\r\n0\r\n\r\n"), ("chunks of a negative size", chunked + b"-5\r\nab\r\n0\r\n\r\n"),
        ("chunks of 2^64", chunked + b"FFFFFFFFFFFFFFFF\r\nab\r\n0\r\n\r\n"), ("chunks of 2^68", chunked + b"10000000000000000\r\nab\r\n0\r\n\r\n"),
        ("chunks without line ends", chunked + b"5helloworld0"), ("chunks that end early", chunked + b"40\r\nabc"),
        ("a chunk longer than its size", chunked + b"2\r\nabcdef\r\n0\r\n\r\n"),
        ("chunks above 1 MiB", chunked + (b"10000\r\n" + b"a" * 65536 + b"\r\n") * 40 + b"0\r\n\r\n"),
        ("an endless chunk extension", chunked + b"1;" + b"a" * 300000 + b"\r\na\r\n0\r\n\r\n"),
        ("gzip", head + b"Transfer-Encoding: gzip" + body),
        ("continue with 10^15", head + b"Expect: 100-continue\r\nContent-Length: 1000000000000000\r\n\r\n"),
    ]
    aliases = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9))
    for path, value in (
            ("group", ""), ("group", "nothing"), ("group", "{"), ("group", "[]"), ("group", "5"), ("group", "null"), ("group", '"scene"'),
            ("group", b"\xff\xfe{}"), ("group", b'{"scene":"\xc3\x28"}'), ("group", b'{"scene":"a\0b"}'), ("group", '{"scene":"\\ud800"}'),
            ("group", "[" * 100000), ("group", '{"scene":' * 50000), ("group", "{}"), ("group", '{"scene":5}'), ("group", '{"scene":["Demo"]}'),
            ("group", '{"scene":"../../../../etc/passwd"}'), ("group", '{"scene":"/etc/passwd"}'), ("group", '{"scene":"Demo\\u0000"}'),
            ("group", '{"scene":"no-such-scene"}'), ("group", '{"app":"no-such-app"}'), ("group", '{"app":-1}'), ("group", '{"app":1e999}'),
            ("group", '{"yaml":5}'), ("group", '{"yaml":""}'), ("group", '{"yaml":"windows: 5"}'), ("group", '{"yaml":"[[[["}'),
            ("group", '{"yaml":"\\u0000"}'), ("group", json.dumps({"yaml": aliases})), ("group", json.dumps({"yaml": "[" * 20000})),
            ("group", json.dumps({"yaml": "screen: [1e999, .nan]\nwindows: [{name: w, frame: [0, 0, 1, 1]}]"})),
            ("group", json.dumps({"yaml": "screen: [-5, 0]\nwindows: [{name: w, frame: [0, 0, 1, 1]}]"})),
            ("group", json.dumps({"yaml": "screen: [1e300, 1e300]\nwindows: [{name: w, frame: [0, 0, 1, 1]}]"})),
            ("group", json.dumps({"yaml": "scene: ../../../etc/passwd"})),
            ("dials", "{}"), ("dials", '{"id":5,"value":1}'), ("dials", '{"id":"no-such-dial","value":1}'), ("dials", '{"id":"","value":NaN}'),
            ("dials", '{"id":"x","value":1e999}'), ("dials", '{"id":"x","value":-Infinity}'), ("dials", '{"id":"x","value":"1"}'),
            ("dials", '{"id":"x","value":null}'), ("dials", '{"id":"x"}'), ("dials", "true"),
            ("play", "{}"), ("play", '{"recording":"../../../etc/passwd"}'), ("play", '{"recording":"/dev/zero"}'), ("play", '{"recording":5}'),
            ("play", '{"recording":"no-such-recording"}'), ("play", '{"script":5}'), ("play", '{"script":"nothing at all"}'),
            ("play", '{"script":"down f1 (1,1) @1e999"}'), ("play", '{"script":"tap f1 (nan,inf) @0"}'),
            ("play", '{"script":"tap f1 (1,1) @0","speed":1}'), ("play", '{"recording":"tap-and-drag","speed":0}'), ("play", '{"recording":"tap-and-drag","speed":-1}'),
            ("play", '{"recording":"tap-and-drag","speed":1e999}'), ("play", '{"recording":"tap-and-drag","speed":"1"}'),
            ("process", "{}"), ("process", '{"name":"app999","act":"kill"}'), ("process", '{"name":"app1; true","act":"kill"}'),
            ("process", '{"name":1,"act":"kill"}'), ("process", '{"name":"app1","act":"destroy"}'), ("process", '{"name":"app1"}'),
            ("process", '{"name":"app1","act":9}'), ("process", '{"name":"","act":"kill"}'), ("process", '{"name":"supervisor","act":"kill"}'),
            ("act", "{}"), ("act", '{"act":"nothing"}'), ("act", '{"act":5}'), ("act", '{"act":"foreground","app":999999}'),
            ("act", '{"act":"foreground","app":-1}'), ("act", '{"act":"foreground","app":1e999}'), ("act", '{"act":"foreground","app":"one"}'),
            ("act", '{"act":"foreground","app":0.5}'), ("act", '{"act":"split","app":1,"with":99}'), ("act", '{"act":"orientation","value":"sideways"}'),
            ("again", "x"), ("again", "[1]"), ("lookback", "x"), ("whatif", "x"), ("whatif", '{"interaction":"no-such"}'),
            ("whatif", '{"interaction":-1}'), ("whatif", '{"interaction":1e30}'), ("whatif", '{"interaction":{}}')):
        shown = value if isinstance(value, str) else repr(value)
        cases.append((f"{path} with {shown[:60]}", get("POST", f"/api/{path}", value)))
    up = target.upgrade
    cases += [
        ("a WebSocket without a token", up("/live")), ("a WebSocket with a wrong token", up("/live?token=" + "0" * len(token))),
        ("a WebSocket from another Origin", up(Origin="http://evil.example")), ("a WebSocket from null", up(Origin="null")),
        ("a WebSocket for another Host", up(Host="evil.example")), ("a WebSocket without a key", up(Sec_WebSocket_Key=None)),
        ("a WebSocket with an empty key", up(Sec_WebSocket_Key="")), ("a WebSocket with a short key", up(Sec_WebSocket_Key="YWJj")),
        ("a WebSocket with a key of no base 64", up(Sec_WebSocket_Key="?" * 24)),
        ("a WebSocket with a long key", up(Sec_WebSocket_Key="A" * 4000)),
        ("a WebSocket of version 12", up(Sec_WebSocket_Version="12")), ("a WebSocket of no version", up(Sec_WebSocket_Version=None)),
        ("a WebSocket of version x", up(Sec_WebSocket_Version="x")), ("an upgrade to h2c", up(Upgrade="h2c")),
        ("no upgrade", target.request(path=f"/live?token={token}")), ("an upgrade with Connection: close", up(Connection="close")),
        ("a WebSocket by POST", up().replace(b"GET", b"POST", 1)), ("a WebSocket of HTTP/1.0", up().replace(b"HTTP/1.1", b"HTTP/1.0", 1)),
        ("a WebSocket on another path", up(f"/api/nothing?token={token}")),
    ]
    return cases


def frame_cases():
    """Bytes after a handshake as (name, bytes). The server closes the socket."""
    deep = '{"t":' + "[" * 30000
    cases = [
        ("no mask", frame('{"t":"clock","n":1,"at":1}', mask=b"")), ("reserved bit 1", frame("{}", reserved=4)),
        ("reserved bit 2", frame("{}", reserved=2)), ("reserved bit 3", frame("{}", reserved=1)),
        ("a binary frame", frame('{"t":"clock","n":1,"at":1}', opcode=2)),
        ("a ping in fragments", frame("", opcode=9, final=False)), ("a ping of 126 bytes", frame(b"a" * 126, opcode=9)),
        ("a close of 200 bytes", frame(b"\x03\xe8" + b"a" * 200, opcode=8)), ("a close of one byte", frame(b"\x03", opcode=8)),
        ("a close with code 999", frame(b"\x03\xe7", opcode=8)), ("a close with code 1005", frame(b"\x03\xed", opcode=8)),
        ("a close with bytes of no text", frame(b"\x03\xe8\xff\xff", opcode=8)),
        ("a continuation of nothing", frame("x", opcode=0)), ("a continuation of nothing, not final", frame("x", opcode=0, final=False)),
        ("a text within a text", frame("{", final=False) + frame("{}")),
        ("a length of 2^63", frame("", size=1 << 63, form=127)), ("a length of 2^64 − 1", frame("", size=(1 << 64) - 1, form=127)),
        ("a length of 2^40", frame("", size=1 << 40, form=127)), ("a text of 64 KiB and one byte", frame(b" " * 65537)),
        ("a text of 1 MiB", frame(b" " * (1 << 20))), ("fragments above 64 KiB", frame(b" " * 40000, final=False) + frame(b" " * 40000, opcode=0)),
        ("200,000 empty fragments", frame("", final=False) + frame("", opcode=0, final=False) * 200000 + frame("x", opcode=0)),
        ("80,000 fragments of a byte", frame(" ", final=False) + frame(" ", opcode=0, final=False) * 80000),
        ("bytes of no text", text(b'{"t":"\xff\xfe"}')),
        ("an overlong text", text(b'{"t":"\xc0\xaf"}')), ("half a pair in UTF-8", text(b'{"t":"\xed\xa0\x80"}')),
        ("random bytes", random.Random(2).randbytes(3000)), ("HTTP", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 20),
        ("no JSON", text("hello")), ("an empty text", text("")), ("spaces", text(b" " * 60000)), ("a list", text("[]")), ("a number", text("5")),
        ("null", text("null")), ("two values", text('{"t":"got","n":1}{"t":"got","n":1}')), ("an end that is missing", text('{"t":"got","n":1')),
        ("30,000 levels", text(deep)), ("60,000 levels", text("[" * 60000)), ("no kind", text({})), ("a kind of 5", text({"t": 5})), ("a kind of null", text({"t": None})),
        ("an unknown kind", text({"t": "shutdown"})), ("a server's kind", text({"t": "picture", "n": 1})),
        ("a kind of 60 kB", text({"t": "a" * 60000})),
        ("a touch of nothing", text({"t": "touch", "at": 1})), ("a touch without a list", touch(at=1, c=5)), ("a touch of a text", touch("x")),
        ("a touch of an object", touch({"id": 1})), ("a touch of two numbers", touch([1, 0])), ("a touch of nulls", touch([None] * 6)),
        ("a touch of texts", touch(["1", "0", "10", "10", "0", "1"])), ("a touch with x of a text", touch([1, 0, "10", 10, 0.5, 1000])),
        ("a touch with NaN", text('{"t":"touch","at":1,"c":[[1,0,NaN,1,0.5,1]]}')),
        ("a touch with 1e999", text('{"t":"touch","at":1,"c":[[1,0,1e999,1,0.5,1]]}')),
        ("a touch with −Infinity", text('{"t":"touch","at":1,"c":[[1,0,1,-Infinity,0.5,1]]}')),
        ("a touch at NaN", text('{"t":"touch","at":NaN,"c":[]}')), ("a touch at 1e999", text('{"t":"touch","at":1e999,"c":[[1,0,1,1,0.5,1e999]]}')),
        ("phase 4", touch([1, 4, 10, 10, 0.5, 1000])), ("phase −1", touch([1, -1, 10, 10, 0.5, 1000])), ("phase 1.5", touch([1, 1.5, 10, 10, 0.5, 1000])),
        ("phase of a text", touch([1, "began", 10, 10, 0.5, 1000])), ("an id of 1.5", touch([1.5, 0, 10, 10, 0.5, 1000])),
        ("an id of 1e300", touch([1e300, 0, 10, 10, 0.5, 1000])), ("an id of true", touch([True, 0, 10, 10, 0.5, 1000])),
        ("seven numbers and more", touch([1, 0, 10, 10, 0.5, 1000] + [0] * 500)),
        ("10,000 samples", touch(*[[1, 1, 10, 10, 0.5, 1000]] * 2600)),
        ("got of a text", text({"t": "got", "n": "1"})), ("got of −1", text({"t": "got", "n": -1})), ("got of 1.5", text({"t": "got", "n": 1.5})),
        ("got of nothing", text({"t": "got"})), ("got of 1e300", text('{"t":"got","n":1e300}')),
        ("a key of a text", text({"t": "key", "usage": "x", "down": True})), ("a key of −1", text({"t": "key", "usage": -1, "down": True})),
        ("a key of 1e9", text({"t": "key", "usage": 1000000000, "down": True})), ("a key of nothing", text({"t": "key"})),
        ("a key that is yes", text({"t": "key", "usage": 4, "down": "yes"})), ("a clock of nothing", text({"t": "clock"})),
        ("a clock of a text", text({"t": "clock", "n": "x", "at": 1})), ("a clock at NaN", text('{"t":"clock","n":1,"at":NaN}')),
        ("an offset of nothing", text({"t": "offset"})), ("an offset of a text", text({"t": "offset", "ns": "1"})),
        ("an offset of 1e999", text('{"t":"offset","ns":1e999}')), ("an offset of 1e30", text('{"t":"offset","ns":1e30}')),
        ("a flood of 2,000 messages", text({"t": "got", "n": 0}) * 2000),
        ("a flood of 3,000 touches", b"".join(touch([1, 1, step % 300, 10, 0.5, 1000 + step]) for step in range(3000))),
    ]
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        cases.append((f"a frame of kind {opcode}", frame("", opcode=opcode)))
    return cases


def harmless_cases():
    """Well-formed messages that make no sense in their order. The server closes the socket, or goes on with it."""
    return [
        ("a move before a landing", touch([1, 1, 10, 10, 0.5, 1000])), ("an end before a landing", touch([1, 2, 10, 10, 0.5, 1000])),
        ("a cancel before a landing", touch([3, 3, 10, 10, 0.5, 1000])), ("an id of −5", touch([-5, 0, 10, 10, 0.5, 1000])),
        ("an id of 10^9", touch([1000000000, 0, 10, 10, 0.5, 1000])),
        ("two landings", touch([1, 0, 10, 10, 0.5, 1000], [1, 0, 20, 20, 0.5, 1001])),
        ("two ends", touch([1, 0, 10, 10, 0.5, 1000], [1, 2, 10, 10, 0.5, 1001], [1, 2, 10, 10, 0.5, 1002])),
        ("a point outside", touch([1, 0, -1e6, 1e6, 0.5, 1000])), ("a point at 1e308", touch([1, 0, 1e308, -1e308, 0.5, 1000])),
        ("a force of 5", touch([1, 0, 10, 10, 5, 1000])), ("a force of −7", touch([1, 0, 10, 10, -7, 1000])),
        ("a time before the start", touch([1, 0, 10, 10, 0.5, -1e12])), ("a time in a year", touch([1, 0, 10, 10, 0.5, 3e10])),
        ("times that go back", touch([1, 0, 10, 10, 0.5, 2000], [1, 1, 20, 20, 0.5, 1000], [1, 1, 30, 30, 0.5, -5])),
        ("twelve fingers", touch(*[[finger, 0, 20 * finger, 10, 0.5, 1000] for finger in range(1, 13)])),
        ("seventeen fingers", touch(*[[finger, 0, 20 * finger, 10, 0.5, 1000] for finger in range(1, 18)])),
        ("no samples", touch()), ("a picture that was never sent", text({"t": "got", "n": 10 ** 9})), ("got twice", text({"t": "got", "n": 1}) * 2),
        ("a key that was not pressed", text({"t": "key", "usage": 4, "down": False})),
        ("an offset of −10^15", text({"t": "offset", "ns": -10 ** 15})), ("two offsets", text({"t": "offset", "ns": 1}) + text({"t": "offset", "ns": 2})),
        ("more members", text({"t": "got", "n": 1, "__proto__": {"x": 1}, "constructor": 1})),
        ("members twice", text('{"t":"got","t":"clock","n":1,"n":2,"at":1}')),
        ("a length that is not the shortest", frame('{"t":"clock","n":1,"at":1}', form=126)),
        ("a ping", frame("a", opcode=9)), ("2,000 pings", frame("a" * 100, opcode=9) * 2000), ("a pong", frame("a", opcode=10)),
        ("a text in fragments", frame('{"t":"clo', final=False) + frame('ck","n":1,"at":1}', opcode=0)),
    ]


# What must come of them

def check_http(target, name, data):
    connection = target.connect()
    with connection:
        threading.Thread(target=send, args=(connection, data), daemon=True).start()
        head, rest = read_head(connection)
        # A second answer would be one to bytes of the body.
        more, closed = read_all(connection, 2) if head else (b"", True)
    status = status_of(head)
    if not (status == 0 or 400 <= status < 500):
        return f"{name}: expected 4xx or a closed socket, found {head[:60]!r}"
    return f"{name}: two answers" if re.search(rb"HTTP/1\.\d \d{3} ", rest + more) else None


def check_frames(target, name, data):
    connection, rest = opened(target)
    with connection:
        threading.Thread(target=send, args=(connection, data), daemon=True).start()
        answer, closed = read_all(connection)
    found = frames_of(rest + answer)
    if None in found:
        return f"{name}: the server sent bytes that are no frames"
    last = found[-1] if found else None
    if last and last[0] == 8:
        code = int.from_bytes(last[1][:2], "big") if len(last[1]) >= 2 else 1000
        closing = name.startswith("a close")
        if not (1002 <= code <= 1009 or closing and code in (999, 1000, 1005)):
            return f"{name}: expected a close code from 1002 to 1009, found {code}"
        return None
    return None if closed else f"{name}: the socket is open after {PATIENCE} s"


def check_harmless(target, name, data):
    connection, rest = opened(target)
    with connection:
        sent = data + text({"t": "clock", "n": 77, "at": 5})
        threading.Thread(target=send, args=(connection, sent), daemon=True).start()
        connection.settimeout(10)
        try:
            while True:
                found = frames_of(rest)
                if None in found:
                    return f"{name}: the server sent bytes that are no frames"
                if any(opcode == 8 for opcode, _ in found):
                    return None
                if any(opcode == 1 and b'"clock"' in text and b"77" in text for opcode, text in found):
                    return None
                piece = connection.recv(1 << 16)
                if not piece:
                    return None
                rest += piece
        except TimeoutError:
            return f"{name}: no answer of the clock and no close within 10 s"
        except OSError:
            return None


def check_usable(target, name):
    """A correct request and a correct WebSocket are answered."""
    connection = target.connect()
    with connection:
        send(connection, target.request())
        answer, _ = read_all(connection, 20)
    if status_of(answer) != 200:
        return f"{name}: a correct request was answered with {answer[:60]!r}"
    try:
        connection, rest = opened(target)
    except AssertionError as error:
        return f"{name}: {error}"
    with connection:
        connection.settimeout(20)
        try:
            while not any(opcode == 1 and b'"hello"' in data for opcode, data in frames_of(rest)):
                piece = connection.recv(1 << 16)
                if not piece:
                    return f"{name}: a correct WebSocket is closed"
                rest += piece
        except OSError:
            return f"{name}: a correct WebSocket has no hello within 20 s"
    return None


class Slow:
    """Connections that send a byte now and then: the server closes each request after a bounded time.

    A WebSocket may be open without an end, so a slow frame only holds its own connection.
    """

    def __init__(self, target, requests=20, bodies=5, frames=2):
        post = target.request("POST", "/api/dials", "x" * 5000)
        self.started = time.monotonic()
        self.open = []
        for _ in range(requests):
            self.open.append((target.connect(), iter(target.request(X="a" * 5000)), "a head"))
        for _ in range(bodies):
            connection = target.connect()
            start = post.index(b"\r\n\r\n") + 4
            send(connection, post[:start])
            self.open.append((connection, iter(post[start:]), "a body"))
        for _ in range(frames):
            connection, _ = opened(target)
            self.open.append((connection, iter(frame(b" " * 5000)), "a frame"))
        self.slowest = 0
        self.left = []
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while any(kind != "a frame" for _, _, kind in self.open) and time.monotonic() - self.started < PATIENCE:
            time.sleep(0.5)
            still = []
            for connection, rest, kind in self.open:
                try:
                    connection.setblocking(False)
                    connection.send(bytes([next(rest)]))
                    while True:
                        if not connection.recv(1 << 16):
                            raise ConnectionError
                except BlockingIOError:
                    still.append((connection, rest, kind))
                except OSError:
                    connection.close()
                    self.slowest = time.monotonic() - self.started
            self.open = still
        self.left = [kind for _, _, kind in self.open if kind != "a frame"]
        for connection, _, _ in self.open:
            connection.close()


# Mutations

def mutated(random, data):
    data = bytearray(data)
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(data) + 1)
        match random.randrange(6):
            case 0 if data:
                data[place % len(data)] ^= 1 << random.randrange(8)
            case 1:
                data[place:place] = random.randbytes(random.randint(1, 16))
            case 2:
                del data[place:place + random.randint(1, 32)]
            case 3:
                data[place:place] = data[place:place + random.randint(1, 64)]
            case 4:
                data[place:place] = random.choice([b"\r\n", b"\0", b"\xff", b"%00", b"..", b"{", b"[", b"1e999", b"-", b":", b"99999999999"])
            case 5:
                del data[random.randrange(len(data) + 1):]
    return bytes(data)


def check_mutation(target, seed, number):
    """A request or messages with random errors: the answer is HTTP below 500, or frames, or nothing."""
    # Python's generator gives the same numbers for the same text on every machine.
    source = random.Random(f"{seed}/{number}")
    name = f"mutation {number} of seed {seed}"
    requests = [target.request(path=f"/?token={target.token}", Authorization=None), target.request(path="/components/page.js"),
                target.request(), target.request("POST", "/api/dials", '{"id":"no-such-dial","value":1}'), target.upgrade()]
    if source.randrange(2) == 0:
        connection, rest = target.connect(), None
        data = mutated(source, source.choice(requests))
    else:
        connection, rest = opened(target)
        messages = [touch([1, 0, 10, 10, 0.5, 1000]), touch([1, 1, 20, 30, 0.5, 1010], [1, 1, 22, 33, 0.5, 1012]), touch([1, 2, 20, 30, 0, 1100]),
                    text({"t": "clock", "n": 1, "at": 1000}), text({"t": "got", "n": 1}), text({"t": "offset", "ns": 5})]
        data = mutated(source, b"".join(source.choices(messages, k=4)))
    with connection:
        send(connection, data)
        try:
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        answer, closed = read_all(connection)
    if not closed:
        return f"{name}: the socket is open {PATIENCE} s after its end"
    if rest is not None:
        return f"{name}: the server sent bytes that are no frames" if None in frames_of(rest + answer) else None
    status = status_of(answer)
    return f"{name}: {answer[:60]!r}" if status == -1 or status >= 500 else None


def attack(port, token, seeds, mutations, report):
    """Sends everything. `report(failure or None)` is called for each case. Returns the seconds that slow requests lasted."""
    target = Target(port, token)
    report(check_usable(target, "before everything"))
    slow = Slow(target)
    report(check_usable(target, "beside slow requests"))
    groups = [(check_http, http_cases(target)), (check_frames, frame_cases()), (check_harmless, harmless_cases()),
              (check_mutation, [(seed, number) for seed in seeds for number in range(mutations)])]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for check, cases in groups:
            def one(case):
                try:
                    return check(target, *case)
                except (AssertionError, OSError) as error:
                    return f"{case[0]}: {error}"
            for failure in pool.map(one, cases):
                report(failure)
            report(check_usable(target, f"after {check.__name__.removeprefix('check_')}"))
    # The server may refuse requests while so many connections are open, and answers again when it has closed them.
    idle = [target.connect() for _ in range(200)]
    deadline = time.monotonic() + 30
    while (failure := check_usable(target, "beside 200 idle connections")) and time.monotonic() < deadline:
        time.sleep(0.5)
    report(failure)
    for connection in idle:
        connection.close()
    slow.thread.join()
    report(f"slow requests: open after {PATIENCE} s: {', '.join(slow.left)}" if slow.left else None)
    report(check_usable(target, "after everything"))
    return slow.slowest
