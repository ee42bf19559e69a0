// HeldInputs.swift: which keys are down, which pointers are at work, whatever a device forgets to say.
//
// Station   hid (of one device), inbox (of what an app has been told)
// Fed by    inputs in the order they came
// Feeds     the same, repaired: each stretch begins once and ends once
//
// Sources   invented  the repairs, after ContactLife's: a second beginning is a change, an end without a beginning
//                     and a change without one that cannot have begun are left out

public import Basics

public struct HeldInputs<In: Space>: Sendable {
    /// As last heard, in the order they began.
    public private(set) var inputs: [DeviceInput<In>] = []

    public init() {}

    /// - Returns: The input as it should have been; nil when there is nothing to say.
    public mutating func take(_ input: DeviceInput<In>) -> DeviceInput<In>? {
        guard input.phase != .once else { return input }
        let known = inputs.firstIndex { $0.stretch == input.stretch }
        var input = input
        switch (input.phase, known) {
        case (.began, let index?), (.changed, let index?):
            input.phase = .changed
            inputs[index] = input
            // A key that is down and goes down again says nothing.
            return input.isPossible ? input : nil
        case (.began, nil), (.changed, nil):
            input.phase = .began
            inputs.append(input)
            return input
        case (.ended, let index?), (.cancelled, let index?):
            // It ends where and as far as it was: an end has nothing of its own to say.
            return inputs.remove(at: index).ending(input.phase)
        case (.ended, nil), (.cancelled, nil): return nil
        case (.once, _): return input
        }
    }

    public func holds(_ stretch: InputStretch) -> Bool { inputs.contains { $0.stretch == stretch } }

    /// Everything ends here and now, newest last.
    public mutating func cancelAll() -> [DeviceInput<In>] {
        defer { inputs.removeAll() }
        return inputs.map { $0.ending(.cancelled) }
    }
}
