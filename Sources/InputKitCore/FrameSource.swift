// FrameSource.swift: the frames of a play in order, from a file, a script or a generator.
//
// Station   device
// Input     PlayOrder, and the host's answers to `read`
// Output    reports for Play
// Knows     files by number and name. No time but the recording's own, no link.
//
// A file is read in chunks, and only a little ahead. The frames of a script are made at the beginning, synthetic ones
// when they are needed. Each repetition is a pass: a file is opened again, and contacts that are still down at the end of
// a pass are cancelled. One exception is the last pass of a script that came as text: its contacts stay down.
//
// Sources   invented

import Basics
import HID
import Hosting
import Recordings
import Wire

/// The frames of a play.
struct FrameSource: Sendable {
    /// Counts of a recording's missing descriptions and ignored parts, collected while it is read.
    struct Remarks: Equatable, Sendable {
        /// Recordings that do not describe their axes, so that all positions may lie in one corner.
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

    /// The reason why no more frames follow although more were ordered.
    private(set) var failure: String?
    /// The logical ranges of the ready frames.
    private(set) var ranges = FingerScript.ranges
    /// The panel's description of itself; empty for a script.
    private(set) var device = DeviceDescription()
    /// The remarks of files that were read to their end or to an error, since the last `takeRemarks()`.
    private var remarks: Remarks?

    private var kind: Kind
    private let screen: ScreenGeometry
    private let options: RecordingOptions
    private let repeats: UInt32
    /// The number of the pass whose frames are being made.
    private var pass: UInt32 = 0
    /// The index of the next frame in a pass whose frames are made here.
    private var position = 0
    private var hasContent = false

    /// The frames that are ready, and their slots, which are read without them.
    private var reports = Deque<FingerScript.Report>()
    private var slots = Deque<Slot>()
    /// The contacts of synthetic reports that were sent.
    private var sentContacts: [[DeviceContact]] = []

    private var reader: RecordingReader?
    /// The number of the file. It grows, so that a late answer for an earlier file can be recognized.
    private(set) var file: FileID
    private var reading = Reading.closed

    /// The state of reading a file.
    private enum Reading { case closed, open, awaitingBytes }

    /// The number of ready frames below which the next chunk is requested.
    static let lowWater = 128
    /// The number of frames that are made here at once, when none is ready. The memory of few frames is used again soon.
    private static let madeAtOnce = 8
    /// The size of a chunk in bytes.
    static let chunk = 65_536

    /// - Parameter file: A number that is larger than any used before.
    /// - Throws: `RecordingError` for a script that is invalid. The errors of a file appear when it is read.
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
                    file: "script", line: act.number, expected: "input of fingers, keys or pointers",
                    found: "\(act.act)")
            }
            let reports = script.reports(on: screen)
            ranges = script.panelRanges
            kind = .reports(reports, closing: reports.ending)
        // A marker has nothing to play. InputKitCore handles it itself.
        case .marker: kind = .reports([], closing: [])
        case .synthetic(let count): kind = .synthetic(SyntheticFinger(frames: Int(count)))
        }
    }

    /// When a report is to be sent: its pass, and its time in the recording.
    struct Slot: Equatable, Sendable {
        var pass: UInt32
        var time: Duration
    }

    /// The slot of the first report; nil if none is ready.
    var next: Slot? { slots.first }

    /// Whether no frame is ready and none will follow.
    var isEnded: Bool { slots.isEmpty && reading != .awaitingBytes && (pass >= repeats || failure != nil) }

    /// Removes and returns the first report.
    ///
    /// - Precondition: A report is ready.
    mutating func removeFirst() -> FingerScript.Report {
        _ = slots.popFirst()
        return reports.popFirst()!
    }

    /// Takes back the contacts of a report that was sent, for the memory of a synthetic one.
    mutating func reuse(_ contacts: consuming [DeviceContact]) {
        guard case .synthetic = kind, sentContacts.count < Self.madeAtOnce else { return }
        sentContacts.append(contacts)
    }

    /// Makes or requests frames if few are ready.
    mutating func refill(into effects: inout [Effect]) {
        while failure == nil, pass < repeats, reading != .awaitingBytes, slots.count < leastReady {
            switch kind {
            case .file(let path): request(path, into: &effects)
            case .reports(let reports, let closing):
                let isLast = pass + 1 == repeats
                make(reports.count) { reports[$0.position] }
                if position == reports.count { endPass(closing: isLast ? [] : closing) }
            case .synthetic(let finger):
                make(finger.count) { .contacts(finger.frame(at: $0.position, in: $0.sentContacts.popLast() ?? [])) }
                if position == finger.count { endPass(closing: finger.closing.map { [.contacts($0)] } ?? []) }
            }
        }
    }

    /// The number of ready frames below which more are made or requested.
    private var leastReady: Int { if case .file = kind { Self.lowWater } else { 1 } }

    private mutating func request(_ path: String, into effects: inout [Effect]) {
        if reading == .closed {
            file = FileID(file.rawValue &+ 1)
            reader = RecordingReader(name: path, screen: screen, options: options)
            effects.append(.open(file, path: path))
        }
        reading = .awaitingBytes
        effects.append(.read(file, limit: Self.chunk))
    }

    /// Appends at most `madeAtOnce` frames that are made here.
    /// Makes the next frames of a pass.
    ///
    /// - Parameter report: Makes the frame at the source's position.
    private mutating func make(_ count: Int, _ report: (inout FrameSource) -> FingerScript.Report) {
        let end = min(count, position + Self.madeAtOnce)
        while position < end {
            append(report(&self))
            position += 1
        }
    }

    private mutating func append(_ report: FingerScript.Report) {
        if case .contacts(let frame) = report, frame.contacts.isEmpty { return }
        hasContent = true
        slots.append(Slot(pass: pass, time: report.time))
        reports.append(report)
    }

    private mutating func endPass(closing: [FingerScript.Report]) {
        for report in closing { append(report) }
        pass += 1
        position = 0
        if !hasContent { failure = "\(name): expected a touch, found none" }
    }

    /// The name of the source in failures.
    private var name: String {
        switch kind {
        case .file(let path): path
        case .reports: "script"
        case .synthetic: "synthetic"
        }
    }

    /// Handles the answer to `read`.
    ///
    /// - Parameter bytes: Empty at the end of the file.
    mutating func receive(_ bytes: [UInt8], of id: FileID, into effects: inout [Effect]) {
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
        if let reader { addRemarks(of: reader) }
        close(into: &effects)
        if failure == nil { endPass(closing: closing) }
    }

    private mutating func addRemarks(of reader: RecordingReader) {
        let remarks = Remarks(
            assumedRanges: reader.rangesAreAssumed && hasContent ? 1 : 0, ignoredLines: reader.ignoredLines,
            ignoredContacts: reader.ignoredContacts, timesBackwards: reader.timesBackwards)
        self.remarks = remarks + (self.remarks ?? Remarks())
    }

    /// Returns the remarks and removes them.
    ///
    /// - Returns: Nil if no file was read to its end since the last call.
    mutating func takeRemarks() -> Remarks? { remarks.take() }

    mutating func failed(_ reason: String, of id: FileID) {
        guard id == file, reading != .closed else { return }
        reading = .closed
        failure = reason.hasPrefix(name) ? reason : "\(name): \(reason)"
    }

    /// Closes the file. Its ready frames stay, and a late answer is ignored.
    mutating func close(into effects: inout [Effect]) {
        guard reading != .closed else { return }
        reading = .closed
        effects.append(.close(file))
    }
}

extension [FingerScript.Report] {
    /// The reports that cancel everything that is down after these reports.
    fileprivate var ending: [FingerScript.Report] {
        var held = HeldInputs<DigitizerSpace>()
        var last: ContactFrame?
        for report in self {
            switch report {
            case .contacts(let frame): last = frame
            case .device(_, let input): _ = held.apply(input)
            }
        }
        let time = last?.time ?? .zero
        let fingers = last?.cancellingDownContacts.map { [FingerScript.Report.contacts($0)] } ?? []
        return fingers + held.cancelAll().map { .device(time: Swift.max(time, self.last?.time ?? .zero), $0) }
    }
}

/// A generator of one contact that lands, moves in every frame, lifts every hundred frames, and is up at the end.
struct SyntheticFinger: Sendable {
    let count: Int

    init(frames: Int) { count = frames }

    static let period = 100

    /// Whether the last frame would be a landing without a lift. It lifts the contact of the stay before instead.
    private var prolongsLastStay: Bool { count > Self.period && count % Self.period == 1 }

    /// Makes a frame.
    ///
    /// - Parameter contacts: A list whose memory the frame may use.
    func frame(at index: Int, in contacts: consuming [DeviceContact] = []) -> ContactFrame {
        let isLast = index == count - 1
        let step = index % Self.period
        let phase: DeviceContact.Phase =
            if step == 0, !(isLast && prolongsLastStay) {
                .began
            } else if isLast || step == Self.period - 1, !(index == count - 2 && prolongsLastStay) {
                .ended
            } else {
                .moved
            }
        // Around the middle of the panel, where a view can receive the touch.
        let at = Int32(32_768 + (step - Self.period / 2) * 64)
        // The number of the landing. A frame that prolongs a stay belongs to the stay before.
        let stay = (phase == .ended && step == 0 ? index - 1 : index) / Self.period
        contacts.removeAll(keepingCapacity: true)
        contacts.append(DeviceContact(id: Int64(stay), phase: phase, x: at, y: at))
        return ContactFrame(time: .nanoseconds(Int64(index) * 1_000_000_000 / 60), contacts: contacts)
    }

    /// The cancellation after a play of one frame, which only lands.
    var closing: ContactFrame? { count == 1 ? frame(at: 0).cancellingDownContacts : nil }
}
