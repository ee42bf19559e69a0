// LineFormat.swift: the interface of the text format readers for RecordingReader.

public import HID

/// The facts that a recording has shown so far.
struct RecordingFacts: Sendable {
    var device = DeviceDescription()
    /// Nil for scripts, and until it is known.
    var contactProtocol: ContactProtocol?
    /// HID only.
    var mode: ReportingMode?
    /// The screen that positions refer to, in 65536ths of its width and height; nil for a panel's own units.
    var screen: ScreenGeometry?
    /// The number of lines that are not of the format.
    var ignoredLines = 0
    /// The number of ignored contacts: see `EvdevTracker.ignoredContacts`.
    var ignoredContacts = 0
    /// The number of timestamps before their predecessor.
    var timesBackwards = 0
    /// The reports of a script or an Actions file, which contain its frames. Only after its end.
    var reports: [FingerScript.Report]?
    /// Remarks for a person, a sentence each: why there are no touches, which devices were ignored.
    var remarks: [String] = []

    init() {}
}

/// One text format. A line comes without its line break, and may have a carriage return.
protocol LineFormat: Sendable {
    var facts: RecordingFacts { get }

    /// Reads one line.
    ///
    /// - Parameter frames: Receives the frames, also before an error.
    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint)

    /// Handles the end of the file.
    ///
    /// - Returns: The contacts that are still down, cancelled; nil without any.
    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame?

    /// Returns frames that waited for later lines, after an error.
    ///
    /// - Returns: The contacts that are still down, cancelled; nil without any, or if the last frame contains them.
    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame?

    /// Removes the IOHIDEvents of the lines so far: `RecordingOptions.keepsIOHIDEvents`, formats of HID reports only.
    mutating func removeIOHIDEvents() -> [HIDEvent]
}

extension LineFormat {
    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { nil }
    mutating func removeIOHIDEvents() -> [HIDEvent] { [] }
}

/// A person's knowledge about a recording that the file does not contain.
public struct RecordingOptions: Hashable, Sendable {
    /// The treatment of a contact that its panel marks as a palm.
    public enum Palms: String, Sendable, CaseIterable {
        /// It never begins, or is cancelled when it becomes a palm. This applies to declared palms (ABS_MT_TOOL_TYPE)
        /// and to contacts without Confidence.
        case cancel
        /// Only a declared palm is treated so; a contact without Confidence is a finger. Docs/Spec/Input.md section 3.10 counts so.
        case declared
        /// It is a finger like any other.
        case keep
    }

    /// The axes of a device without a description; `RecordingReader.assumedRanges` if nil.
    public var ranges: AxisRanges?
    /// Whether a contact that is missing in a HID report has lifted. A few panels need this (Docs/Spec/Input.md section 3.10.5).
    public var absentMeansLifted = false
    public var palms = Palms.cancel
    /// Whether a reader of HID reports also keeps the IOHIDEvents that Apple's driver makes of them.
    public var keepsIOHIDEvents = false

    public init(ranges: AxisRanges? = nil) { self.ranges = ranges }
}
