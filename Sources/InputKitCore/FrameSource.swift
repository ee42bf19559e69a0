// FrameSource.swift: the frames of a play, one after another, whatever they are made from.
//
// A file is read in chunks and only ever a little ahead; a script's frames are made once; synthetic ones as they go.
// Each repeat is a pass of its own: a file is opened again, and who is still down at a pass's end is cancelled. The
// one exception is the last pass of a script handed over as text, whose fingers stay as it leaves them.
//
// Station   device
// Fed by    PlayOrder, and the host's answers to `read`
// Feeds     Play
// Knows     files by number and name. No time but the recording's own, no link.

import Basics
import HID
import Hosting
import Recordings
import Wire

struct FrameSource: Sendable {
    struct Item: Equatable, Sendable {
        var report: FingerScript.Report
        /// Which repeat, from 0.
        var pass: UInt32
    }

    /// What a recording did not say, or said in vain: read through once, and counted.
    struct Remarks: Equatable, Sendable {
        /// Nobody described the axes, so positions may all lie in one corner.
        var assumedRanges = 0
        var ignoredLines = 0
        var ignoredContacts = 0
        var timesBackwards = 0

        static func + (a: Remarks, b: Remarks) -> Remarks {
            Remarks(
                assumedRanges: a.assumedRanges + b.assumedRanges, ignoredLines: a.ignoredLines + b.ignoredLines,
                ignoredContacts: a.ignoredContacts + b.ignoredContacts,
                timesBackwards: a.timesBackwards + b.timesBackwards)
        }
    }

    private enum Kind: Sendable {
        case file(String)
        case reports([FingerScript.Report], closing: [FingerScript.Report])
        case synthetic(SyntheticFinger)
    }

    /// Why nothing comes after what is at hand, though more was ordered.
    private(set) var failure: String?
    /// The logical ranges of the frames at hand.
    private(set) var ranges = FingerScript.ranges
    /// What their panel said of itself; nothing of a script's.
    private(set) var device = DeviceDescription()
    /// Of the files read to their end or to an error, since they were last asked for.
    private var remarks: Remarks?

    private var kind: Kind
    private let screen: ScreenGeometry
    private let options: RecordingOptions
    private let repeats: UInt32
    /// The pass being made.
    private var pass: UInt32 = 0
    /// The next frame of a pass whose frames are made here.
    private var position = 0
    private var hasContent = false

    /// At hand.
    private var items = Deque<Item>()

    private var reader: RecordingReader?
    /// Counts up, so that a late answer meant for an earlier file is known for what it is.
    private(set) var file: FileID
    private var reading = Reading.closed

    /// Where the reading of a file stands.
    private enum Reading { case closed, open, awaitingBytes }

    /// With fewer frames at hand the next chunk is asked for.
    static let lowWater = 128
    static let chunk = 65_536

    /// - Parameter file: Larger than any used before.
    /// - Throws: `RecordingError` for a script that is none. A file's errors come when it is read.
    init(_ order: PlayOrder, screen: ScreenGeometry, file: FileID) throws(RecordingError) {
        (self.screen, repeats, self.file) = (screen, max(1, order.repeats), file)
        var options = RecordingOptions(ranges: order.ranges)
        options.absentMeansLifted = order.absentMeansLifted
        self.options = options
        switch order.source {
        case .file(let path): kind = .file(path)
        case .script(let text):
            let script = try FingerScript(parsing: text)
            if let act = script.lines.first(where: { !$0.act.isInput }) {
                throw RecordingError(
                    file: "script", line: act.number, expected: "what a device reports: fingers, keys, pointers",
                    found: "\(act.act)")
            }
            let reports = script.reports(on: screen)
            ranges = script.panelRanges
            kind = .reports(reports, closing: reports.ending)
        // Nothing to play: InputKitCore answers it itself.
        case .marker: kind = .reports([], closing: [])
        case .synthetic(let count): kind = .synthetic(SyntheticFinger(frames: Int(count)))
        }
    }

    var first: Item? { items.first }

    /// Whether nothing is at hand and nothing will be.
    var isEnded: Bool { first == nil && reading != .awaitingBytes && (pass >= repeats || failure != nil) }

    mutating func removeFirst() { _ = items.popFirst() }

    /// Makes or asks for more when little is at hand.
    mutating func refill(into effects: inout [Effect]) {
        while failure == nil, pass < repeats, reading != .awaitingBytes, items.count < Self.lowWater {
            switch kind {
            case .file(let path): request(path, into: &effects)
            case .reports(let reports, let closing):
                let isLast = pass + 1 == repeats
                make(reports.count) { reports[$0] }
                if position == reports.count { endPass(closing: isLast ? [] : closing) }
            case .synthetic(let finger):
                make(finger.count) { .contacts(finger[$0]) }
                if position == finger.count { endPass(closing: finger.closing.map { [.contacts($0)] } ?? []) }
            }
        }
    }

    private mutating func request(_ path: String, into effects: inout [Effect]) {
        if reading == .closed {
            file = FileID(file.rawValue &+ 1)
            reader = RecordingReader(name: path, screen: screen, options: options)
            effects.append(.open(file, path: path))
        }
        reading = .awaitingBytes
        effects.append(.read(file, limit: Self.chunk))
    }

    /// Appends at most a low water's worth of frames made here.
    private mutating func make(_ count: Int, _ report: (Int) -> FingerScript.Report) {
        let end = min(count, position + Self.lowWater)
        while position < end {
            append(report(position))
            position += 1
        }
    }

    private mutating func append(_ report: FingerScript.Report) {
        if case .contacts(let frame) = report, frame.contacts.isEmpty { return }
        hasContent = true
        items.append(Item(report: report, pass: pass))
    }

    private mutating func endPass(closing: [FingerScript.Report]) {
        for report in closing { append(report) }
        pass += 1
        position = 0
        if !hasContent { failure = "\(name): expected a touch, found none" }
    }

    /// What a failure calls it.
    private var name: String {
        switch kind {
        case .file(let path): path
        case .reports: "script"
        case .synthetic: "synthetic"
        }
    }

    /// Takes the answer to `read`.
    ///
    /// - Parameter bytes: Empty at the file's end.
    mutating func take(_ bytes: [UInt8], of id: FileID, into effects: inout [Effect]) {
        guard id == file, reading == .awaitingBytes else { return }
        reading = .open
        var frames: [ContactFrame] = []
        var closing: [FingerScript.Report] = []
        do throws(RecordingError) {
            if bytes.isEmpty {
                closing = try reader?.finish(into: &frames).map { [.contacts($0)] } ?? []
            } else {
                try reader?.read(bytes, into: &frames)
            }
        } catch { failure = "\(error)" }
        if let reader, !frames.isEmpty || !closing.isEmpty { (ranges, device) = (reader.ranges, reader.device) }
        if let reports = reader?.scriptReports {
            for report in reports { append(report) }
            closing = reports.ending
        } else {
            for frame in frames { append(.contacts(frame)) }
        }
        guard bytes.isEmpty || failure != nil else { return }
        if let reader { remark(on: reader) }
        close(into: &effects)
        if failure == nil { endPass(closing: closing) }
    }

    private mutating func remark(on reader: RecordingReader) {
        let remarks = Remarks(
            assumedRanges: reader.rangesAreAssumed && hasContent ? 1 : 0, ignoredLines: reader.ignoredLines,
            ignoredContacts: reader.ignoredContacts, timesBackwards: reader.timesBackwards)
        self.remarks = remarks + (self.remarks ?? Remarks())
    }

    /// - Returns: Nil when no file has been read through since.
    mutating func takeRemarks() -> Remarks? { remarks.take() }

    mutating func failed(_ reason: String, of id: FileID) {
        guard id == file, reading != .closed else { return }
        reading = .closed
        failure = reason.hasPrefix(name) ? reason : "\(name): \(reason)"
    }

    /// Lets go of the file, whatever is still at hand or on its way.
    mutating func close(into effects: inout [Effect]) {
        guard reading != .closed else { return }
        reading = .closed
        effects.append(.close(file))
    }
}

extension [FingerScript.Report] {
    /// What takes everything back that is down after these.
    fileprivate var ending: [FingerScript.Report] {
        var held = HeldInputs<DigitizerSpace>()
        var last: ContactFrame?
        for report in self {
            switch report {
            case .contacts(let frame): last = frame
            case .device(_, let input): _ = held.take(input)
            }
        }
        let time = last?.time ?? .zero
        let fingers = last?.cancellingWhoIsDown.map { [FingerScript.Report.contacts($0)] } ?? []
        return fingers + held.cancelAll().map { .device(time: Swift.max(time, self.last?.time ?? .zero), $0) }
    }
}

/// One finger that lands, moves a little every frame, lifts every hundred, and has lifted at the end.
struct SyntheticFinger: Sendable {
    let count: Int

    init(frames: Int) { count = frames }

    static let period = 100

    /// A last frame of its own would have to land and lift at once: it lifts the finger of the stay before instead.
    private var hasLongLastStay: Bool { count > Self.period && count % Self.period == 1 }

    subscript(index: Int) -> ContactFrame {
        let isLast = index == count - 1
        let step = index % Self.period
        let phase: DeviceContact.Phase =
            if step == 0, !(isLast && hasLongLastStay) {
                .began
            } else if isLast || step == Self.period - 1, !(index == count - 2 && hasLongLastStay) {
                .ended
            } else {
                .moved
            }
        // Around the middle of the glass, where there is something to touch.
        let at = Int32(32_768 + (step - Self.period / 2) * 64)
        // The landing's number: a frame that prolongs a stay belongs to the one before.
        let stay = (phase == .ended && step == 0 ? index - 1 : index) / Self.period
        return ContactFrame(
            time: .nanoseconds(Int64(index) * 1_000_000_000 / 60),
            contacts: [DeviceContact(id: Int64(stay), phase: phase, x: at, y: at)])
    }

    /// A single frame lands and is all there is: the end takes it away.
    var closing: ContactFrame? { count == 1 ? self[0].cancellingWhoIsDown : nil }
}
