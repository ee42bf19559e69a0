// Contacts.swift: contacts for tests of cores: scans for the server, touches for an app.
//
//     landed, moved, held, lifted ─▶ scan       positions are parts of the panel, 0 to 1
//     contact ─▶ TouchFrame                     positions are points

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
