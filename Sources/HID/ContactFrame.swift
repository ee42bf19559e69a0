// ContactFrame.swift: what a recording or a live device says at one moment, before IOKit's vocabulary.
//
// Station   frame
// Fed by    the readers in Recordings
// Feeds     FrameAssembler

/// What a finger did since the scan before, from the panel to the app. Raw values as `UITouch.Phase`.
public enum ContactPhase: UInt8, Sendable { case began, moved, stationary, ended, cancelled }

/// One finger of one scan, in the device's own units.
public struct DeviceContact: Hashable, Sendable {
    public typealias Phase = ContactPhase

    /// The device's name for this finger (tracking id, contact identifier). Unique among live contacts only.
    public var id: Int64
    public var phase: Phase
    /// Logical device units, as recorded.
    public var x, y: Int32

    public init(id: Int64, phase: Phase, x: Int32, y: Int32) {
        (self.id, self.phase, self.x, self.y) = (id, phase, x, y)
    }
}

/// One scan. A contact that ends and one that lands may share it: ended first.
public struct ContactFrame: Hashable, Sendable {
    /// Time since the recording's first event.
    public var time: Duration
    /// Live contacts and those that just ended, in order of landing.
    public var contacts: [DeviceContact]

    public init(time: Duration, contacts: [DeviceContact]) { (self.time, self.contacts) = (time, contacts) }
}

/// The logical ranges of a panel's two axes.
public struct AxisRanges: Hashable, Sendable {
    public var x: ClosedRange<Int32>
    public var y: ClosedRange<Int32>

    public init(x: ClosedRange<Int32>, y: ClosedRange<Int32>) { (self.x, self.y) = (x, y) }
}
