public import Testing

/// Keeps `Docs/Reference/Machines/<name>.md` equal to what `transition` does: one table a state.
///
/// A table has one row for each result that changes the state or has an effect, with the inputs that lead to it. Inputs
/// for which `transition` returns nil are listed as impossible, or named together where each input of the state has an
/// effect or is impossible. Inputs that change nothing are left out.
public func expectMachineTable<State, Input, Output>(
    _ name: String,
    states: [State],
    inputs: [Input],
    transition: (State, Input) -> (State, Output)?,
    at location: SourceLocation = #_sourceLocation
) {
    var lines = ["# \(name)", "", "Written by its test. An input that a state does not list changes nothing.", ""]
    for state in states {
        let name = plainName(state)
        lines += ["## \(name)", ""]
        var rows: [(result: String, inputs: [String])] = []
        var impossible: [String] = []
        var isSilent = false
        for input in inputs {
            guard let (next, output) = transition(state, input) else {
                impossible.append("`\(plainName(input))`")
                continue
            }
            let effect = effectName(output)
            if plainName(next) == name, effect == "–" {
                isSilent = true
                continue
            }
            let result = "\(plainName(next)) | \(effect) |"
            if let index = rows.firstIndex(where: { $0.result == result }) {
                rows[index].inputs.append("`\(plainName(input))`")
            } else {
                rows.append((result, ["`\(plainName(input))`"]))
            }
        }
        if rows.isEmpty {
            if isSilent { lines += ["No input changes this state.", ""] }
        } else {
            lines += ["| input | next state | effect |", "| --- | --- | --- |"]
            lines += rows.map { "| \($0.inputs.joined(separator: ", ")) | \($0.result)" } + [""]
        }
        if !impossible.isEmpty {
            let which = isSilent || impossible.count < 4 ? impossible.joined(separator: ", ") : "any other input"
            lines += ["Cannot happen: \(which).", ""]
        }
    }
    expectDocument("Docs/Reference/Machines/\(name).md", equals: lines.joined(separator: "\n"), at: location)
}

/// A value as its machine's file writes it, without the names of modules and types.
private func plainName(_ value: some Any) -> String {
    "\(value)".replacing(/(?:[A-Z]\w*\.)+(?=[a-z])/, with: "")
        .replacing(/Optional\(([^()]*)\)/) { $0.output.1 }
}

private func effectName(_ output: some Any) -> String {
    let name = plainName(output)
    return ["nothing", "unchanged", "ignore"].contains(name) ? "–" : name
}
