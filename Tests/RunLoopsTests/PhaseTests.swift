import RunLoops
import Testbed
import Testing

@Suite("phases of a run")
struct PhaseTests {
    static let phases: [Phase] =
        [
            .starting, .entering, .beforeTimers, .beforeSources, .blocks, .sources0, .blocksAfterSources, .deciding,
            .beforeWaiting, .waiting,
        ] + Port.allCases.map { .afterWaiting($0) } + [.polling] + Port.allCases.map { .handling($0) } + [
            .blocksAfterHandling, .testing,
        ] + RunResult.allCases.map { .exiting($0) } + RunResult.allCases.map { .finished($0) }

    static let findings: [Finding] =
        [.emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll, .mayWait]
        + Port.allCases.map { .port($0) } + [.noPort, .carryOn] + RunResult.allCases.map { .leave($0) }

    @Test("the order of a run is what its table says")
    func table() {
        expectMachineTable(
            "RunLoopPhase", states: Self.phases, inputs: Self.findings,
            transition: { Phase.transition(from: $0, on: $1) })
    }

    @Test("only a run that is over leads nowhere")
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

    @Test("nothing is handled before the waiting observers of that wait were told")
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
