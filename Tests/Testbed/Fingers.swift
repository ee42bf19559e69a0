// Fingers.swift: contacts for tests, as input-kit sends them to the server and as the server sends them to an app.
//
//     landed, moved, held, lifted ─▶ scan       positions are parts of the panel, 0 to 1
//     Fingers.Act ─▶ Fingers ─▶ TouchFrame    positions are points

public import Basics
public import HID

// MARK: Scans

/// The record of one contact: what has changed (`mask`), and what holds (`options`).
public func record(
    _ index: UInt32, _ mask: DigitizerEventMask, _ options: DigitizerOptions, _ x: Double = 0.5, _ y: Double = 0.5,
    _ transducer: DigitizerTransducer = .finger
) -> DigitizerEvent {
    DigitizerEvent(
        transducer: transducer, index: index, identity: index, mask: mask, options: options, at: Point(x, y))
}

public func landed(_ index: UInt32, _ x: Double = 0.5, _ y: Double = 0.5) -> DigitizerEvent {
    record(index, [.range, .touch, .position], [.range, .touch], x, y)
}

public func moved(_ index: UInt32, _ x: Double = 0.5, _ y: Double = 0.5) -> DigitizerEvent {
    record(index, [.position], [.range, .touch], x, y)
}

public func held(_ index: UInt32, _ x: Double = 0.5, _ y: Double = 0.5) -> DigitizerEvent {
    record(index, [], [.range, .touch], x, y)
}

public func lifted(_ index: UInt32) -> DigitizerEvent { record(index, [.range, .touch], [], 0.1, 0.1) }

public func cancelled(_ index: UInt32) -> DigitizerEvent { record(index, [.range, .touch, .cancel], [], 0.1, 0.1) }

/// The scan of one panel with these contacts.
public func scan(
    _ fingers: [DigitizerEvent], of device: UInt64 = 1, generation: UInt32 = 1,
    at time: Instant = Instant(nanoseconds: 1)
) -> HIDEvent {
    HIDEvent(
        timeStamp: time, senderID: device, generationCount: generation,
        hand: record(0, [], [.isCollection], 0, 0, .hand), fingers: fingers)
}

// MARK: Touches

public func contact(_ touch: UInt32, _ phase: ContactPhase, x: Double = 10, y: Double = 20) -> TouchContact {
    TouchContact(touch: TouchID(rawValue: touch), phase: phase, at: Point(x, y))
}

/// The contacts on a screen, each by the number that the test gives it.
public struct Fingers {
    public enum Act {
        case down(Int, Double, Double)
        case move(Int, Double, Double)
        case up(Int)
        case upAt(Int, Double, Double)
        case cancel(Int)
    }

    private var down: [Int: (x: Double, y: Double)] = [:]
    private var touches: [Int: UInt32] = [:]
    private var next: UInt32

    /// - Parameter first: The number of the first touch.
    public init(first: UInt32 = 0) { next = first }

    /// One frame: the acts of some contacts; the other contacts rest.
    public mutating func frame(_ acts: [Act], at time: Instant) -> TouchFrame {
        var contacts: [TouchContact] = []
        var actedFingers: [Int] = []
        for act in acts {
            switch act {
            case .down(let finger, let x, let y):
                (touches[finger], next) = (next, next + 1)
                down[finger] = (x, y)
                contacts.append(touch(of: finger, .began))
                actedFingers.append(finger)
            case .move(let finger, let x, let y):
                down[finger] = (x, y)
                contacts.append(touch(of: finger, .moved))
                actedFingers.append(finger)
            case .up(let finger): contacts.append(end(of: finger, .ended))
            case .upAt(let finger, let x, let y):
                down[finger] = (x, y)
                contacts.append(end(of: finger, .ended))
            case .cancel(let finger): contacts.append(end(of: finger, .cancelled))
            }
        }
        for finger in down.keys.sorted() where !actedFingers.contains(finger) {
            contacts.append(touch(of: finger, .stationary))
        }
        return TouchFrame(timeStamp: time, contacts: contacts)
    }

    private mutating func end(of finger: Int, _ phase: ContactPhase) -> TouchContact {
        defer { down[finger] = nil }
        return touch(of: finger, phase)
    }

    /// A contact that never landed has a touch that no app knows.
    private func touch(of finger: Int, _ phase: ContactPhase) -> TouchContact {
        let (x, y) = down[finger] ?? (0, 0)
        return contact(touches[finger] ?? 999, phase, x: x, y: y)
    }
}
