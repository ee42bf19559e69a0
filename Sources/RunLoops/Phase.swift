// Phase.swift: the order of one run of a loop, whole.
//
// Station   loop
// Fed by    RunLoop, which looks and says what it found
// Feeds     RunLoop, which carries out the phase's work
// Knows     the order. No sources, no timers, no clock.
//
//    starting ─▶ entering ─▶ beforeTimers ─▶ beforeSources ─▶ blocks ─▶ sources0 ─▶ blocksAfterSources
//        │                        ▲                                                        │
//      empty                   carry on                                                 deciding
//        │                        │                                 ┌── main queue ───────┤
//        ▼                        │                                 ▼        poll ────────┤
//    finished ◀─ exiting ◀─── testing ◀─ blocksAfterHandling ◀─ handling ◀───┘            ▼
//                                                                   ▲               beforeWaiting
//                                                                   └── afterWaiting ◀─ waiting
//
// Sources   documented  CFRunLoop.c, __CFRunLoopRun; Docs/Spec/Semantics.md C1

/// Why a run ended.
///
/// - Source: documented, `CFRunLoopRunResult`.
public enum RunResult: Hashable, Sendable, CaseIterable { case finished, stopped, timedOut, handledSource }

/// What ended a wait. One is served a turn (C1.3).
public enum Port: Hashable, Sendable, CaseIterable { case wakeUp, timers, mainQueue, source1 }

/// Where a run is.
public enum Phase: Hashable, Sendable {
    case starting
    case entering
    case beforeTimers
    case beforeSources
    case blocks
    case sources0
    case blocksAfterSources
    case deciding
    case beforeWaiting
    case waiting
    case afterWaiting(Port)
    case polling
    case handling(Port)
    case blocksAfterHandling
    case testing
    case exiting(RunResult)
    case finished(RunResult)
}

/// What the loop found when the work of its phase was done.
public enum Finding: Hashable, Sendable {
    /// The mode has nothing to run for.
    case emptyMode
    case somethingToDo
    /// The phase's callouts are over.
    case done
    /// The same, and one of them was a source.
    case handledSource
    case stopRequested
    /// The main queue has work and was not served last turn.
    case mainQueueIsOwed
    /// A source was handled, or the run has no time: look at the ports without waiting.
    case mustPoll
    case mayWait
    case port(Port)
    case noPort
    case carryOn
    case leave(RunResult)
}

/// What the loop does on entering a phase.
public enum Work: Hashable, Sendable {
    case notify(Activity)
    case runBlocks
    case runSources0
    case decide
    case wait
    case poll
    case serve(Port)
    case test
    case `return`
}

extension Phase {
    /// The whole order: every phase, every finding. Nil cannot happen.
    public static func transition(from phase: Phase, on finding: Finding) -> (Phase, Work)? {
        switch phase {
        case .starting:
            switch finding {
            case .emptyMode: (.finished(.finished), .return)
            case .somethingToDo: (.entering, .notify(.entry))
            case .done, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll, .mayWait, .port, .noPort,
                .carryOn, .leave:
                nil
            }
        case .entering:
            switch finding {
            case .done: (.beforeTimers, .notify(.beforeTimers))
            case .stopRequested: (.exiting(.stopped), .notify(.exit))
            case .emptyMode, .somethingToDo, .handledSource, .mainQueueIsOwed, .mustPoll, .mayWait, .port, .noPort,
                .carryOn, .leave:
                nil
            }
        case .beforeTimers: afterCallouts(finding, (.beforeSources, .notify(.beforeSources)))
        case .beforeSources: afterCallouts(finding, (.blocks, .runBlocks))
        case .blocks: afterCallouts(finding, (.sources0, .runSources0))
        case .sources0:
            switch finding {
            case .handledSource: (.blocksAfterSources, .runBlocks)
            case .done: (.deciding, .decide)
            case .emptyMode, .somethingToDo, .stopRequested, .mainQueueIsOwed, .mustPoll, .mayWait, .port, .noPort,
                .carryOn, .leave:
                nil
            }
        case .blocksAfterSources: afterCallouts(finding, (.deciding, .decide))
        case .deciding:
            switch finding {
            case .mainQueueIsOwed: (.handling(.mainQueue), .serve(.mainQueue))
            // A turn that handled a source0 says nothing of waiting, as it will not wait.
            case .mustPoll: (.polling, .poll)
            case .mayWait: (.beforeWaiting, .notify(.beforeWaiting))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .port, .noPort, .carryOn, .leave:
                nil
            }
        case .beforeWaiting: afterCallouts(finding, (.waiting, .wait))
        case .waiting:
            switch finding {
            case .port(let port): (.afterWaiting(port), .notify(.afterWaiting))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll,
                .mayWait, .noPort, .carryOn, .leave:
                nil
            }
        case .afterWaiting(let port): afterCallouts(finding, (.handling(port), .serve(port)))
        case .polling:
            switch finding {
            case .port(let port): (.handling(port), .serve(port))
            case .noPort: (.blocksAfterHandling, .runBlocks)
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll,
                .mayWait, .carryOn, .leave:
                nil
            }
        case .handling: afterCallouts(finding, (.blocksAfterHandling, .runBlocks))
        case .blocksAfterHandling: afterCallouts(finding, (.testing, .test))
        case .testing:
            switch finding {
            case .carryOn: (.beforeTimers, .notify(.beforeTimers))
            case .leave(let result): (.exiting(result), .notify(.exit))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll,
                .mayWait, .port, .noPort:
                nil
            }
        case .exiting(let result): afterCallouts(finding, (.finished(result), .return))
        case .finished: nil
        }
    }

    /// The phases that only call out lead to one other.
    private static func afterCallouts(_ finding: Finding, _ next: (Phase, Work)) -> (Phase, Work)? {
        switch finding {
        case .done: next
        case .emptyMode, .somethingToDo, .handledSource, .stopRequested, .mainQueueIsOwed, .mustPoll, .mayWait,
            .port, .noPort, .carryOn, .leave:
            nil
        }
    }
}
