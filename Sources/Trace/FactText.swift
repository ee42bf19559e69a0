// FactText.swift: facts as text. The only place where a template's letters mean something.
//
//    {a}    a whole number          {a:n}  a name
//    {a:t}  nanoseconds, in ms      {a:f}  16.16 fixed point, three decimals
//    {a:p}  a Double's bit pattern, one decimal (points)
//    {a:x}  hexadecimal

public import Basics

/// One fact as a line: what traces, goldens and the conformance checker compare.
public struct TraceLine: Equatable, Sendable {
    public var at: Instant
    /// Which process noted it: `input-kit`, `system-server`, `app1`, …
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

    /// The same with its time counted from `origin`.
    public func text(since origin: Instant) -> String {
        let time = millisecondsText(at.nanoseconds - origin.nanoseconds)
        let left = String(repeating: " ", count: max(0, 12 - time.count)) + time
        let name = station.rawValue
        return left + "  " + name + String(repeating: " ", count: max(0, 11 - name.count)) + text
    }
}

extension Fact {
    public func line(process: String, names: NameTable) -> TraceLine {
        TraceLine(at: at, process: process, station: station, isProbe: isProbe, text: text(names: names))
    }

    /// The template with its places filled. A place that is no place stays as it is written.
    public func text(names: NameTable) -> String {
        var out = ""
        var rest = Substring(template.description)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            out += rest[..<open]
            let place = rest[rest.index(after: open)..<close]
            out += filled(place, names: names) ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return out + rest
    }

    private func filled(_ place: Substring, names: NameTable) -> String? {
        let value: Int64
        switch place.first {
        case "a": value = a
        case "b": value = b
        case "c": value = c
        case "d": value = d
        default: return nil
        }
        switch place.dropFirst() {
        case "": return String(value)
        case ":n": return names[value]
        case ":t": return millisecondsText(value)
        case ":f": return fixedText(Double(value) / 65536, digits: 3)
        case ":p": return fixedText(Double(bitPattern: UInt64(bitPattern: value)), digits: 1)
        case ":x": return "0x" + String(UInt64(bitPattern: value), radix: 16)
        default: return nil
        }
    }
}

extension Int64 {
    /// A measure in points, for a `{a:p}` place.
    public init(points: Double) { self = Int64(bitPattern: points.bitPattern) }
}
