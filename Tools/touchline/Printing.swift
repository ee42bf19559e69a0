// Printing.swift: tables and JSON on stdout.

import Foundation

/// Aligns rows as columns, two spaces apart, with numbers to the right.
func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        var line = ""
        for (cell, width) in zip(row, widths) {
            let space = String(repeating: " ", count: width - cell.count)
            let isNumber = cell.first?.isNumber ?? false
            line += (line.isEmpty ? "" : "  ") + (isNumber ? space + cell : cell + space)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// Prints one JSON object on stdout, with sorted keys so that two runs can be compared.
func printJSON(_ object: [String: Any]) throws {
    let data = try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    printText(String(decoding: data, as: UTF8.self))
}

/// Prints a value as one JSON object on stdout, with sorted keys.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    printText(String(decoding: try encoder.encode(value), as: UTF8.self))
}
