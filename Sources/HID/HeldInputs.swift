// HeldInputs.swift: the keys and pointers whose stretch is in progress, with repairs of a device's mistakes.
//
// Station   hid (of one device), inbox (of what an app has received)
// Input     inputs in the order of arrival
// Output    the same inputs, repaired: each stretch begins once and ends once
//
// Sources   invented  the repairs, after ContactMachine's: a second beginning is a change, a change without a beginning is a
//                     beginning, and an end without one is dropped

public import Basics

/// The live inputs of one device or one app.
public struct HeldInputs<In: Space>: Sendable {
    /// The last input of each stretch, in the order of their beginnings.
    public private(set) var inputs: [DeviceInput<In>] = []

    public init() {}

    /// Records an input and repairs it.
    ///
    /// - Returns: The repaired input; nil if nothing changes.
    @specialized(where In == DigitizerSpace)
    @specialized(where In == SceneSpace)
    public mutating func apply(_ input: DeviceInput<In>) -> DeviceInput<In>? {
        guard input.phase != .once else { return input }
        let stretch = input.stretch
        let known = inputs.firstIndex { $0.stretch == stretch }
        var input = input
        switch (input.phase, known) {
        case (.began, let index?), (.changed, let index?):
            input.phase = .changed
            inputs[index] = input
            // A key that goes down while it is down changes nothing.
            return input.isPossible ? input : nil
        case (.began, nil), (.changed, nil):
            input.phase = .began
            inputs.append(input)
            return input
        case (.ended, let index?), (.cancelled, let index?):
            // The input ends at its last position: the values of an end do not count.
            return inputs.remove(at: index).ending(input.phase)
        case (.ended, nil), (.cancelled, nil): return nil
        case (.once, _): return input
        }
    }

    /// Whether the stretch is in progress.
    public func holds(_ stretch: InputStretch) -> Bool { inputs.contains { $0.stretch == stretch } }

    /// Cancels every input, in the order of their beginnings.
    public mutating func cancelAll() -> [DeviceInput<In>] {
        defer { inputs.removeAll() }
        return inputs.map { $0.ending(.cancelled) }
    }
}
