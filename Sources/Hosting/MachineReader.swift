// MachineReader.swift: the states of the machines inside a core for a reader outside, and the steps that their tables have.
//
// Input     cores, after any step; transition functions
// Output    the simulator, which collects the transitions that seeds reach and lists those that none has reached
// Knows     names. Reading changes nothing, and a core does not learn of it.
//
// Sources   invented

extension ProcessCore {
    /// A core without named machines.
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {}
}

/// The steps of one machine between states with different names, by the names that `readMachines` gives.
package struct MachineSteps: Sendable {
    /// A step to a state with another name.
    package struct Step: Hashable, Sendable {
        package let from, to: String
        package init(from: String, to: String) { (self.from, self.to) = (from, to) }
    }

    /// The name of the machine's page in Docs/Reference/Machines.
    package let machine: String
    /// The state of a new machine.
    package let initial: String
    /// In the order of the table.
    package let steps: [Step]
    /// The names of states in which a core no longer has the machine, so that no reader sees them.
    private let ends: [String]

    /// - Parameters:
    ///   - machine: The name of the machine's page.
    ///   - states: At least one state of each name, the state of a new machine first.
    ///   - inputs: At least one input of each case.
    ///   - ends: The states in which a core no longer has the machine.
    ///   - name: The name of a state, as `readMachines` gives it.
    ///   - transition: The machine's transition function; nil for an input that a state does not have.
    package init<State, Input, Output>(
        _ machine: StaticString, states: [State], inputs: [Input], ends: [State] = [], name: (State) -> StaticString,
        transition: (State, Input) -> (State, Output)?
    ) {
        self.machine = "\(machine)"
        self.ends = ends.map { "\(name($0))" }
        initial = states.first.map { "\(name($0))" } ?? ""
        var steps: [Step] = []
        for state in states {
            for input in inputs {
                guard let next = transition(state, input)?.0 else { continue }
                let step = Step(from: "\(name(state))", to: "\(name(next))")
                if step.from != step.to, !steps.contains(step) { steps.append(step) }
            }
        }
        self.steps = steps
    }

    /// The steps that a reader can see.
    package var visible: [Step] { steps.filter { !ends.contains($0.to) } }

    /// Returns the steps that a machine has certainly taken.
    ///
    /// A reader sees the first state and the last of several steps. The machine then has taken the steps without which the
    /// last state cannot be reached from the first.
    ///
    /// - Parameter seen: Pairs of states that a reader saw in succession; `from` is empty for the first state of a machine.
    package func taken(by seen: [Step]) -> [Step] {
        let pairs = seen.map { $0.from.isEmpty ? Step(from: initial, to: $0.to) : $0 }
        return steps.filter { step in
            pairs.contains { pair in
                guard !steps.contains(pair) else { return pair == step }
                return pair.from != pair.to && !isConnected(pair.from, pair.to, without: step)
                    && isConnected(pair.from, pair.to, without: nil)
            }
        }
    }

    private func isConnected(_ from: String, _ to: String, without removed: Step?) -> Bool {
        var reached = [from]
        var index = 0
        while index < reached.count, !reached.contains(to) {
            for step in steps where step.from == reached[index] && step != removed && !reached.contains(step.to) {
                reached.append(step.to)
            }
            index += 1
        }
        return reached.contains(to)
    }
}
