// DeviceAct.swift: a script's lines about keys, shakes, headsets and pointers, as inputs of a device.
//
// Station   device
// Input     ScriptWords
// Output    FingerScript.reports
// Knows     names of buttons and keys. Not the phase of a pointer.
//
// Sources   documented  Docs/Spec/Scenarios.md: press, shake; invented: the rest, and that a shake begins and ends at once

public import Basics
public import HID

/// An act of a device other than a touch panel.
public enum DeviceAct: Hashable, Sendable {
    /// The pointers that a script ends by `… end`.
    public enum Pointer: String, Hashable, Sendable { case scroll, hover, transform }

    /// A remote's button, by UIPress's name, or a button of the phone itself.
    case press(String, isDown: Bool)
    /// A keyboard's key, by its label.
    case key(String, isDown: Bool)
    case shake
    case remote(RemoteCommand)
    /// In points of the screen.
    case scroll(Point<ScreenSpace>, dx: Double, dy: Double)
    case wheel(Point<ScreenSpace>, dx: Double, dy: Double)
    case hover(Point<ScreenSpace>)
    /// `scale` and `degrees` (clockwise) count from the beginning of the gesture.
    case transform(Point<ScreenSpace>, scale: Double, degrees: Double)
    case end(Pointer)
}

extension DeviceAct {
    /// The device inputs of this act.
    ///
    /// - Returns: One input, or two for an act that begins and ends at once. None for an unknown name.
    package func inputs(on panel: ScriptPanel) -> [DeviceInput<DigitizerSpace>] {
        func position(_ point: Point<ScreenSpace>) -> Point<DigitizerSpace> { panel.panelPosition(point) }
        func key(_ usage: HIDUsage?, _ isDown: Bool) -> [DeviceInput<DigitizerSpace>] {
            usage.map { [DeviceInput(isDown ? .began : .ended, .key($0))] } ?? []
        }
        let nowhere = Point<DigitizerSpace>.zero
        return switch self {
        case .press(let name, let isDown): key(HIDUsage.pressed(named: name), isDown)
        case .key(let name, let isDown): key(HIDUsage.key(named: name), isDown)
        case .shake: [DeviceInput(.began, .shake), DeviceInput(.ended, .shake)]
        case .remote(let command): [DeviceInput(.once, .remote(command))]
        case .scroll(let point, let dx, let dy):
            [DeviceInput(.began, .scroll(position(point), dx: Fixed(dx), dy: Fixed(dy)))]
        case .wheel(let point, let dx, let dy):
            [DeviceInput(.once, .scroll(position(point), dx: Fixed(dx), dy: Fixed(dy)))]
        case .hover(let point): [DeviceInput(.began, .hover(position(point)))]
        case .transform(let point, let scale, let degrees):
            [
                DeviceInput(
                    .began,
                    .transform(position(point), scale: Fixed(scale), rotation: Fixed(degrees * Double.pi / 180)))
            ]
        // HeldInputs knows the last position.
        case .end(.scroll): [DeviceInput(.ended, .scroll(nowhere, dx: .zero, dy: .zero))]
        case .end(.hover): [DeviceInput(.ended, .hover(nowhere))]
        case .end(.transform): [DeviceInput(.ended, .transform(nowhere, scale: .one, rotation: .zero))]
        }
    }
}

extension DeviceAct: CustomStringConvertible {
    /// The act as a script writes it.
    public var description: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(into bytes: inout [UInt8]) {
        switch self {
        case .press(let name, let isDown): bytes.append(text: "press \(name) \(isDown ? "down" : "up")")
        case .key(let name, let isDown): bytes.append(text: "key \(name) \(isDown ? "down" : "up")")
        case .shake: bytes.append("shake")
        case .remote(let command): bytes.append(text: "remote \(command)")
        case .scroll(let point, let dx, let dy):
            bytes.append("scroll ")
            bytes.append(point: point)
            bytes.append(" by ")
            bytes.append(point: Point<ScreenSpace>(dx, dy))
        case .wheel(let point, let dx, let dy):
            bytes.append("wheel ")
            bytes.append(point: point)
            bytes.append(" by ")
            bytes.append(point: Point<ScreenSpace>(dx, dy))
        case .hover(let point):
            bytes.append("hover ")
            bytes.append(point: point)
        case .transform(let point, let scale, let degrees):
            bytes.append("transform ")
            bytes.append(point: point)
            bytes.append(" scale ")
            bytes.append(number: scale)
            bytes.append(" rotate ")
            bytes.append(number: degrees)
        case .end(let pointer): bytes.append(text: "\(pointer.rawValue) end")
        }
    }
}

extension RemoteCommand {
    /// The command of this name; nil if a headset has no such button.
    init?(name: some StringProtocol) {
        guard let command = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = command
    }
}
