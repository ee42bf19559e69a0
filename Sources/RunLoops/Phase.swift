// Phase.swift: the state machine of one run of a loop.
//
// Station   loop
// Input     findings of RunLoop
// Output    the next phase and its work, which RunLoop carries out
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

/// The reason why a run ended.
///
/// - Source: documented, `CFRunLoopRunResult`.
public enum RunResult: Hashable, Sendable, CaseIterable { case finished, stopped, timedOut, handledSource }

/// The port that ended a wait. A turn serves one port (C1.3).
public enum Port: Hashable, Sendable, CaseIterable { case wakeUp, timers, mainQueue, source1 }

/// The phase of a run.
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

/// What the loop found after the work of its phase.
public enum Finding: Hashable, Sendable {
    /// The mode has no source, timer or block.
    case emptyMode
    case somethingToDo
    /// The phase's callouts have returned.
    case done
    /// The phase's callouts have returned, and one of them was a source.
    case handledSource
    case stopRequested
    /// The main queue has items and was not served in the last turn.
    case mainQueueHasItems
    /// A source was handled, or the run has no time left: the ports are polled without waiting.
    case mustPoll
    case mayWait
    case port(Port)
    case noPort
    case carryOn
    case leave(RunResult)
}

/// What the loop does when it enters a phase.
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
    /// The whole machine: every phase and every finding. Nil marks impossible pairs.
    public static func transition(from phase: Phase, on finding: Finding) -> (Phase, Work)? {
        switch phase {
        case .starting:
            switch finding {
            case .emptyMode: (.finished(.finished), .return)
            case .somethingToDo: (.entering, .notify(.entry))
            case .done, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll, .mayWait, .port, .noPort,
                .carryOn, .leave:
                nil
            }
        case .entering:
            switch finding {
            case .done: (.beforeTimers, .notify(.beforeTimers))
            case .stopRequested: (.exiting(.stopped), .notify(.exit))
            case .emptyMode, .somethingToDo, .handledSource, .mainQueueHasItems, .mustPoll, .mayWait, .port, .noPort,
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
            case .emptyMode, .somethingToDo, .stopRequested, .mainQueueHasItems, .mustPoll, .mayWait, .port, .noPort,
                .carryOn, .leave:
                nil
            }
        case .blocksAfterSources: afterCallouts(finding, (.deciding, .decide))
        case .deciding:
            switch finding {
            case .mainQueueHasItems: (.handling(.mainQueue), .serve(.mainQueue))
            // A turn that handled a source0 does not wait, so it sends no `beforeWaiting`.
            case .mustPoll: (.polling, .poll)
            case .mayWait: (.beforeWaiting, .notify(.beforeWaiting))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .port, .noPort, .carryOn, .leave:
                nil
            }
        case .beforeWaiting: afterCallouts(finding, (.waiting, .wait))
        case .waiting:
            switch finding {
            case .port(let port): (.afterWaiting(port), .notify(.afterWaiting))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll,
                .mayWait, .noPort, .carryOn, .leave:
                nil
            }
        case .afterWaiting(let port): afterCallouts(finding, (.handling(port), .serve(port)))
        case .polling:
            switch finding {
            case .port(let port): (.handling(port), .serve(port))
            case .noPort: (.blocksAfterHandling, .runBlocks)
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll,
                .mayWait, .carryOn, .leave:
                nil
            }
        case .handling: afterCallouts(finding, (.blocksAfterHandling, .runBlocks))
        case .blocksAfterHandling: afterCallouts(finding, (.testing, .test))
        case .testing:
            switch finding {
            case .carryOn: (.beforeTimers, .notify(.beforeTimers))
            case .leave(let result): (.exiting(result), .notify(.exit))
            case .emptyMode, .somethingToDo, .done, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll,
                .mayWait, .port, .noPort:
                nil
            }
        case .exiting(let result): afterCallouts(finding, (.finished(result), .return))
        case .finished: nil
        }
    }

    /// The transition of a phase that only makes callouts and has one successor.
    private static func afterCallouts(_ finding: Finding, _ next: (Phase, Work)) -> (Phase, Work)? {
        switch finding {
        case .done: next
        case .emptyMode, .somethingToDo, .handledSource, .stopRequested, .mainQueueHasItems, .mustPoll, .mayWait,
            .port, .noPort, .carryOn, .leave:
            nil
        }
    }
}
