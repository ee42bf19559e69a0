// BrowserMessage.swift: one message of a browser, parsed, with every limit checked.
//
//     {"t":"touch","c":[[id, phase, x, y, force, at], …]}     {"t":"got","n":7}     {"t":"clock","n":1,"at":12.5}
//
// Input     BrowserSession: the text of one WebSocket message
// Output    BrowserMessage, or the reason why the connection ends
// Knows     the fields of Docs/Internals/Inspector.md. No finger, no panel.
//
// Sources   invented; documented  W3C Pointer Events: performance.now() and coalesced events

import Basics
import Recordings

/// A message of a browser.
public enum BrowserMessage: Hashable, Sendable {
    /// One sample of one finger.
    public struct Sample: Hashable, Sendable {
        public enum Phase: UInt8, Sendable, CaseIterable { case began, moved, ended, cancelled }

        /// The number that the page gave the finger.
        public var finger: UInt32
        public var phase: Phase
        /// Points of the display, from its upper left corner. They may be outside of it.
        public var x, y: Double
        /// 0…1; nil if the pointer has no pressure.
        public var force: Double?
        /// Milliseconds on the page's clock (`performance.now()`).
        public var at: Double

        public init(finger: UInt32, phase: Phase, x: Double, y: Double, force: Double? = nil, at: Double) {
            (self.finger, self.phase, self.x, self.y) = (finger, phase, x, y)
            (self.force, self.at) = (force, at)
        }
    }

    /// Samples in the order in which the page noted them; several of one finger were coalesced by the browser.
    case touch([Sample])
    /// A picture was drawn.
    case drawn(UInt64)
    /// A question for the time of this machine.
    case clock(number: Int64, at: Double)
    /// The page's clock and this machine's: nanoseconds to add to a page's time.
    case offset(nanoseconds: Int64)

    /// The greatest length of a message in bytes.
    public static let sizeLimit = 64 << 10
    /// The most samples of one message: ten fingers on a panel of 1,000 Hz for a display frame of 60 Hz, and room.
    public static let sampleLimit = 256
    /// The greatest distance of a position from the display's corner in points. No display is as large.
    private static let positionLimit = 100_000.0
    /// The greatest time of a page in milliseconds: 30 years.
    private static let timeLimit = 1e12

    /// Parses a message.
    ///
    /// - Throws: `BrowserMessageError` with the field, the expected and the found value.
    public init(parsing text: [UInt8]) throws(BrowserMessageError) {
        guard text.count <= Self.sizeLimit else {
            throw BrowserMessageError("expected at most \(Self.sizeLimit) bytes, found \(text.count)")
        }
        do throws(Complaint) {
            let node = try JSONNode(parsing: text)
            guard case .string(let kind)? = node["t"]?.value else {
                throw node.complaint("an object with a text \"t\"")
            }
            self = try Self.message(kind, node)
        } catch {
            throw BrowserMessageError("expected \(error.expected), found \(error.found)")
        }
    }

    private static func message(_ kind: String, _ node: JSONNode) throws(Complaint) -> BrowserMessage {
        switch kind {
        case "touch": return .touch(try samples(node))
        case "got": return .drawn(UInt64(try number(node, "n", in: 0...9e15, whole: true)))
        case "clock":
            return .clock(
                number: Int64(try number(node, "n", in: 0...9e15, whole: true)),
                at: try number(node, "at", in: 0...timeLimit))
        case "offset": return .offset(nanoseconds: Int64(try number(node, "ns", in: -9e18...9e18).rounded()))
        default: throw node.complaint("\"t\" to be touch, got, clock or offset", found: quoted(kind))
        }
    }

    private static func samples(_ node: JSONNode) throws(Complaint) -> [Sample] {
        guard let list = node["c"], case .array(let contacts) = list.value else {
            throw (node["c"] ?? node).complaint("\"c\" to be an array of contacts")
        }
        guard (1...sampleLimit).contains(contacts.count) else {
            throw list.complaint("1 to \(sampleLimit) contacts in \"c\"", found: "\(contacts.count)")
        }
        var samples: [Sample] = []
        for contact in contacts {
            guard case .array(let fields) = contact.value, fields.count == 6 else {
                throw contact.complaint("a contact of six numbers: id, phase, x, y, force, at")
            }
            let phase = try number(fields[1], "a phase", in: 0...3, whole: true)
            let force = try number(fields[4], "a force, or -1", in: -1...1)
            guard force >= 0 || force == -1 else { throw fields[4].complaint("a force of 0 to 1, or -1") }
            samples.append(
                Sample(
                    finger: UInt32(try number(fields[0], "an id", in: 0...4_294_967_295, whole: true)),
                    phase: Sample.Phase(rawValue: UInt8(phase))!,
                    x: try number(fields[2], "x", in: -positionLimit...positionLimit),
                    y: try number(fields[3], "y", in: -positionLimit...positionLimit),
                    force: force < 0 ? nil : force, at: try number(fields[5], "a time", in: 0...timeLimit)))
        }
        return samples
    }

    private static func number(
        _ node: JSONNode, _ key: String, in range: ClosedRange<Double>, whole: Bool = false
    ) throws(Complaint) -> Double {
        let field: JSONNode
        if case .object = node.value {
            guard let member = node[key] else { throw node.complaint("a number \"\(key)\"", found: "none") }
            field = member
        } else {
            field = node
        }
        guard case .number(let number) = field.value, range.contains(number), !whole || number == number.rounded()
        else {
            throw field.complaint("\(key) to be \(whole ? "a whole number" : "a number") of \(limits(range))")
        }
        return number
    }

    private static func limits(_ range: ClosedRange<Double>) -> String {
        func text(_ bound: Double) -> String { Int64(exactly: bound).map { "\($0)" } ?? "\(bound)" }
        return "\(text(range.lowerBound)) to \(text(range.upperBound))"
    }
}

/// A message that no page of this version sends. At fault: the browser, whose connection ends.
public struct BrowserMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
