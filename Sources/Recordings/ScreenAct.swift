// ScreenAct.swift: a script's acts on the screen layout.
//
//     split app1 app2 @t      overlay app2 (x,y) (width,height) @t      suspend app2 @t      terminate app2 @t
//     alert @t                keyboard 216 @t                           display off @t       display on @t
//     orientation app1 landscapeLeft @t
//
// An alert lasts until `resume`; a height of 0 hides the keyboard; a frame is in points of the screen.
//
// Station   device
// Input     ScriptWords
// Output    the tool that sends the act to the system server
// Knows     numbers of apps. Not whether they exist.
//
// Sources   invented, after Docs/Spec/Semantics.md D3 and the other words of Docs/Spec/Scenarios.md

public import Basics

/// An act on the screen layout.
public enum ScreenAct: Hashable, Sendable {
    /// Side by side, the first app on the left.
    case split(app: UInt32, with: UInt32)
    case overlay(app: UInt32, Rect<ScreenSpace>)
    case suspend(app: UInt32)
    case terminate(app: UInt32)
    case alert
    /// The height in points; 0 hides the keyboard.
    case keyboard(Double)
    case display(isOn: Bool)
    /// The orientation of the app's interface.
    case orientation(app: UInt32, InterfaceOrientation)

    static let verbs = ["split", "overlay", "suspend", "terminate", "alert", "keyboard", "display", "orientation"]

    /// The apps that the act names.
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
