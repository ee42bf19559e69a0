// Stretches.swift: keys, hovers and scrolls as a receiver sees them: each begins once, continues, and ends once.

import Basics
import FuzzDriver
import HID

public struct Stretches {
    private var held: [InputStretch] = []

    public init() {}

    public var isEmpty: Bool { held.isEmpty }

    public mutating func removeAll() { held.removeAll(keepingCapacity: true) }

    public mutating func follow<In: Space>(_ input: DeviceInput<In>) {
        let stretch = input.stretch
        let known = held.firstIndex(of: stretch)
        expect(input.isPossible, "\(input)")
        switch input.phase {
        case .once: break
        case .began:
            expect(known == nil, "\(stretch) began twice")
            held.append(stretch)
        case .changed: expect(known != nil, "\(stretch) changed, and never began")
        case .ended, .cancelled:
            guard let known else { broken("\(stretch) ended, and never began") }
            held.remove(at: known)
        }
    }
}
