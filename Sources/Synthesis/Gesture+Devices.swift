// Gesture+Devices.swift: acts of keys, buttons and pointers, as steps of a device.
//
// Input     `touchline input press|key|text|remote|shake|scroll|wheel|hover`, MonkeyScript
// Output    Gesture.device
// Knows     names and a keyboard's layout. Not the receiving app.
//
// Sources   documented  HID Usage Tables, for the keys
//           inferred    an ANSI keyboard with the layout of the United States
//           invented    the time that a key is held, and the typing speed

public import Basics
import HID
import Recordings

extension Gesture {
    /// Presses a remote's button, or a button of the phone, while others are held: 20 ms from each to the next.
    ///
    /// - Throws: `GestureError` for an unknown button, and for a repeated one.
    public static func press(
        _ button: String, with others: [String] = [], hold: Duration = .milliseconds(80)
    ) throws(GestureError) -> Gesture {
        let names = HIDUsage.pressed.map(\.name)
        for name in others + [button] where !names.contains(name) { throw unknown("button", name, names) }
        guard Set(others + [button]).count == others.count + 1 else {
            let found = quoted((others + [button]).joined(separator: "+"))
            throw .contradiction("expected each button once, found \(found)")
        }
        var steps: [DeviceStep] = []
        for (index, name) in (others + [button]).enumerated() {
            steps.append(DeviceStep(after: .milliseconds(20 * index), .press(name, isDown: true)))
        }
        let lift = hold + .milliseconds(20 * others.count)
        for (index, name) in ([button] + others.reversed()).enumerated() {
            steps.append(DeviceStep(after: lift + .milliseconds(20 * index), .press(name, isDown: false)))
        }
        return .device(steps)
    }

    /// Presses a keyboard's key while others are held.
    ///
    /// - Throws: `GestureError` for an unknown key, and for a repeated one.
    public static func key(
        _ key: String, with modifiers: [String] = [], hold: Duration = .milliseconds(80)
    ) throws(GestureError) -> Gesture {
        let names = HIDUsage.keys.map(\.name)
        for name in modifiers + [key] where !names.contains(name) { throw unknown("key", name, names) }
        guard Set(modifiers + [key]).count == modifiers.count + 1 else {
            throw .contradiction("expected each key once, found \(quoted((modifiers + [key]).joined(separator: "+")))")
        }
        var steps: [DeviceStep] = []
        for (index, name) in (modifiers + [key]).enumerated() {
            steps.append(DeviceStep(after: .milliseconds(20 * index), .key(name, isDown: true)))
        }
        let lift = hold + .milliseconds(20 * modifiers.count)
        for (index, name) in ([key] + modifiers.reversed()).enumerated() {
            steps.append(DeviceStep(after: lift + .milliseconds(20 * index), .key(name, isDown: false)))
        }
        return .device(steps)
    }

    /// The keys that write a text, one gesture for each character.
    ///
    /// - Throws: `GestureError` for a character that is on no key.
    public static func typing(_ text: String) throws(GestureError) -> [Gesture] {
        var gestures: [Gesture] = []
        for character in text {
            guard let (key, isShifted) = keys(for: character) else {
                throw .outOfRange(
                    what: "text", found: quoted(String(character)), expected: "characters of a United States keyboard")
            }
            gestures.append(try .key(key, with: isShifted ? ["shift"] : [], hold: .milliseconds(60)))
        }
        return gestures
    }

    private static func keys(for character: Character) -> (key: String, isShifted: Bool)? {
        let plain = Array("abcdefghijklmnopqrstuvwxyz1234567890-=[]\\;'`,./")
        let shifted = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ!@#$%^&*()_+{}|:\"~<>?")
        if let index = shifted.firstIndex(of: character) { return (String(plain[index]), true) }
        if plain.contains(character) { return (String(character), false) }
        return switch character {
        case " ": ("space", false)
        case "\n": ("return", false)
        case "\t": ("tab", false)
        default: nil
        }
    }

    /// Presses a headset's button.
    ///
    /// - Throws: `GestureError` for an unknown command.
    public static func remote(_ command: String) throws(GestureError) -> Gesture {
        guard let found = RemoteCommand.allCases.first(where: { "\($0)" == command }) else {
            throw unknown("command", command, RemoteCommand.allCases.map { "\($0)" })
        }
        return .device([DeviceStep(after: .zero, .remote(found))])
    }

    public static let shake = Gesture.device([DeviceStep(after: .zero, .shake)])

    /// Scrolls by trackpad, from beginning to end, by `dx` and `dy` points in equal steps.
    public static func scroll(
        _ point: Point<ScreenSpace>, dx: Double, dy: Double, duration: Duration = .milliseconds(250), rate: Int = 60
    ) -> Gesture {
        let count = max(2, Int((duration.seconds * Double(rate)).rounded()))
        let period = Duration.nanoseconds(1_000_000_000 / Int64(rate))
        var steps = (0..<count).map { index in
            DeviceStep(after: period * index, .scroll(point, dx: dx / Double(count), dy: dy / Double(count)))
        }
        steps.append(DeviceStep(after: period * count, .end(.scroll)))
        return .device(steps)
    }

    /// Turns a wheel by one notch.
    public static func wheel(_ point: Point<ScreenSpace>, dx: Double, dy: Double) -> Gesture {
        .device([DeviceStep(after: .zero, .wheel(point, dx: dx, dy: dy))])
    }

    /// Moves a pointer from one point to another, from its appearance to its end.
    public static func hover(
        from: Point<ScreenSpace>, to: Point<ScreenSpace>, duration: Duration = .milliseconds(500), rate: Int = 60
    ) -> Gesture {
        let count = from == to ? 0 : max(2, Int((duration.seconds * Double(rate)).rounded()))
        let period = Duration.nanoseconds(1_000_000_000 / Int64(rate))
        var steps = [DeviceStep(after: .zero, .hover(from))]
        for index in 1..<max(1, count + 1) {
            let share = Double(index) / Double(count)
            let x = ((from.x + (to.x - from.x) * share) * 64).rounded() / 64
            let y = ((from.y + (to.y - from.y) * share) * 64).rounded() / 64
            steps.append(DeviceStep(after: period * index, .hover(Point(x, y))))
        }
        steps.append(DeviceStep(after: count == 0 ? duration : period * (count + 1), .end(.hover)))
        return .device(steps)
    }

    private static func unknown(_ what: String, _ name: String, _ names: [String]) -> GestureError {
        let near = nearestName(to: name, among: names).map { ", did you mean \($0)?" } ?? ""
        return .outOfRange(
            what: what, found: quoted(name) + near,
            expected: "one of \(names.prefix(12).joined(separator: " "))"
                + (names.count > 12 ? " …" : ""))
    }
}
