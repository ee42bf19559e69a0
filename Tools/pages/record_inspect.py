# record_inspect.py: a session with the inspector's page as an animated PNG.
#
#     Inspector ─▶ page ─▶ a tap, a drag, a scroll, an explanation ─▶ screencast of Chromium ─▶ apng
#
# Input     Tools/record-inspect: the program, a folder
# Output    inspect.png in the folder
# Knows     the scene that it shows, and the page's elements by their ids

import base64
import pathlib
import sys
import time

import apng
from devtools import Browser, BrowserError
from inspector import Inspector, LivePage

touchline, work = sys.argv[1], pathlib.Path(sys.argv[2])
WIDTH, HEIGHT = 960, 660
# Pictures that follow closer than this replace the one before, in ms.
CLOSEST = 60

SCENE = """\
id: Tour
title: a card, a puck and a list
screen: [375, 667]
windows:
  - name: window
    frame: [0, 0, 375, 667]
    view:
      name: desk
      frame: [0, 0, 375, 667]
      subviews:
        - name: card
          frame: [24, 40, 327, 150]
          gestures:
            - { name: open, class: Tap }
            - { name: move, class: Pan }
          subviews:
            - { name: like, class: UISwitch, frame: [256, 100, 51, 31], on: { valueChanged: liked } }
        - { name: puck, frame: [24, 248, 80, 80], drag: yes }
        - { name: volume, class: UISlider, frame: [24, 204, 327, 31], value: 0.3, on: { valueChanged: heard } }
        - name: list
          class: UIScrollView
          frame: [0, 340, 375, 327]
          contentSize: [375, 1600]
          subviews:
""" + "".join(f"            - {{ name: row-{row + 1}, class: UIButton, frame: [16, {12 + row * 78}, 343, 66], on: {{ touchUpInside: open }} }}\n"
              for row in range(20))


class Recorder:
    """The pictures of a browser while something happens, with their times in ms."""

    def __init__(self, browser):
        self.browser = browser
        self.frames = []
        browser.listen("Page.screencastFrame", self.take)
        browser.call("Page.startScreencast", format="png", maxWidth=WIDTH, maxHeight=HEIGHT, everyNthFrame=1)

    def take(self, event):
        self.browser.post("Page.screencastFrameAck", sessionId=event["sessionId"])
        at = event["metadata"]["timestamp"] * 1000
        data = base64.b64decode(event["data"])
        if len(self.frames) > 1 and at - self.frames[-2][0] < CLOSEST:
            self.frames.pop()
        self.frames.append((at, data))

    def wait(self, seconds):
        """Lets the page go on, so that a person can look at what is shown."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.browser.settle()

    def stop(self):
        self.browser.call("Page.stopScreencast")


scene = work / "Tour.yaml"
scene.write_text(SCENE)
with Inspector(touchline, work / "run", "--scene", str(scene)) as inspector, Browser() as browser:
    page = LivePage(browser, inspector, WIDTH, HEIGHT)
    recorder = Recorder(browser)
    recorder.wait(0.5)
    page.press(110, 100)
    recorder.wait(0.15)
    page.release(110, 100)
    page.says("open")
    recorder.wait(1.2)
    page.drag((64, 288), (290, 288), steps=45, pause=0.012)
    recorder.wait(0.6)
    page.drag((187, 620), (187, 420), steps=16, pause=0.010)
    recorder.wait(1.6)
    page.press(60, 140)
    page.move([(60 + step * 3, 140 + step) for step in range(30)], pause=0.012)
    page.release(147, 169)
    recorder.wait(1.5)
    recorder.stop()
    count = apng.write(work / "inspect.png", recorder.frames, hold=2000)
    seconds = (recorder.frames[-1][0] - recorder.frames[0][0]) / 1000
    print(f"record-inspect: {count} pictures of {seconds:.1f} s", file=sys.stderr)
    if browser.problems:
        raise BrowserError(f"the console says: {browser.problems[:3]}")
