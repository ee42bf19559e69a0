// DeviceAct.swift: a script's lines about keys, shakes, headsets and pointers, and what they are to a device.
//
// Station   device
// Fed by    ScriptWords
// Feeds     FingerScript.reports
// Knows     names of buttons and keys. Not which phase a pointer is in.
//
// Sources   documented  Docs/Spec/Scenarios.md: press, shake; invented: the rest, and that a shake is over at once

public import Basics
public import HID

public enum DeviceAct: Hashable, Sendable {
    /// What a script ends by `… end`.
    public enum Pointer: String, Hashable, Sendable { case scroll, hover, transform }

    /// A remote's button, by UIPress's name, or one of the phone's own.
    case press(String, isDown: Bool)
    /// A keyboard's key, by what is printed on it.
    case key(String, isDown: Bool)
    case shake
    case remote(RemoteCommand)
    /// Points of the screen.
    case scroll(Point<ScreenSpace>, dx: Double, dy: Double)
    case wheel(Point<ScreenSpace>, dx: Double, dy: Double)
    case hover(Point<ScreenSpace>)
    /// Degrees clockwise; both since it began.
    case transform(Point<ScreenSpace>, scale: Double, degrees: Double)
    case end(Pointer)
}

extension DeviceAct {
    /// - Returns: One input, or two for what begins and is over. None for a name nobody knows.
    func inputs(on panel: ScriptPanel) -> [DeviceInput] {
        func place(_ point: Point<ScreenSpace>) -> DeviceInput.Place { panel.place(point) }
        func key(_ usage: HIDUsage?, _ isDown: Bool) -> [DeviceInput] {
            usage.map { [DeviceInput(isDown ? .began : .ended, .key($0))] } ?? []
        }
        let nowhere = DeviceInput.Place(x: .zero, y: .zero)
        return switch self {
        case .press(let name, let isDown): key(HIDUsage.pressed(named: name), isDown)
        case .key(let name, let isDown): key(HIDUsage.key(named: name), isDown)
        case .shake: [DeviceInput(.began, .shake), DeviceInput(.ended, .shake)]
        case .remote(let command): [DeviceInput(.once, .remote(command))]
        case .scroll(let point, let dx, let dy):
            [DeviceInput(.began, .scroll(place(point), dx: Fixed(dx), dy: Fixed(dy)))]
        case .wheel(let point, let dx, let dy):
            [DeviceInput(.once, .scroll(place(point), dx: Fixed(dx), dy: Fixed(dy)))]
        case .hover(let point): [DeviceInput(.began, .hover(place(point)))]
        case .transform(let point, let scale, let degrees):
            [
                DeviceInput(
                    .began,
                    .transform(place(point), scale: Fixed(scale), rotation: Fixed(degrees * Double.pi / 180)))
            ]
        // Where it was last, HeldInputs knows.
        case .end(.scroll): [DeviceInput(.ended, .scroll(nowhere, dx: .zero, dy: .zero))]
        case .end(.hover): [DeviceInput(.ended, .hover(nowhere))]
        case .end(.transform): [DeviceInput(.ended, .transform(nowhere, scale: .one, rotation: .zero))]
        }
    }
}

extension DeviceAct: CustomStringConvertible {
    /// As it is written.
    public var description: String {
        func text(_ point: Point<ScreenSpace>) -> String { "(\(point.x),\(point.y))" }
        return switch self {
        case .press(let name, let isDown): "press \(name) \(isDown ? "down" : "up")"
        case .key(let name, let isDown): "key \(name) \(isDown ? "down" : "up")"
        case .shake: "shake"
        case .remote(let command): "remote \(command)"
        case .scroll(let point, let dx, let dy): "scroll \(text(point)) by (\(dx),\(dy))"
        case .wheel(let point, let dx, let dy): "wheel \(text(point)) by (\(dx),\(dy))"
        case .hover(let point): "hover \(text(point))"
        case .transform(let point, let scale, let degrees):
            "transform \(text(point)) scale \(scale) rotate \(degrees)"
        case .end(let pointer): "\(pointer) end"
        }
    }
}

extension RemoteCommand {
    /// Nil when a headset has no such button.
    init?(word: some StringProtocol) {
        guard let command = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = command
    }
}
