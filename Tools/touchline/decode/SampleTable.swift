// SampleTable.swift: the contacts of a recording as rows, one contact of one scan a line: CSV or NDJSON.
//
//    time_ns,scan,contact,phase,x,y,pressure,size
//
// Input     contact frames
// Output    `touchline decode --samples`
// Knows     the columns. The module Exports writes cells and JSON.

import ArgumentParser
import Basics
import Exports
import HID

/// Writes contact frames as rows.
struct SampleTable {
    /// The form of the rows.
    enum Form: String, ExpressibleByArgument, CaseIterable { case csv, ndjson }

    static let columns = ["time_ns", "scan", "contact", "phase", "x", "y", "pressure", "size"]

    private let form: Form
    /// The number of the next scan, from 0.
    private var scan = 0
    /// The rows that have not been taken.
    private(set) var bytes: [UInt8] = []

    init(_ form: Form) {
        self.form = form
        if form == .csv { CSV.append(Self.columns, to: &bytes) }
    }

    /// Appends a row for each contact of a scan. What the device does not report is empty or null.
    mutating func append(_ frame: ContactFrame) {
        defer { scan += 1 }
        for contact in frame.contacts {
            let numbers: [Int64?] = [
                frame.time.nanoseconds, Int64(scan), contact.id, Int64(contact.x), Int64(contact.y),
                contact.attributes.pressure.map { Int64($0) }, contact.attributes.major.map { Int64($0) },
            ]
            switch form {
            case .csv:
                var cells = numbers.map { $0.map { "\($0)" } ?? "" }
                cells.insert("\(contact.phase)", at: 3)
                CSV.append(cells, to: &bytes)
            case .ndjson: appendJSON(numbers, "\(contact.phase)")
            }
        }
    }

    private mutating func appendJSON(_ numbers: [Int64?], _ phase: String) {
        var text = JSONText()
        text.open("{")
        for (index, name) in Self.columns.enumerated() {
            text.key(name)
            if index == 3 {
                text.add(phase)
            } else if let number = numbers[index < 3 ? index : index - 1] {
                text.add(number)
            } else {
                text.add(literal: "null")
            }
        }
        text.close("}")
        text.endLine()
        bytes += text.bytes
    }

    /// Returns and removes the rows so far, without the last line break; nil for fewer bytes.
    mutating func takeRows(atLeast count: Int) -> String? {
        guard bytes.count >= count else { return nil }
        defer { bytes.removeAll(keepingCapacity: true) }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
