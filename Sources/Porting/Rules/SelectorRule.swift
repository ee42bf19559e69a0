// SelectorRule.swift: turns #selector into a selector that carries its method.
//
// Input     #selector(move(_:)), #selector(Card.move), #selector(model.reset)
// Output    Selector("move:", Card.move(_:)), Selector("reset", of: model, { $0.reset })
// Knows     the type around the expression, and the labels of this module's methods.
//
// Sources   documented  Objective-C's names of Swift methods (The Swift Programming Language, Expressions)
//           invented    the initializers of Selector (Docs/Decisions/Selectors.md)

enum SelectorRule {
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        file.tokens.indices.compactMap { index in
            guard file.tokens[index].kind == .pound, file.isSign("(", at: index + 1), let close = file.match(index + 1),
                index + 2 < close
            else { return nil }
            switch file.tokens[index].text {
            case "#selector":
                return file.replacement(index...close, selector(index + 2..<close, in: file, module))
            case "#keyPath": return file.replacement(index...close, keyPath(index + 2..<close, in: file))
            default: return nil
            }
        }
    }

    /// The selector for what stands between the parentheses of `#selector`.
    private static func selector(_ range: Range<Int>, in file: SourceFile, _ module: Module) -> String {
        var range = range
        if file.isSign(":", at: range.lowerBound + 1),
            ["getter", "setter"].contains(file.tokens[range.lowerBound].text)
        {
            let name = file.tokens[range.upperBound - 1].text
            let isGetter = file.isWord("getter", at: range.lowerBound)
            return "Selector(\"\(isGetter ? name : "set" + name.prefix(1).uppercased() + name.dropFirst() + ":")\")"
        }
        // A cast chooses between overloads: `#selector(move as (UIGestureRecognizer) -> Void)`.
        let cast = range.first { file.isWord("as", at: $0) }
        let end = cast ?? range.upperBound
        let castType = cast.map { file.flatText($0 + 1..<range.upperBound) }
        range = range.lowerBound..<end
        // The last name of the path, and its labels.
        var last = range.upperBound - 1
        if file.isSign(")", at: last), let open = file.match(last), open > range.lowerBound { last = open - 1 }
        guard last >= range.lowerBound else { return "Selector(\"\(file.flatText(range))\")" }
        let name = file.tokens[last].text
        let member = file.flatText(last..<range.upperBound)
        let base = last > range.lowerBound ? file.flatText(range.lowerBound..<last - 1) : "self"
        let isSelf = ["self", "Self", "super"].contains(base)
        let enclosing = file.outline.type(around: range.lowerBound)?.name
        let labels = labels(
            of: name, range: last + 1..<range.upperBound, in: file, module, type: isSelf ? enclosing : base)
        let quoted = "\"\(objectiveC(name, labels))\""
        if isSelf {
            let owner = enclosing ?? "Self"
            return "Selector(\(quoted), \(owner).\(member)\(castType.map { " as (\(owner)) -> \($0)" } ?? ""))"
        }
        // With a type before the method, the cast has the type of the object too.
        if isTypeName(base) { return "Selector(\(quoted), \(base).\(member)\(castType.map { " as \($0)" } ?? ""))" }
        return "Selector(\(quoted), of: \(base), { $0.\(member)\(castType.map { " as \($0)" } ?? "") })"
    }

    private static func isTypeName(_ path: String) -> Bool {
        path.split(separator: ".").last?.first?.isUppercase == true
    }

    /// The labels as written; without them those of the module's method of that name.
    private static func labels(
        of name: String, range: Range<Int>, in file: SourceFile, _ module: Module, type: String?
    ) -> [String] {
        guard !range.isEmpty else { return module.labels(ofMethod: name, inType: type) ?? [] }
        return range.filter { file.tokens[$0].kind == .word }.map { file.tokens[$0].text }
    }

    /// Objective-C's name of a method: `move(_:by:)` is `move:by:`, `go(to:)` is `goTo:`, `fill(color:)` is
    /// `fillWithColor:`.
    static func objectiveC(_ name: String, _ labels: [String]) -> String {
        guard let first = labels.first else { return name }
        var text = name
        if first != "_" {
            let capital = first.prefix(1).uppercased() + first.dropFirst()
            text +=
                prepositions.contains {
                    first == $0 || first.hasPrefix($0) && first.dropFirst($0.count).first!.isUppercase
                }
                ? capital : "With" + capital
        }
        return text + ":" + labels.dropFirst().map { ($0 == "_" ? "" : $0) + ":" }.joined()
    }

    private static let prepositions = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given",
        "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until",
        "using", "via", "when", "with", "within",
    ]

    /// The key path as a string, without the type that begins it.
    private static func keyPath(_ range: Range<Int>, in file: SourceFile) -> String {
        var names = range.filter { file.tokens[$0].kind == .word && file.tokens[$0].text != "self" }.map {
            file.tokens[$0].text
        }
        if names.count > 1, names[0].first?.isUppercase == true { names.removeFirst() }
        return "\"\(names.joined(separator: "."))\""
    }
}
