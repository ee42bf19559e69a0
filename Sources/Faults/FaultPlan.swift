// FaultPlan.swift: everything that will go wrong in one run, in order of time.
//
// Fed by    FaultProfile (drawn from a seed), or text somebody wrote: one fault a line, # begins a comment
// Feeds     Simulator, `touchline chaos`
//
// Sources   invented

public struct FaultPlan: Hashable, Sendable {
    /// By time; of one moment, as they were given.
    public private(set) var faults: [Fault]

    public init(_ faults: [Fault] = []) {
        self.faults = faults.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// The line of a plan that is none.
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

    /// One line a fault.
    public var lines: [String] { faults.map { "\($0)" } }
}
