// Laws.swift: the laws of every recording's frames, whatever bytes they are read from (Docs/Spec/Input.md section 1.6).

import Basics
import FuzzDriver
import HID
import Recordings

/// The contacts of one device, as its frames report them.
struct Follower {
    private var live: [Int64: (x: Int32, y: Int32)] = [:]
    private var time = Duration.zero
    private var (began, closed) = (0, 0)
    private let mayMoveNowhere: Bool

    init(mayMoveNowhere: Bool = false) { self.mayMoveNowhere = mayMoveNowhere }

    mutating func follow(_ frame: ContactFrame) {
        expect(frame.time >= time, "time went back from \(time) to \(frame.time)")
        time = frame.time
        var mentioned: Set<Int64> = []
        for contact in frame.contacts {
            // A contact's id may end and begin again in one scan.
            if !mentioned.insert(contact.id).inserted {
                expect(contact.phase == .began, "contact \(contact.id) is mentioned twice in one frame")
            }
            switch contact.phase {
            case .began:
                expect(live[contact.id] == nil, "contact \(contact.id) began twice")
                live[contact.id] = (contact.x, contact.y)
                began += 1
            case .moved:
                guard let known = live[contact.id] else {
                    broken("contact \(contact.id) moved before it began")
                }
                // A script may move a contact to its own position.
                expect(
                    mayMoveNowhere || known != (contact.x, contact.y), "contact \(contact.id) moved to where it was")
                live[contact.id] = (contact.x, contact.y)
            case .stationary:
                guard let known = live[contact.id] else {
                    broken("contact \(contact.id) stays where it never began")
                }
                expect(known == (contact.x, contact.y), "contact \(contact.id) rests elsewhere")
            case .ended, .cancelled:
                expect(live.removeValue(forKey: contact.id) != nil, "contact \(contact.id) ended before it began")
                closed += 1
            }
        }
    }

    /// Expects no live contact after the recording's end or its error, when live contacts have been cancelled.
    func expectEverybodyGone() {
        expect(live.isEmpty, "\(live.count) contacts never ended")
        expect(began == closed, "\(began) began, \(closed) ended or were cancelled")
    }
}

/// The result of a reading.
struct Reading: Equatable {
    var frames: [ContactFrame] = []
    var closing: ContactFrame?
    var error: RecordingError?
    var ranges = RecordingReader.assumedRanges
    var device = DeviceDescription()
    var facts: [String] = []

    /// - Parameter cut: Returns the length of the next piece, at least 1.
    init(_ bytes: [UInt8], format: RecordingFormat?, options: RecordingOptions, cut: () -> Int) {
        var reader = RecordingReader(
            name: "input", format: format, screen: ScreenGeometry(width: 393, height: 852, rotation: 0),
            options: options)
        do throws(RecordingError) {
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + cut())
                try reader.read(Array(bytes[start..<end]), into: &frames)
                start = end
            }
            closing = try reader.finish(into: &frames)
        } catch {
            self.error = error
            closing = frames.last?.cancellingDownContacts
        }
        (ranges, device) = (reader.ranges, reader.device)
        facts = [
            "\(reader.ignoredLines) \(reader.ignoredContacts) \(reader.timesBackwards) \(reader.rangesAreAssumed)",
            "\(String(describing: reader.contactProtocol)) \(String(describing: reader.reportingMode))",
        ]
        facts += reader.remarks
    }
}

func expectLaws(ofRecording bytes: [UInt8], format: RecordingFormat?) {
    // The bits of the first byte choose the options, so that both values are tried and one input is one run.
    var options = RecordingOptions()
    if let first = bytes.first, bytes.count & 1 == 1 {
        options.absentMeansLifted = first & 1 == 1
        options.palms = first & 2 == 2 ? .keep : .cancel
        if first & 4 == 4 { options.ranges = AxisRanges(x: -100...719, y: 0...1279) }
    }
    let whole = Reading(bytes, format: format, options: options) { bytes.count }
    var follower = Follower(mayMoveNowhere: format == .script || format == nil)
    for frame in whole.frames { follower.follow(frame) }
    if let closing = whole.closing { follower.follow(closing) }
    follower.expectEverybodyGone()
    expectPositionsOnGlass(whole.frames + [whole.closing].compactMap { $0 }, whole.ranges)

    // The length of the pieces makes no difference.
    var size = bytes.count % 7
    let pieces = Reading(bytes, format: format, options: options) {
        size = (size &* 5 &+ 3) % 61
        return size + 1
    }
    expect(pieces == whole, "cut into pieces it reads otherwise")
}

func expectPositionsOnGlass(_ frames: [ContactFrame], _ ranges: AxisRanges) {
    var assembler = FrameAssembler(ranges: ranges, senderID: 1, generationCount: 1)
    var faults: [ContactFault] = []
    for frame in frames {
        guard let event = assembler.assemble(frame, at: Instant(nanoseconds: 0), faults: &faults) else { continue }
        for finger in event.fingers + [event.hand] {
            expect(
                (0...Fixed.one.rawValue).contains(finger.position.x.rawValue)
                    && (0...Fixed.one.rawValue).contains(finger.position.y.rawValue), "a position beside the glass")
        }
    }
    expect(faults.allSatisfy { $0.rule == .tooMany }, "\(faults)")
}
