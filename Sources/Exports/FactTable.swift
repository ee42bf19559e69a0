// FactTable.swift: the facts of a run as rows, one fact a line: CSV and NDJSON.
//
//    time_ns,process,station,kind,text,template,a,b,c,d
//
// Input     facts, by time
// Output    `touchline export --format csv`, `--format ndjson`
//
// Sources   documented  RFC 4180, with line feeds; ndjson.org

package import Basics
package import Trace

/// Writes facts as rows.
package struct FactTable: Sendable {
    private let origin: Instant
    private var reader: FactReader

    /// - Parameter origin: The moment of time 0.
    package init(origin: Instant) {
        self.origin = origin
        reader = FactReader(origin: origin)
    }

    package static let columns = ["time_ns", "process", "station", "kind", "text", "template", "a", "b", "c", "d"]

    /// Appends a line of CSV. A value that the template does not name is empty; a hidden one is `hidden`.
    package mutating func appendCSV(_ fact: ResolvedFact, to bytes: inout [UInt8]) {
        let cells = [
            "\(origin.duration(to: fact.at).nanoseconds)", fact.process, fact.station.rawValue, Self.kind(of: fact),
            fact.text(since: origin), fact.template,
        ]
        let values = reader.values(of: fact)
        let last = "abcd".map { letter in values.first { $0.letter == letter }?.value.cell ?? "" }
        CSV.append(cells + last, to: &bytes)
    }

    /// Appends one JSON object and a line feed. A hidden value is null.
    package mutating func appendNDJSON(_ fact: ResolvedFact, to bytes: inout [UInt8]) {
        var text = JSONText()
        text.open("{")
        text.key("time_ns")
        text.add(origin.duration(to: fact.at).nanoseconds)
        text.key("process")
        text.add(fact.process)
        text.key("station")
        text.add(fact.station.rawValue)
        text.key("kind")
        text.add(Self.kind(of: fact))
        text.key("text")
        text.add(fact.text(since: origin))
        text.key("template")
        text.add(fact.template)
        text.key("values")
        text.open("{")
        for (letter, value) in reader.values(of: fact) {
            text.key(String(letter))
            text.add(value)
        }
        text.close("}")
        text.close("}")
        text.endLine()
        bytes += text.bytes
    }

    private static func kind(of fact: ResolvedFact) -> String { fact.isProbe ? "line" : "fact" }
}

extension FactValue {
    fileprivate var cell: String {
        switch self {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .hidden: "hidden"
        }
    }
}

/// Writes rows of CSV.
package enum CSV {
    /// Appends one row. A cell with a comma, a quote or a line break is quoted.
    package static func append(_ cells: [String], to bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard cell.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else {
                bytes += cell.utf8
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in cell.utf8 {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
