// ScreenAct.swift: what happens to the order of things on the screen, as a script says it.
//
//     split app1 app2 @t      overlay app2 (x,y) (width,height) @t      suspend app2 @t      terminate app2 @t
//     alert @t                keyboard 216 @t                           display off @t       display on @t
//     orientation app1 landscapeLeft @t
//
// An alert lasts until `resume`; a keyboard of no height is put away; a frame is in points of the screen.
//
// Station   device
// Fed by    ScriptWords
// Feeds     whoever tells the system server
// Knows     numbers of apps. Not whether there are any.
//
// Sources   invented, after Docs/Spec/Semantics.md D3 and the other words of Docs/Spec/Scenarios.md

public import Basics

public enum ScreenAct: Hashable, Sendable {
    /// Side by side, the first on the left.
    case split(app: UInt32, with: UInt32)
    case overlay(app: UInt32, Rect<ScreenSpace>)
    case suspend(app: UInt32)
    case terminate(app: UInt32)
    case alert
    /// How high it is, in points; 0 puts it away.
    case keyboard(Double)
    case display(isOn: Bool)
    /// Which way up its interface is.
    case orientation(app: UInt32, InterfaceOrientation)

    static let verbs = ["split", "overlay", "suspend", "terminate", "alert", "keyboard", "display", "orientation"]

    /// Those it names.
    public var apps: [UInt32] {
        switch self {
        case .split(let app, let other): [app, other]
        case .overlay(let app, _), .suspend(let app), .terminate(let app), .orientation(let app, _): [app]
        case .alert, .keyboard, .display: []
        }
    }
}

extension ScreenAct: CustomStringConvertible {
    public var description: String {
        switch self {
        case .split(let app, let other): "split app\(app) app\(other)"
        case .overlay(let app, let frame):
            "overlay app\(app) (\(frame.x),\(frame.y)) (\(frame.width),\(frame.height))"
        case .suspend(let app): "suspend app\(app)"
        case .terminate(let app): "terminate app\(app)"
        case .alert: "alert"
        case .keyboard(let height): "keyboard \(height)"
        case .display(let isOn): "display \(isOn ? "on" : "off")"
        case .orientation(let app, let orientation): "orientation app\(app) \(orientation)"
        }
    }
}
