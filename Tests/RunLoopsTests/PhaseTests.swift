import RunLoops
import Testbed
import Testing

@Suite("Phases of a run")
struct PhaseTests {
    static let phases: [Phase] =
        [
            .starting, .entering, .beforeTimers, .beforeSources, .blocks, .sources0, .blocksAfterSources, .deciding,
            .beforeWaiting, .waiting,
        ] + Port.allCases.map { .afterWaiting($0) } + [.polling] + Port.allCases.map { .handling($0) } + [
            .blocksAfterHandling, .testing,
        ] + RunResult.allCases.map { .exiting($0) } + RunResult.allCases.map { .finished($0) }

    static let findings: [Finding] =
        [.emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll, .mayWait]
        + Port.allCases.map { .port($0) } + [.noPort, .carryOn] + RunResult.allCases.map { .leave($0) }

    @Test("Docs/Reference/Machines/RunLoopPhase.md matches the transition function")
    func table() {
        expectMachineTable(
            "RunLoopPhase", states: Self.phases, inputs: Self.findings,
            transition: { Phase.transition(from: $0, on: $1) })
    }

    @Test("every phase except a finished run has a next phase")
    func everyPhaseLeadsSomewhere() {
        for phase in Self.phases {
            let exits = Self.findings.compactMap { Phase.transition(from: phase, on: $0) }
            if case .finished = phase {
                #expect(exits.isEmpty)
            } else {
                #expect(!exits.isEmpty, "\(phase)")
            }
        }
    }

    @Test("the loop waits only after beforeWaiting and notifies afterWaiting first")
    func waitingIsAnnounced() throws {
        let waits = Self.phases.filter { phase in
            Self.findings.contains { Phase.transition(from: phase, on: $0)?.1 == .wait }
        }
        #expect(waits == [.beforeWaiting])
        for port in Port.allCases {
            let after = try #require(Phase.transition(from: .waiting, on: .port(port)))
            #expect(after == (.afterWaiting(port), .notify(.afterWaiting)))
        }
    }
}
