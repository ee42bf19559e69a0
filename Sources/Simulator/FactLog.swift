// FactLog.swift: the facts of a world's processes, in the order they were noted.
//
//     outbox of a process ─▶ FactLog ─▶ lines or resolved facts, when a reader asks
//
// Making text of a fact takes longer than everything else in a simulation, and most facts are never read.
//
// Sources   invented

import Hosting
import Trace

/// The facts of all processes of a world.
struct FactLog {
    /// A fact, with the serial of the life that noted it.
    struct Entry {
        let author: UInt32
        let fact: Fact
    }

    private var entries: [Entry] = []
    /// By serial: the process name and the words of a life that has ended.
    private var former: [UInt32: Author] = [:]

    /// The name of a process, and the words of its facts.
    struct Author {
        let process: String
        let names: NameTable
    }

    mutating func append(_ facts: [Fact], of serial: UInt32) {
        for fact in facts { entries.append(Entry(author: serial, fact: fact)) }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Keeps the words of a life that ends.
    mutating func keepNames(of process: SimulatedProcess) {
        guard !isEmpty else { return }
        former[process.serial] = Author(process)
    }

    mutating func removeAll() { self = FactLog() }

    /// Returns one result for each fact.
    ///
    /// - Parameter living: The processes that have not ended.
    func map<Result>(living: [SimulatedProcess?], _ read: (Fact, Author) -> Result) -> [Result] {
        var authors = former
        for process in living { if let process { authors[process.serial] = Author(process) } }
        return entries.map { entry in
            guard let author = authors[entry.author] else { preconditionFailure("a fact without a process") }
            return read(entry.fact, author)
        }
    }
}

extension FactLog.Author {
    init(_ process: SimulatedProcess) { self.init(process: "\(process.peer)", names: process.outbox.trace.names) }
}
