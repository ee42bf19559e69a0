// ConvertLaws.swift: a recording written in every format and read again has the same contacts.

import Basics
import FuzzDriver
import HID
import Recordings

/// What every format keeps: the positions of each contact's beginning and end, their order, and how each ended.
private struct Stay: Equatable {
    var phases: [ContactPhase] = []
    var first: [Int32] = []
    var last: [Int32] = []
}

private func stays(_ frames: [ContactFrame]) -> [Stay] {
    var (all, live): ([Stay], [Int64: Int]) = ([], [:])
    for contact in frames.flatMap(\.contacts) {
        switch contact.phase {
        case .began:
            live[contact.id] = all.count
            all.append(Stay(phases: [.began], first: [contact.x, contact.y], last: [contact.x, contact.y]))
        case .moved: all[live[contact.id]!].last = [contact.x, contact.y]
        case .stationary: break
        case .ended, .cancelled:
            all[live[contact.id]!].phases.append(contact.phase)
            live[contact.id] = nil
        }
    }
    return all
}

/// Whether the format can express these frames. A writer is not at fault for frames that it cannot express.
private func canSay(_ frames: [ContactFrame], _ ranges: AxisRanges, _ format: RecordingFormat) -> Bool {
    switch format {
    case .evemu, .evtest, .getevent, .libinputRecord, .journal: true
    case .webdriverActions: (frames.last?.time ?? .zero) < .seconds(1_000_000_000)
    case .script: (frames.last?.time ?? .zero) <= FingerScript.timeLimit
    // Coordinates that the descriptor declares unsigned are read as unsigned.
    case .hidRecorder:
        frames.allSatisfy { frame in
            frame.contacts.allSatisfy {
                ($0.x >= 0 || ranges.x.lowerBound < 0) && ($0.y >= 0 || ranges.y.lowerBound < 0)
            }
        }
    }
}

func expectSameContactsAfterConverting(_ bytes: [UInt8]) {
    let source = Reading(bytes, format: nil, options: RecordingOptions()) { bytes.count }
    guard source.error == nil, !source.frames.isEmpty else { return }
    // The formats of panels cannot express more contacts than a panel can have.
    let most = source.frames.map(\.contacts.count).max() ?? 0
    guard most <= HIDEvent.fingerLimit else { return }
    let wanted = stays(source.frames + [source.closing].compactMap { $0 })
    for format in RecordingFormat.allCases where canSay(source.frames, source.ranges, format) {
        var written: [UInt8] = []
        var writer = RecordingWriter(format, device: source.device, ranges: source.ranges)
        for frame in source.frames { writer.write(frame, into: &written) }
        writer.finish(at: source.closing?.time, into: &written)
        let copy = Reading(written, format: format, options: RecordingOptions()) { written.count }
        expect(copy.error == nil, "\(format.rawValue): \(copy.error!)")
        let found = stays(copy.frames + [copy.closing].compactMap { $0 })
        expect(found == wanted, "\(format.rawValue): \(found.count) contacts for \(wanted.count)")
    }
}
