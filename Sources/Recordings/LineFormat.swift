// LineFormat.swift: what every reader of a text format is to RecordingReader.

public import HID

/// What a recording has said of itself so far.
struct RecordingFacts: Sendable {
    var device = DeviceDescription()
    /// Nil for scripts, and until it is known.
    var dialect: ContactProtocol?
    /// HID only.
    var mode: ReportingMode?
    /// Whose width and height positions are 65536ths of; nil for a panel's own units.
    var screen: ScreenGeometry?
    /// Lines that were nothing of the format's.
    var ignoredLines = 0
    /// Landings announced that no panel could have: see `EvdevTracker.ignored`.
    var ignoredContacts = 0
    /// Stamps that lay before the one ahead of them.
    var timesBackwards = 0
    /// Of a script or an Actions file read to its end: what its frames are part of.
    var reports: [FingerScript.Report]?
    /// For a person, a sentence each: why there are no touches, which devices were left out.
    var remarks: [String] = []

    init() {}
}

/// One text format. A line comes without its line end, and may have a carriage return.
protocol LineFormat: Sendable {
    var facts: RecordingFacts { get }

    /// - Parameter frames: Appended to, also when an error follows them.
    mutating func take(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint)

    /// The file has ended.
    ///
    /// - Returns: Whoever is still down, cancelled; nil when nobody is.
    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame?

    /// The rest cannot be read: for frames that were held back until more was known.
    ///
    /// - Returns: Whoever is still down, cancelled; nil when nobody is, or only the frames say who.
    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame?

    /// Removes the IOHIDEvents of the lines so far: `RecordingOptions.keepsIOHIDEvents`, formats of HID reports only.
    mutating func removeIOHIDEvents() -> [HIDEvent]
}

extension LineFormat {
    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { nil }
    mutating func removeIOHIDEvents() -> [HIDEvent] { [] }
}

/// What a person knows of a recording that the recording does not say.
public struct RecordingOptions: Hashable, Sendable {
    /// What becomes of a contact its panel calls a palm.
    public enum Palms: String, Sendable, CaseIterable {
        /// It never lands, or is cancelled when it becomes one: one the device declares a palm (ABS_MT_TOOL_TYPE), and
        /// one it has no Confidence in.
        case cancel
        /// The same of a declared palm alone: who lacks Confidence is a finger. Docs/Spec/Input.md section 3.10 counts so.
        case declared
        /// It is a finger like any other.
        case keep
    }

    /// The axes of a device whose recording does not describe them; `RecordingReader.assumedRanges` when nil.
    public var ranges: AxisRanges?
    /// A contact that a HID report leaves out has lifted. A few panels need it (Docs/Spec/Input.md section 3.10.5).
    public var absentMeansLifted = false
    public var palms = Palms.cancel
    /// Whether a reader of HID reports also keeps the IOHIDEvents that Apple's driver makes of them.
    public var keepsIOHIDEvents = false

    public init(ranges: AxisRanges? = nil) { self.ranges = ranges }
}
