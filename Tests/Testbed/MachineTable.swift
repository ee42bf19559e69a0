public import Testing

/// Keeps `Docs/Machines/<name>.md` equal to what `transition` does: one row per state, one
/// column per input, and an empty cell where nothing can happen.
public func expectMachineTable<State, Input, Output>(
    _ name: String,
    states: [State],
    inputs: [Input],
    transition: (State, Input) -> (State, Output)?,
    at location: SourceLocation = #_sourceLocation
) {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    var lines = ["# \(name)", "", "Written by its test; an empty cell cannot happen.", ""]
    lines.append(row([""] + inputs.map { "`\($0)`" }))
    lines.append(row(Array(repeating: "---", count: inputs.count + 1)))
    for state in states {
        lines.append(
            row(["`\(state)`"] + inputs.map { transition(state, $0).map { "→ `\($0.0)`, \($0.1)" } ?? "" }))
    }
    expectDocument("Docs/Machines/\(name).md", equals: lines.joined(separator: "\n") + "\n", at: location)
}
