// ContactFrame.swift: what a recording or a live device says at one moment, before IOKit's vocabulary.
//
// Station   frame
// Fed by    the readers in Recordings
// Feeds     FrameAssembler

public import Basics

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
    public var attributes: ContactAttributes

    public init(
        id: Int64, phase: Phase, x: Int32, y: Int32, attributes: ContactAttributes = ContactAttributes()
    ) {
        (self.id, self.phase, self.x, self.y, self.attributes) = (id, phase, x, y, attributes)
    }
}

/// One scan. A contact that ends and one that lands may share it: ended first.
public struct ContactFrame: Hashable, Sendable {
    /// Time since the recording's first event.
    public var time: Duration
    /// Live contacts and those that just ended, in order of landing.
    public var contacts: [DeviceContact]
    /// The device's own clock, unwrapped, since the recording's first scan: HID Scan Time, MSC_TIMESTAMP. Nil without.
    public var scanTime: Duration?

    public init(time: Duration, contacts: [DeviceContact], scanTime: Duration? = nil) {
        (self.time, self.contacts, self.scanTime) = (time, contacts, scanTime)
    }
}

/// The logical ranges of a panel's two axes.
public struct AxisRanges: Hashable, Sendable {
    public var x: ClosedRange<Int32>
    public var y: ClosedRange<Int32>

    public init(x: ClosedRange<Int32>, y: ClosedRange<Int32>) { (self.x, self.y) = (x, y) }

    /// Where on the panel the device's own coordinates are. What lies beyond a range is at its end.
    public func panelPosition(_ x: Int32, _ y: Int32) -> Point<DigitizerSpace> {
        Point(
            Fixed(normalising: Int64(x), from: Int64(self.x.lowerBound), to: Int64(self.x.upperBound)),
            Fixed(normalising: Int64(y), from: Int64(self.y.lowerBound), to: Int64(self.y.upperBound)))
    }
}
