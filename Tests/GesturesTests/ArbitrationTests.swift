import Gestures
import Testbed
import Testing

@Suite("Arbitration between recognizers")
struct ArbitrationTests {
    private static let attempts: [AttemptState] = [
        .idle, .watching, .pending, .waiting(hasUnsentBegan: false), .waiting(hasUnsentBegan: true), .acted(.nothing),
        .acted(.pending), .acted(.waiting), .done(wasWaiting: false), .done(wasWaiting: true),
    ]
    private static let both = [false, true]

    /// Everything that `Turn.of` depends on.
    struct Case {
        var stage: RecognizerState
        var attempt: AttemptState
        var requirement: Turn.Requirement
        var actedInUpdate, isUnweighed: Bool

        var turn: Turn {
            Turn.of(stage, attempt, requirement, actedInUpdate: actedInUpdate, isUnweighed: isUnweighed)
        }
    }

    static let cases: [Case] = RecognizerState.allCases.flatMap { stage in
        attempts.flatMap { attempt in
            Turn.Requirement.allCases.flatMap { requirement in
                both.flatMap { acted in
                    both.map {
                        Case(
                            stage: stage, attempt: attempt, requirement: requirement, actedInUpdate: acted,
                            isUnweighed: $0)
                    }
                }
            }
        }
    }

    @Test("a recognizer acts only with a due report and every requirement met")
    func acts() {
        for one in Self.cases {
            let mayAct =
                one.stage.isRecognized && one.requirement == .met && one.attempt.hasReport
                && !(one.stage == .changed && one.actedInUpdate) && !(one.isUnweighed && one.attempt.isExcludable)
            #expect((one.turn == .act) == mayAct, "\(one)")
        }
    }

    @Test("each arbitration turn follows from stage, attempt and requirement")
    func turns() {
        for one in Self.cases {
            let isOpen = one.stage.rawValue <= RecognizerState.ended.rawValue
            switch one.turn {
            case .postpone: #expect(one.stage == .changed && one.actedInUpdate, "\(one)")
            case .skip: #expect(one.attempt.isDone, "\(one)")
            case .lose: #expect(isOpen && one.requirement == .lost && !one.attempt.isDone, "\(one)")
            case .wait:
                #expect(
                    one.stage.isRecognized && one.requirement == .undecided && one.attempt.hasReport, "\(one)")
            case .decideExclusion:
                #expect(one.isUnweighed && one.attempt.isExcludable && one.requirement == .met, "\(one)")
            case .rest: #expect(one.stage.isRecognized && !one.attempt.hasReport, "\(one)")
            case .act: break
            case .withdraw: #expect(one.stage == .cancelled, "\(one)")
            case .fail: #expect(one.stage == .failed, "\(one)")
            case .hold: #expect(one.stage == .possible && one.requirement != .lost, "\(one)")
            }
        }
        #expect(Set(Self.cases.map(\.turn)) == Set(Turn.allCases))
    }

    @Test("one recognizer may prevent another only if every condition holds")
    func pairs() {
        for winner in RecognizerState.allCases {
            for requirement in Turn.Requirement.allCases {
                for bits in 0..<16 {
                    let pair = Exclusion.Pair(
                        winner: winner, requirement: requirement, isOneKindOfEvent: bits & 1 != 0,
                        isRelated: bits & 2 != 0, requiresLoser: bits & 4 != 0, isOutOfSight: bits & 8 != 0)
                    let competes = winner.isRecognized && requirement == .met && bits == 3
                    #expect(Exclusion.first(for: pair) == (competes ? .ask(.mayPrevent) : .spared), "\(pair)")
                }
            }
        }
    }

    @Test("one of four answers is enough to let both recognizers recognize")
    func answers() {
        for bits in 0..<16 {
            var (asked, step): ([Exclusion.Question], Exclusion) = ([], .ask(.mayPrevent))
            while case .ask(let question) = step {
                asked.append(question)
                let place = Exclusion.Question.allCases.firstIndex(of: question)!
                step = .next(after: question, answer: bits & 1 << place != 0)
            }
            #expect((step == .excluded) == (bits == 0b0011))
            #expect(asked == Array(Exclusion.Question.allCases.prefix(asked.count)))
        }
    }

    @Test("Docs/Reference/Machines/Exclusion.md matches the order of questions")
    func table() {
        expectMachineTable(
            "Exclusion", states: Exclusion.Question.allCases.map { Exclusion.ask($0) } + [.excluded, .spared],
            inputs: Self.both,
            transition: { state, answer in
                guard case .ask(let question) = state else { return (state, "nothing") }
                return (Exclusion.next(after: question, answer: answer), "nothing")
            })
    }
}
