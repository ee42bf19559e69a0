// TouchPanel.swift: the touch screen of one browser: contacts in slots, as the events of a panel of protocol B.
//
//     lands      ABS_MT_SLOT n, ABS_MT_TRACKING_ID id, position, tool, pressure      BTN_TOUCH 1 with the first
//     moves      ABS_MT_SLOT n, changed values
//     lifts      ABS_MT_SLOT n, ABS_MT_TRACKING_ID -1                                BTN_TOUCH 0 with the last
//     cancelled  ABS_MT_SLOT n, ABS_MT_TOOL_TYPE palm, ABS_MT_TRACKING_ID -1
//     packet     … SYN_REPORT, all with one stamp
//
// Input     BrowserSession
// Output    the description of a virtual device, and its packets
// Knows     slots and units. No browser, no socket.
//
// Sources   documented  kernel multi-touch-protocol.rst
//           inferred    a cancelled contact becomes a palm, as in EvdevWriter

import Basics
public import HID
import Recordings

/// A simulated touch screen as large as a display.
public struct TouchPanel: Sendable {
    public static let slotCount = 10
    /// The units of an axis in a point. A screen of 16,000 points has fewer units than the kernel's numbers.
    static let unitsPerPoint = 64.0
    private static let pressureMaximum: Int32 = 1023
    private static let trackingLimit: Int32 = 65_536

    private struct Contact: Sendable {
        var x, y: Int32
        var pressure: Int32
    }

    private let lastX, lastY: Int32
    private var slots = [Contact?](repeating: nil, count: TouchPanel.slotCount)
    /// The tool that the reader knows in each slot.
    private var isPalm = [Bool](repeating: false, count: TouchPanel.slotCount)
    private var currentSlot = 0
    private var nextTracking: Int32 = 0
    private var events: [InputEvent] = []
    /// Whether the reader knows that a contact is down (BTN_TOUCH).
    private var isTouched = false

    /// - Parameters:
    ///   - width: The width of the display in points, at least 1.
    ///   - height: The height of the display in points, at least 1.
    public init(width: Double, height: Double) {
        lastX = Self.units(width) - 1
        lastY = Self.units(height) - 1
    }

    private static func units(_ points: Double) -> Int32 {
        Int32(clamping: Int64(clamping: max(1, min(points, 16_000)) * unitsPerPoint))
    }

    // MARK: The device

    /// The kernel's description of such a panel.
    ///
    /// - Parameter number: The number of the browser, which makes the name unique.
    public func facts(number: Int) -> EvdevFacts {
        func bits(_ codes: [UInt16]) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: Int(codes.max() ?? 0) / 64 * 8 + 8)
            for code in codes { bytes[Int(code / 8)] |= 1 << UInt8(code % 8) }
            return bytes
        }
        func axis(_ code: UInt16, _ maximum: Int32) -> EvdevFacts.Axis {
            EvdevFacts.Axis(code: code, value: 0, axis: DeviceAxis(minimum: 0, maximum: maximum))
        }
        let axes = [
            axis(Number.slot, Int32(Self.slotCount - 1)), axis(Number.x, lastX), axis(Number.y, lastY),
            axis(Number.tool, 2), axis(Number.tracking, Self.trackingLimit - 1),
            axis(Number.pressure, Self.pressureMaximum),
        ]
        return EvdevFacts(
            identity: DeviceIdentity(
                name: "Touchline browser \(number)", physicalPath: "touchline/browser\(number)", bus: Number.virtualBus),
            properties: [1 << UInt8(Number.direct)],
            codes: [
                EvdevFacts.Codes(type: 0, bits: bits([0, Number.key, Number.absolute])),
                EvdevFacts.Codes(type: Number.key, bits: bits([Number.touch])),
                EvdevFacts.Codes(type: Number.absolute, bits: bits(axes.map(\.code))),
            ],
            axes: axes, stampsAreMonotonic: true)
    }

    private enum Number {
        static let key: UInt16 = 1
        static let absolute: UInt16 = 3
        static let slot: UInt16 = 0x2F
        static let x: UInt16 = 0x35
        static let y: UInt16 = 0x36
        static let tool: UInt16 = 0x37
        static let tracking: UInt16 = 0x39
        static let pressure: UInt16 = 0x3A
        static let touch: UInt16 = 0x14A
        static let direct = 1
        static let virtualBus: UInt16 = 6
    }

    // MARK: Contacts

    /// A slot without a contact; nil if all have one.
    var freeSlot: Int? { slots.firstIndex { $0 == nil } }
    var contactCount: Int { slots.count { $0 != nil } }

    /// The positions of the contacts in points.
    public var positions: [(x: Double, y: Double)] {
        slots.compactMap { $0 }.map { (Double($0.x) / Self.unitsPerPoint, Double($0.y) / Self.unitsPerPoint) }
    }

    mutating func land(in slot: Int, x: Double, y: Double, force: Double?) {
        let contact = self.contact(x, y, force)
        slots[slot] = contact
        select(slot)
        append(Number.tracking, nextTracking)
        nextTracking = (nextTracking + 1) % Self.trackingLimit
        append(Number.x, contact.x)
        append(Number.y, contact.y)
        if isPalm[slot] { append(Number.tool, 0) }
        isPalm[slot] = false
        append(Number.pressure, contact.pressure)
    }

    mutating func move(_ slot: Int, x: Double, y: Double, force: Double?) {
        guard let before = slots[slot] else { return }
        let contact = self.contact(x, y, force)
        slots[slot] = contact
        if contact.x != before.x { append(Number.x, contact.x, of: slot) }
        if contact.y != before.y { append(Number.y, contact.y, of: slot) }
        if contact.pressure != before.pressure { append(Number.pressure, contact.pressure, of: slot) }
    }

    mutating func lift(_ slot: Int) {
        guard slots[slot] != nil else { return }
        slots[slot] = nil
        append(Number.tracking, -1, of: slot)
    }

    mutating func cancel(_ slot: Int) {
        guard slots[slot] != nil else { return }
        append(Number.tool, 2, of: slot)
        isPalm[slot] = true
        lift(slot)
    }

    private func contact(_ x: Double, _ y: Double, _ force: Double?) -> Contact {
        func units(_ points: Double, _ last: Int32) -> Int32 {
            Int32(clamping: min(Int64(last), max(0, Int64(clamping: points * Self.unitsPerPoint))))
        }
        return Contact(
            x: units(x, lastX), y: units(y, lastY),
            pressure: Int32(clamping: Int64(clamping: (force ?? 0) * Double(Self.pressureMaximum))))
    }

    // MARK: Events

    private mutating func select(_ slot: Int) {
        guard slot != currentSlot else { return }
        currentSlot = slot
        append(Number.slot, Int32(slot))
    }

    private mutating func append(_ code: UInt16, _ value: Int32, of slot: Int) {
        select(slot)
        append(code, value)
    }

    private mutating func append(_ code: UInt16, _ value: Int32) {
        events.append(InputEvent(type: Number.absolute, code: code, value: value))
    }

    /// Ends a scan.
    ///
    /// - Returns: The bytes of one read; nil if nothing has changed.
    mutating func packet(at stamp: Instant) -> [UInt8]? {
        guard !events.isEmpty else { return nil }
        if (contactCount > 0) != isTouched {
            isTouched.toggle()
            events.append(InputEvent(type: Number.key, code: Number.touch, value: isTouched ? 1 : 0))
        }
        events.append(InputEvent(type: 0, code: 0, value: 0))
        defer { events.removeAll(keepingCapacity: true) }
        return events.flatMap { $0.bytes(at: stamp) }
    }
}
