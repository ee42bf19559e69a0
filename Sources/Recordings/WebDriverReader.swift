// WebDriverReader.swift: reads W3C WebDriver Actions as a recording. The text is kept, because a source is a column of
// the table.
//
//     {"actions": [                                                          or the array alone
//        {"type": "pointer", "id": "finger1", "parameters": {"pointerType": "touch"}, "actions": [
//           {"type": "pointerMove", "x": 100, "y": 100, "duration": 0}, {"type": "pointerDown", "button": 0},
//           {"type": "pause", "duration": 500}, {"type": "pointerUp", "button": 0}]},
//        {"type": "none", "id": "clock", "actions": [{"type": "pause", "duration": 16}]}],
//      "touchline": {"axes": [0, 0, 4095, 4095], "pressure": [0, 255], "name": "…", "id": [3, 1003, 1, 256]}}
//
// Positions are CSS pixels, which here are the screen's points. With `touchline.axes` they are a panel's own units,
// from its first corner to its last. Unknown members are ignored, so a request in a driver's log can be read as it is.
//
// Station   device
// Input     RecordingReader
// Output    WebDriverPlay
//
// Sources   documented  Docs/Spec/Input.md section 3.11, W3C WebDriver "Actions"; invented: the member `touchline`

import Basics
import HID

/// Reads WebDriver Actions.
struct WebDriverReader: LineFormat {
    private let screen: ScreenGeometry
    private var text: [UInt8] = []
    private(set) var facts = RecordingFacts()

    static let textLimit = 1 << 24

    init(screen: ScreenGeometry) { self.screen = screen }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        guard text.count + line.count < Self.textLimit else {
            throw Complaint(expected: "at most \(Self.textLimit) bytes of WebDriver actions", found: "more")
        }
        text.append(line)
        text.append(0x0A)
    }

    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        let actions = try WebDriverActions(JSONNode(parsing: text))
        text = []
        facts.device = actions.described()
        facts.screen = actions.axes == nil ? screen : nil
        let panel = ScriptPanel(screen: screen, axes: actions.axes)
        let ranges = actions.axes ?? FingerScript.ranges
        facts.device.x = DeviceAxis(minimum: ranges.x.lowerBound, maximum: ranges.x.upperBound)
        facts.device.y = DeviceAxis(minimum: ranges.y.lowerBound, maximum: ranges.y.upperBound)
        facts.remarks = actions.remarks
        var play = WebDriverPlay(actions, on: panel)
        return try play.play(into: &frames)
    }
}
