// Rewriter.swift: a target written for Apple's UIKit as a target that compiles on Linux.
//
//     files ─▶ tokens ─▶ declarations ─▶ Module ─▶ rules: edits, moves ─▶ the same lines with other words
//
// Input     the build-tool plugin UIKitOnLinux, with all files of a target
// Output    one file for each, and Shadows
// Knows     each line keeps its number. A moved declaration names its line with #sourceLocation.
//
// Sources   invented; Docs/Decisions/SourceAsItIs.md

/// A file by its path and its contents.
public struct PortedFile: Equatable, Sendable {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// Rewrites the source files of one target.
public struct Rewriter {
    let module: Module

    /// Reads the files of a target.
    ///
    /// - Parameter files: All Swift files of the target, with the paths that the compiler shall print.
    public init(_ files: [PortedFile]) {
        module = Module(files: files.map { SourceFile(path: $0.path, bytes: $0.bytes) })
    }

    /// Returns the files in the order given, rewritten. Each line keeps its number, by `#sourceLocation`.
    public func rewritten() -> [PortedFile] {
        let moves = HoistingRule.moves(in: module)
        var edits = module.files.enumerated().map { number, file in
            self.edits(for: file) + HoistingRule.openings(of: number, for: moves, in: module)
        }
        var arrivals: [Int: [Int: String]] = [:]
        for move in moves {
            let file = module.files[move.file]
            let text = Self.apply(
                edits[move.file].filter { move.range.contains($0.range) }, to: file, within: move.range)
            edits[move.file].removeAll { move.range.contains($0.range) }
            let lines = file.bytes[move.range].count { $0 == UInt8(ascii: "\n") }
            edits[move.file].append(Edit(range: move.range, text: String(repeating: "\n", count: lines)))
            let opening = move.conditions.map { "\n#if \(PlatformRule.onLinux($0))" }.joined()
            let closing = move.conditions.map { _ in "\n#endif" }.joined()
            let landing = "\(opening)\n\(Self.location(file.path, move.line))\n\(move.access)\(text)\(closing)"
            arrivals[move.target.file, default: [:]][move.target.type, default: ""] += landing
        }
        for (number, file) in module.files.enumerated() {
            for (index, type) in file.outline.types.enumerated() {
                guard let text = arrivals[number]?[index] else { continue }
                let line = file.tokens[type.body.upperBound].line
                edits[number].append(
                    file.insertion(before: type.body.upperBound, "\(text)\n\(Self.location(file.path, line))\n"))
            }
        }
        return zip(module.files, edits).map { file, edits in
            let beginning = Self.beginning(of: file)
            let text = Self.apply(edits + beginning.edits, to: file, within: beginning.start..<file.bytes.count)
            return PortedFile(path: file.path, bytes: Array((beginning.text + text).utf8))
        }
    }

    /// How a rewritten file begins: with its source's name, and with UIKit, which every file of an app that imports it
    /// somewhere sees.
    ///
    /// A comment in the first line makes room, so that a compiler that shows the text beside an error shows its line number
    /// too.
    private static func beginning(of file: SourceFile) -> (text: String, start: Int, edits: [Edit]) {
        let lineEnd = file.bytes.firstIndex(of: UInt8(ascii: "\n")) ?? file.bytes.count
        let line = String(decoding: file.bytes[..<lineEnd], as: UTF8.self).drop {
            $0 == " " || $0 == "\t" || $0 == "\r"
        }
        guard let first = file.tokens.first, first.kind != .pound, first.range.lowerBound > lineEnd,
            line.isEmpty || line.hasPrefix("//")
        else { return ("import UIKit\n\(location(file.path, 1))\n", 0, []) }
        return ("\(location(file.path, 2))\n", lineEnd + 1, [file.insertion(before: 0, "import UIKit; ")])
    }

    private func edits(for file: SourceFile) -> [Edit] {
        AttributeRule.edits(for: file) + SelectorRule.edits(for: file, in: module)
            + SelectorTableRule.edits(for: file, in: module)
            + OptionalRequirementRule.edits(for: file, in: module) + InheritedDelegateRule.edits(for: file, in: module)
            + PlatformRule.edits(for: file) + ConcurrencyRule.edits(for: file, in: module)
    }

    private static func location(_ path: String, _ line: Int) -> String {
        let quoted = path.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "#sourceLocation(file: \"\(quoted)\", line: \(line))"
    }

    /// Applies edits to a part of a file. Edits at one position apply in their order.
    private static func apply(_ edits: [Edit], to file: SourceFile, within range: Range<Int>) -> String {
        var (bytes, position) = ([UInt8](), range.lowerBound)
        let ordered = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for edit in ordered.map(\.element) {
            // Of two rules that change the same words the first has decided.
            guard edit.range.lowerBound >= position else { continue }
            bytes += file.bytes[position..<edit.range.lowerBound]
            bytes += edit.text.utf8
            position = edit.range.upperBound
        }
        return String(decoding: bytes + file.bytes[position..<range.upperBound], as: UTF8.self)
    }
}

extension Range<Int> {
    /// Whether the other range lies inside of this one.
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
