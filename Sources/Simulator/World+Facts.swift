// World+Facts.swift: what the processes of a world have noted, as text or as values.
//
// Sources   invented

public import Basics
public import Trace

extension World {
    /// Every fact of every process as text, in the order it was noted.
    public var trace: [TraceLine] { trace(since: .boot) }

    /// Returns every fact as text.
    ///
    /// - Parameter origin: The moment from which moments in the text count.
    public func trace(since origin: Instant) -> [TraceLine] {
        facts.map(living: population.processes) { fact, author in
            fact.line(process: author.process, names: author.names, since: origin)
        }
    }

    /// Every fact of every process with its words, for folds over them.
    public var resolvedFacts: [ResolvedFact] {
        facts.map(living: population.processes) { fact, author in
            fact.resolved(by: author.process, names: author.names)
        }
    }
}
