// ContactFrame.swift: the contacts of one scan, before they are an event in IOKit's terms.
//
// Station   frame
// Input     the readers in Recordings, scripts, live devices
// Output    contact frames for FrameAssembler
//
// Sources   invented

public import Basics

/// The change of a contact since the scan before. Raw values are those of `UITouch.Phase`.
public enum ContactPhase: UInt8, Sendable { case began, moved, stationary, ended, cancelled }

/// One contact of one scan, in the device's own units.
public struct DeviceContact: Hashable, Sendable {
    /// The phase of a contact in its frame.
    public typealias Phase = ContactPhase

    /// The device's number of the contact (tracking id, contact identifier), unique only among contacts that are down.
    public var id: Int64
    public var phase: Phase
    /// The position in logical device units, as reported.
    public var x, y: Int32
    public var attributes: ContactAttributes

    public init(
        id: Int64, phase: Phase, x: Int32, y: Int32, attributes: ContactAttributes = ContactAttributes()
    ) {
        (self.id, self.phase, self.x, self.y, self.attributes) = (id, phase, x, y, attributes)
    }
}

/// The contacts of one scan. One contact may end and another land in the same scan: the end comes first.
public struct ContactFrame: Hashable, Sendable {
    /// The time since the recording's first event; for a live device, the time since boot.
    public var time: Duration
    /// The contacts that are down or have just ended, in order of landing.
    public var contacts: [DeviceContact]
    /// The device's own clock since its first scan, without wrapping: HID Scan Time, MSC_TIMESTAMP. Nil if it has none.
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

    /// Converts device coordinates to a panel position. A coordinate outside its range is moved to the end of the range.
    public func panelPosition(_ x: Int32, _ y: Int32) -> Point<DigitizerSpace> {
        Point(
            Fixed(normalising: Int64(x), from: Int64(self.x.lowerBound), to: Int64(self.x.upperBound)),
            Fixed(normalising: Int64(y), from: Int64(self.y.lowerBound), to: Int64(self.y.upperBound)))
    }
}
