/// The places an event passes on its way from glass to action, in order.
///
/// A trace line names its station; the station names the folder to open.
public enum Station: String, CaseIterable, Sendable {
    /// What a panel sent: Sources/Recordings, Sources/InputKitCore.
    case device
    /// An IOHIDEvent: Sources/HID.
    case hid
    /// All contacts of one scan: Sources/HID/FrameAssembler.swift.
    case frame
    /// Who gets it: Sources/SystemServerCore.
    case router
    /// Arrived at the app: Sources/AppCore.
    case inbox, source1, source0, queue
    /// What the app makes of it: Sources/UIKit.
    case event, hitTest, gesture, responder, action

    /// Not a place an event passes: starts, exits, readiness, refusals of any process.
    case process
    /// The phases of a run loop.
    case loop
    /// App life cycle.
    case app

    public static let way: [Station] = Array(allCases.prefix(13))
}
