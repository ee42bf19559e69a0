// RecordingWriter.swift: contact frames as a file of any format there is.
//
//     device, ranges ──▶ heading        once, before the first frame
//     frames ──────────▶ lines          as they come; WebDriver Actions only at the end
//     the end ─────────▶ what is open stays open: whoever reads the file cancels it again
//
// What a format has no words for is left out and counted: `losses`.
//
// Station   device
// Fed by    `touchline convert`, `touchline record`
// Feeds     a file that RecordingReader reads to the same contacts
// Knows     frames and formats. Never opens a file.
//
// Sources   documented  Docs/Spec/Input.md sections 3.1 to 3.5, 3.7, 3.11; inferred: that a cancelled contact of evdev's is a palm, of
//                       HID's one without confidence

public import HID

public struct RecordingWriter: Sendable {
    public struct Options: Hashable, Sendable {
        /// Scripts and Actions: positions become points of this screen; the panel's own units when nil.
        public var screen: ScreenGeometry?
        /// How much room there must be for contacts, where that is known (`RecordingRoom`): evdev and HID announce it
        /// ahead of the frames. Nil makes room for as many as there can be.
        public var contactsAtOnce: Int?
        /// How the device spoke in the recording this is a copy of. Only the journal says so.
        public var dialect: ContactProtocol?
        public var mode: ReportingMode?

        public init() {}
    }

    public let format: RecordingFormat
    /// Frames written so far.
    public private(set) var frames = 0

    private let kept: RecordingTraits
    private var needed: RecordingTraits
    private var body: any FrameWriter
    private var hasBegun = false

    /// - Parameters:
    ///   - device: What the heading says. Ranges it does not describe are `ranges`, with a remark where a format has
    ///     room for one.
    ///   - ranges: Of the frames' positions: what `RecordingReader.ranges` says.
    public init(
        _ format: RecordingFormat, device: DeviceDescription, ranges: AxisRanges, options: Options = Options()
    ) {
        self.format = format
        var kept = format.traits(onScreen: options.screen != nil)
        if format == .hidRecorder {
            // A report has a place for what the device describes, and for nothing else.
            if device.pressure?.range == nil { kept.remove(.pressure) }
            if device.major?.range == nil { kept.remove(.size) }
        }
        self.kept = kept
        needed = RecordingTraits(neededBy: device)
        body =
            switch format {
            case .evemu, .evtest, .getevent, .libinputRecord:
                EvdevWriter(format, device: device, ranges: ranges, contactsAtOnce: options.contactsAtOnce)
            case .hidRecorder:
                HIDRecorderWriter(device: device, ranges: ranges, contactsAtOnce: options.contactsAtOnce)
            case .webdriverActions: WebDriverWriter(device: device, ranges: ranges, screen: options.screen)
            case .script: ScriptWriter(ranges: ranges, screen: options.screen)
            case .journal:
                JournalWriter(device: device, ranges: ranges, dialect: options.dialect, mode: options.mode)
            }
    }

    /// Takes the next frame. Times do not go back: an earlier one is taken for the last.
    ///
    /// - Parameter bytes: Appended to: with the heading ahead of the first frame. Whole lines of them.
    public mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        begin(into: &bytes)
        frames += 1
        needed.formUnion(RecordingTraits(neededBy: frame))
        body.write(frame, into: &bytes)
    }

    /// The recording is over. Whoever is down stays down in the file; its reader cancels them.
    ///
    /// - Parameter time: When it was over, if that is known: of the frame `RecordingReader.finish` gave. Only the
    ///   journal says so.
    public mutating func finish(at time: Duration? = nil, into bytes: inout [UInt8]) {
        begin(into: &bytes)
        body.finish(at: time, into: &bytes)
    }

    /// What the recording says, as far as it has been written, and this format cannot.
    public var losses: RecordingTraits { needed.subtracting(kept) }

    private mutating func begin(into bytes: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        body.begin(into: &bytes)
    }
}

/// One format, written. `begin` comes once and first, `finish` once and last.
protocol FrameWriter: Sendable {
    mutating func begin(into bytes: inout [UInt8])
    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8])
    mutating func finish(at time: Duration?, into bytes: inout [UInt8])
}
