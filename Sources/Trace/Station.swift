// Station.swift: the stations that an event passes, in order.
//
// Output    facts, trace lines and the pages that list them
//
// Sources   invented, after Docs/Spec/Pipeline.md

/// A station of an event on its way from the panel to an action, in order; and the sources of other facts.
///
/// A trace line names its station. The comments here name the directory with its code.
public enum Station: String, CaseIterable, Sendable {
    /// The reports of a panel: Sources/Recordings, Sources/InputKitCore.
    case device
    /// An IOHIDEvent: Sources/HID.
    case hid
    /// All contacts of one scan: Sources/HID/FrameAssembler.swift.
    case frame
    /// The search for the app that receives it: Sources/SystemServerCore.
    case router
    /// The arrival at the app and the way to its queue: Sources/AppCore.
    case inbox, source1, source0, queue
    /// The processing by the app's UIKit: Sources/UIKit.
    case event, hitTest, gesture, responder, action

    /// Not a station of an event: starts, exits, readiness and refusals of any process.
    case process
    /// The phases of a run loop.
    case loop
    /// The life cycle of an app.
    case app

    /// The thirteen stations of an event, in order.
    public static let eventStations: [Station] = Array(allCases.prefix(13))
}
