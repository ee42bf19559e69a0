// RecordingWriter.swift: writes contact frames as a file of any format.
//
//     device, ranges ──▶ heading        once, before the first frame
//     frames ──────────▶ lines          as they come; WebDriver Actions only at the end
//     the end ─────────▶ contacts that are down stay down: the reader of the file cancels them again
//
// Properties that a format cannot store are omitted and counted: `losses`.
//
// Station   device
// Input     `touchline convert`, `touchline record`
// Output    a file that RecordingReader reads to the same contacts
// Knows     frames and formats. It never opens a file.
//
// Sources   documented  Docs/Spec/Input.md sections 3.1 to 3.5, 3.7, 3.11; inferred: that a cancelled contact is a palm in evdev, and a
//                       contact without confidence in HID

public import HID

/// Writes a recording.
public struct RecordingWriter: Sendable {
    /// The options of a writer.
    public struct Options: Hashable, Sendable {
        /// For scripts and Actions: the screen of the written points; nil for the panel's own units.
        public var screen: ScreenGeometry?
        /// The number of contacts to make room for, if it is known (`RecordingCapacity`): evdev and HID headings contain
        /// it. Nil makes room for the maximum.
        public var contactsAtOnce: Int?
        /// The device's protocol in the original recording. Only the journal stores it.
        public var contactProtocol: ContactProtocol?
        public var mode: ReportingMode?

        public init() {}
    }

    public let format: RecordingFormat
    /// Frames written so far.
    public private(set) var frames = 0

    private let storableTraits: RecordingTraits
    private var neededTraits: RecordingTraits
    private var body: any FrameWriter
    private var hasBegun = false

    /// - Parameters:
    ///   - format: The format of the file.
    ///   - device: The content of the heading. Missing ranges become `ranges`, with a remark if the format has room for
    ///     one.
    ///   - ranges: The ranges of the frames' positions: `RecordingReader.ranges`.
    ///   - options: What a person chooses.
    public init(
        _ format: RecordingFormat, device: DeviceDescription, ranges: AxisRanges, options: Options = Options()
    ) {
        self.format = format
        var storableTraits = format.traits(onScreen: options.screen != nil)
        if format == .hidRecorder {
            // A report has a field for each value that the device describes, and no others.
            if device.pressure?.range == nil { storableTraits.remove(.pressure) }
            if device.major?.range == nil { storableTraits.remove(.size) }
        }
        self.storableTraits = storableTraits
        neededTraits = RecordingTraits(neededBy: device)
        body =
            switch format {
            case .evemu, .evtest, .getevent, .libinputRecord:
                EvdevWriter(format, device: device, ranges: ranges, contactsAtOnce: options.contactsAtOnce)
            case .hidRecorder:
                HIDRecorderWriter(device: device, ranges: ranges, contactsAtOnce: options.contactsAtOnce)
            case .webdriverActions: WebDriverWriter(device: device, ranges: ranges, screen: options.screen)
            case .script: ScriptWriter(ranges: ranges, screen: options.screen)
            case .journal:
                JournalWriter(
                    device: device, ranges: ranges, contactProtocol: options.contactProtocol, mode: options.mode)
            }
    }

    /// Writes the next frame. A time before the last one is replaced by it.
    ///
    /// - Parameters:
    ///   - frame: The contacts of one scan.
    ///   - bytes: Receives whole lines; the heading before the first frame.
    public mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        begin(into: &bytes)
        frames += 1
        neededTraits.formUnion(RecordingTraits(neededBy: frame))
        body.write(frame, into: &bytes)
    }

    /// Ends the recording. Contacts that are down stay down in the file; its reader cancels them.
    ///
    /// - Parameters:
    ///   - time: The end of the recording, if it is known: the time of `RecordingReader.finish`'s frame. Only the
    ///     journal stores it.
    ///   - bytes: Receives the last lines.
    public mutating func finish(at time: Duration? = nil, into bytes: inout [UInt8]) {
        begin(into: &bytes)
        body.finish(at: time, into: &bytes)
    }

    /// The properties of the recording so far that this format cannot store.
    public var losses: RecordingTraits { neededTraits.subtracting(storableTraits) }

    private mutating func begin(into bytes: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        body.begin(into: &bytes)
    }
}

/// The writer of one format. `begin` is called once and first, `finish` once and last.
protocol FrameWriter: Sendable {
    mutating func begin(into bytes: inout [UInt8])
    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8])
    mutating func finish(at time: Duration?, into bytes: inout [UInt8])
}
