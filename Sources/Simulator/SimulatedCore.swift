// SimulatedCore.swift: a core behind a class.
//
// An existential of a core is a box that is shared by its copies. At each input Swift checks whether the box has one owner,
// and finds the core in it. A class of a known core takes one virtual call.
//
// Input     SimulatedProcess: inputs
// Knows     the contract of a core. No core of its own.
//
// Sources   invented

import Basics
import Hosting

/// A core of any kind, which is changed in place.
class SimulatedCore {
    /// The core in its present state.
    var core: any ProcessCore { preconditionFailure("a subclass has the core") }

    /// Hands an input to the core.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - now: The virtual time.
    ///   - outbox: Receives the effects and facts of the core.
    func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        preconditionFailure("a subclass has the core")
    }

    /// Reads the states of the core's machines where the core is. `core` copies it.
    func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        preconditionFailure("a subclass has the core")
    }

    /// Makes the class for a core.
    static func make(_ core: some ProcessCore) -> SimulatedCore { TypedCore(core) }
}

/// A core of a known kind. One world has it, on one thread, so it is exempt from the runtime's exclusivity checks.
private final class TypedCore<Core: ProcessCore>: SimulatedCore {
    @exclusivity(unchecked) private var typed: Core

    init(_ core: Core) { typed = core }

    override var core: any ProcessCore { typed }

    override func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        typed.handle(input, at: now, into: &outbox)
    }

    override func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) { typed.readMachines(read) }
}
