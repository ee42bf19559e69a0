// FactText.swift: facts as text. The only place where a template's letters mean something.
//
//    {a}    a whole number          {a:n}  a name
//    {a:t}  nanoseconds, in ms      {a:f}  16.16 fixed point, three decimals
//    {a:m}  a moment of the process's clock: nanoseconds, in ms
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
        let time = origin.duration(to: at).milliseconds
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
        filled(template.description) { place, format in
            let value: Int64
            switch place {
            case "a": value = a
            case "b": value = b
            case "c": value = c
            case "d": value = d
            default: return nil
            }
            return format == ":n" ? names[value] : Self.text(of: value, as: format)
        }
    }

    /// A number as the letters after its place ask for it; nil for letters that mean nothing.
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

/// A template, each place in braces replaced by what `fill` says of its letter and the letters after it; one it says
/// nothing of stays.
func filled(_ template: String, _ fill: (Character, Substring) -> String?) -> String {
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
    /// A measure in points, for a `{a:p}` place.
    public init(points: Double) { self = Int64(bitPattern: points.bitPattern) }
}
