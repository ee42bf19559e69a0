// ScriptReader.swift: reads a finger script as a recording. The text is kept and parsed at its end, because taps
// overlap.

import Basics
import HID

/// Reads the format `touchline-script`.
struct ScriptReader: LineFormat {
    private let name: String
    private let screen: ScreenGeometry
    private var text: [UInt8] = []
    private(set) var facts = RecordingFacts()

    init(name: String, screen: ScreenGeometry) {
        (self.name, self.screen) = (name, screen)
        facts.device.x = DeviceAxis(
            minimum: FingerScript.ranges.x.lowerBound, maximum: FingerScript.ranges.x.upperBound)
        facts.device.y = DeviceAxis(
            minimum: FingerScript.ranges.y.lowerBound, maximum: FingerScript.ranges.y.upperBound)
    }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        guard text.count + line.count < FingerScript.textLimit else {
            throw Complaint(expected: "at most \(FingerScript.textLimit) bytes of script", found: "more")
        }
        for index in line.indices { text.append(line[index]) }
        text.append(0x0A)
    }

    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        let script: FingerScript
        do throws(RecordingError) {
            script = try FingerScript(parsing: String(decoding: text, as: UTF8.self), file: name)
        } catch { throw Complaint(expected: error.expected, found: error.found, line: error.line) }
        if let act = script.lines.first(where: { !$0.act.isInput }) {
            throw Complaint(
                expected: "input of fingers, keys or pointers", found: quoted("\(act.act)"),
                line: act.number)
        }
        facts.screen = script.axes == nil ? screen : nil
        let ranges = script.panelRanges
        facts.device.x = DeviceAxis(minimum: ranges.x.lowerBound, maximum: ranges.x.upperBound)
        facts.device.y = DeviceAxis(minimum: ranges.y.lowerBound, maximum: ranges.y.upperBound)
        let reports = script.reports(on: screen)
        facts.reports = reports
        let scriptFrames = reports.compactMap { if case .contacts(let frame) = $0 { frame } else { nil } }
        frames += scriptFrames
        return scriptFrames.last?.cancellingDownContacts
    }
}
