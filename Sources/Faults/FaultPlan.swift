// FaultPlan.swift: all faults of one run, in order of time.
//
// Input     FaultProfile (drawn from a seed), or a person's text: one fault a line, # begins a comment
// Output    Simulator, `touchline chaos`
//
// Sources   invented

/// The faults of a run.
public struct FaultPlan: Hashable, Sendable {
    /// Sorted by time; faults of one time in their given order.
    public private(set) var faults: [Fault]

    public init(_ faults: [Fault] = []) {
        self.faults = faults.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// A line of a plan that is no fault.
    public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
        /// From 1.
        public var line: Int
        public var error: FaultError
        public var description: String { "\(line): \(error)" }
    }

    public init(parsing text: String) throws(LineError) {
        var faults: [Fault] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let said = line.prefix { $0 != "#" }
            guard said.contains(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else { continue }
            do throws(FaultError) {
                faults.append(try Fault(parsing: said.filter { $0 != "\r" }))
            } catch { throw LineError(line: index + 1, error: error) }
        }
        self.init(faults)
    }

    /// The faults as text, one a line.
    public var lines: [String] { faults.map { "\($0)" } }
}
