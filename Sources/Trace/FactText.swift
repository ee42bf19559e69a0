// FactText.swift: facts as text, and the meaning of a template's placeholders.
//
//    {a}    a whole number          {a:n}  a name
//    {a:t}  nanoseconds, in ms      {a:f}  16.16 fixed point, three decimals
//    {a:m}  a moment of the process's clock: nanoseconds, in ms since the beginning of the trace
//    {a:p}  a Double's bit pattern, one decimal (points)
//    {a:k}  the number of a key     {a:x}  hexadecimal
//
// Input     Fact, ResolvedFact
// Output    TraceLine: trace files, goldens, the conformance checker
//
// Sources   invented

public import Basics

/// One fact as a line, which traces, goldens and the conformance checker compare.
public struct TraceLine: Equatable, Sendable {
    public var at: Instant
    /// The process that noted the fact: `input-kit`, `system-server`, `app1`, …
    public var process: String
    public var station: Station
    public var isProbe: Bool
    public var text: String

    public init(at: Instant, process: String, station: Station, isProbe: Bool, text: String) {
        (self.at, self.process, self.station, self.isProbe, self.text) = (at, process, station, isProbe, text)
    }
}

extension TraceLine: CustomStringConvertible {
    /// The canonical text: `  500.000 ms  gesture    long press began`.
    public var description: String { text(since: .boot) }

    /// Returns the same text with the time since `origin`.
    public func text(since origin: Instant) -> String {
        let time = origin.duration(to: at).milliseconds
        let left = String(repeating: " ", count: max(0, 12 - time.count)) + time
        let name = station.rawValue
        return left + "  " + name + String(repeating: " ", count: max(0, 11 - name.count)) + text
    }
}

extension Fact {
    /// Returns this fact as a line of the given process.
    ///
    /// - Parameters:
    ///   - process: The name of the process that noted the fact.
    ///   - names: The words that the fact's numbers stand for.
    ///   - origin: The moment from which moments in the text count.
    public func line(process: String, names: NameTable, since origin: Instant = .boot) -> TraceLine {
        TraceLine(
            at: at, process: process, station: station, isProbe: isProbe, text: text(names: names, since: origin))
    }

    /// Returns the template with its placeholders filled. A placeholder with an unknown letter or format stays as it is
    /// written.
    ///
    /// - Parameters:
    ///   - names: The words that the fact's numbers stand for.
    ///   - origin: The moment from which moments in the text count.
    public func text(names: NameTable, since origin: Instant = .boot) -> String {
        fillPlaceholders(of: template.description) { place, format in
            let value: Int64
            switch place {
            case "a": value = a
            case "b": value = b
            case "c": value = c
            case "d": value = d
            default: return nil
            }
            switch format {
            case ":n": return names[value]
            case ":m": return Self.text(of: value &- origin.nanoseconds, as: format)
            default: return Self.text(of: value, as: format)
            }
        }
    }

    /// Returns a number in the format that a placeholder asks for; nil for an unknown format.
    static func text(of value: Int64, as format: Substring) -> String? {
        switch format {
        case "": String(value)
        case ":t", ":m": millisecondsText(value)
        case ":f" where isHidden(value), ":p" where isHidden(value), ":k" where isHidden(value): "hidden"
        case ":k": String(value)
        case ":f": fixedText(Double(value) / 65536, digits: 3)
        case ":p": fixedText(Double(bitPattern: UInt64(bitPattern: value)), digits: 1)
        case ":x": "0x" + String(UInt64(bitPattern: value), radix: 16)
        default: nil
        }
    }
}

/// Returns a template in which `fill` replaced each placeholder. It receives the letter and the format; nil keeps the
/// placeholder.
package func fillPlaceholders(of template: String, _ fill: (Character, Substring) -> String?) -> String {
    var out = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        out += rest[..<open]
        let place = rest[rest.index(after: open)..<close]
        out += place.first.flatMap { fill($0, place.dropFirst()) } ?? String(rest[open...close])
        rest = rest[rest.index(after: close)...]
    }
    return out + rest
}

extension Int64 {
    /// A measure in points for a `{a:p}` placeholder.
    public init(points: Double) { self = Int64(bitPattern: points.bitPattern) }
}
