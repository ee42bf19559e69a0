import Monkey
import Testing
import UIKit

/// Each law must be able to fail: one journal breaks none, and each of the others breaks one in its own way.
@Suite("Monkey laws")
struct LawTests {
    private typealias Entry = JournalEntry

    private static func heard(
        _ method: UITouch.Phase, touch: Int = 0, view: Int = 3, phase: UITouch.Phase? = nil, of: Int? = 3,
        at: Double = 1
    ) -> JournalEntry {
        .viewCall(
            JournalEntry.ViewCall(
                view: view, method: method, touch: touch, phase: phase ?? method, touchView: of, timestamp: at))
    }

    private static func acts(
        _ recognizer: Int, _ state: UIGestureRecognizer.State, touches: [Int] = [], cancels: Bool = false,
        excludes: [Int] = [], excludedBy: [Int] = [], waitsFor: [Int] = []
    ) -> JournalEntry {
        .acted(
            JournalEntry.Action(
                recognizer: recognizer, state: state, touches: touches, cancelsTouches: cancels, excludes: excludes,
                excludedBy: excludedBy, waitsFor: waitsFor))
    }

    private static func leftovers(_ change: (inout JournalEntry.Leftovers) -> Void) -> JournalEntry {
        var left = JournalEntry.Leftovers()
        change(&left)
        return .end(left)
    }

    @Test("a drag that a recognizer takes from its view breaks no law")
    func lawful() {
        let journal: [JournalEntry] = [
            .step(0, milliseconds: 0), .recognizerCall(recognizer: 1, .began, touch: 0), Self.heard(.began, at: 1),
            .recognizerCall(recognizer: 1, .moved, touch: 0), Self.heard(.moved, at: 2),
            .recognizerCall(recognizer: 1, .moved, touch: 0), .stateChanged(recognizer: 1, from: .possible, to: .began),
            Self.acts(1, .began, touches: [0], cancels: true), Self.heard(.cancelled, at: 3),
            .recognizerCall(recognizer: 1, .ended, touch: 0), .stateChanged(recognizer: 1, from: .began, to: .ended),
            Self.acts(1, .ended, touches: [0], cancels: true), .reset(recognizer: 1),
            .stateChanged(recognizer: 1, from: .ended, to: .possible), .idle, .end(JournalEntry.Leftovers()),
        ]
        #expect(MonkeyLaws.violations(in: journal) == [])
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        var law: MonkeyLaw
        var how: String
        var journal: [JournalEntry]
        var testDescription: String { "\(law.rawValue): \(how)" }
    }

    private static let began = JournalEntry.stateChanged(recognizer: 1, from: .possible, to: .began)

    static let broken: [Broken] = [
        Broken(law: .pairing, how: "moved before began", journal: [heard(.moved)]),
        Broken(law: .pairing, how: "began twice", journal: [heard(.began), heard(.began)]),
        Broken(law: .pairing, how: "moved after ended", journal: [heard(.began), heard(.ended), heard(.moved)]),
        Broken(law: .pairing, how: "ended and cancelled", journal: [heard(.began), heard(.ended), heard(.cancelled)]),
        Broken(law: .pairing, how: "no end", journal: [heard(.began), .end(JournalEntry.Leftovers())]),
        Broken(law: .pairing, how: "a phase that is not the method's", journal: [heard(.began, phase: .moved)]),
        Broken(law: .pairing, how: "earlier than before", journal: [heard(.began, at: 2), heard(.moved, at: 1)]),
        Broken(law: .view, how: "another's touch", journal: [heard(.began, of: 2)]),
        Broken(law: .view, how: "two views", journal: [heard(.began), heard(.moved, view: 2, of: 2)]),
        Broken(law: .listening, how: "moved before began", journal: [.recognizerCall(recognizer: 1, .moved, touch: 0)]),
        Broken(
            law: .listening, how: "began twice",
            journal: [
                .recognizerCall(recognizer: 1, .began, touch: 0), .recognizerCall(recognizer: 1, .began, touch: 0),
            ]),
        Broken(
            law: .listening, how: "after the end",
            journal: [
                .recognizerCall(recognizer: 1, .began, touch: 0), .recognizerCall(recognizer: 1, .ended, touch: 0),
                .recognizerCall(recognizer: 1, .moved, touch: 0),
            ]),
        Broken(
            law: .listening, how: "after it has failed",
            journal: [
                .recognizerCall(recognizer: 1, .began, touch: 0),
                .stateChanged(recognizer: 1, from: .possible, to: .failed),
                .recognizerCall(recognizer: 1, .moved, touch: 0),
            ]),
        Broken(
            law: .states, how: "possible to changed",
            journal: [.stateChanged(recognizer: 1, from: .possible, to: .changed)]),
        Broken(
            law: .states, how: "failed to began",
            journal: [
                .stateChanged(recognizer: 1, from: .possible, to: .failed),
                .stateChanged(recognizer: 1, from: .failed, to: .began),
            ]),
        Broken(
            law: .states, how: "from a state it was not in",
            journal: [.stateChanged(recognizer: 1, from: .began, to: .ended)]),
        Broken(
            law: .states, how: "failed after acting",
            journal: [began, acts(1, .began), .stateChanged(recognizer: 1, from: .began, to: .failed)]),
        Broken(
            law: .states, how: "ended, not said, cancelled",
            journal: [
                .stateChanged(recognizer: 1, from: .possible, to: .ended),
                .stateChanged(recognizer: 1, from: .ended, to: .cancelled),
            ]),
        Broken(law: .resets, how: "while begun", journal: [began, .reset(recognizer: 1)]),
        Broken(
            law: .resets, how: "twice",
            journal: [
                .stateChanged(recognizer: 1, from: .possible, to: .failed), .reset(recognizer: 1),
                .reset(recognizer: 1),
            ]),
        Broken(
            law: .resets, how: "not at all",
            journal: [
                .stateChanged(recognizer: 1, from: .possible, to: .failed),
                .stateChanged(recognizer: 1, from: .failed, to: .possible),
            ]),
        Broken(law: .acting, how: "while possible", journal: [acts(1, .possible)]),
        Broken(
            law: .acting, how: "while failed",
            journal: [.stateChanged(recognizer: 1, from: .possible, to: .failed), acts(1, .failed)]),
        Broken(
            law: .acting, how: "twice when ended",
            journal: [.stateChanged(recognizer: 1, from: .possible, to: .ended), acts(1, .ended), acts(1, .ended)]),
        Broken(
            law: .acting, how: "cancelled, having said nothing",
            journal: [began, .stateChanged(recognizer: 1, from: .began, to: .cancelled), acts(1, .cancelled)]),
        Broken(law: .acting, how: "in a state it is not in", journal: [began, acts(1, .ended)]),
        Broken(
            law: .exclusion, how: "the loser acts later",
            journal: [
                .recognizerCall(recognizer: 1, .began, touch: 0), .recognizerCall(recognizer: 2, .began, touch: 0),
                began, acts(1, .began, excludes: [2]), .stateChanged(recognizer: 2, from: .possible, to: .ended),
                acts(2, .ended),
            ]),
        Broken(
            law: .exclusion, how: "one joins what another has won",
            journal: [
                .recognizerCall(recognizer: 1, .began, touch: 0), began, acts(1, .began),
                .recognizerCall(recognizer: 2, .began, touch: 1),
                .stateChanged(recognizer: 2, from: .possible, to: .began),
                acts(2, .began, excludedBy: [1]),
            ]),
        Broken(
            law: .requirements, how: "its requirement is possible still",
            journal: [began, acts(1, .began, waitsFor: [2])]),
        Broken(
            law: .taking, how: "moved after it was taken",
            journal: [
                heard(.began), .recognizerCall(recognizer: 1, .began, touch: 0), began,
                acts(1, .began, touches: [0], cancels: true), heard(.moved),
            ]),
        Broken(law: .quiet, how: "one at work", journal: [leftovers { $0.isEnvironmentIdle = false }]),
        Broken(law: .quiet, how: "a touch", journal: [leftovers { $0.liveTouches = [4] }]),
        Broken(law: .quiet, how: "a timer", journal: [leftovers { $0.timers = 1 }]),
        Broken(law: .quiet, how: "a recognizer not possible", journal: [leftovers { $0.busyRecognizers = [1] }]),
        Broken(law: .quiet, how: "a control that tracks", journal: [leftovers { $0.busyViews = [1] }]),
    ]

    @Test("a journal that breaks one monkey law breaks no other", arguments: broken)
    func mutants(_ mutant: Broken) {
        let laws = MonkeyLaws.violations(in: mutant.journal).map(\.law)
        #expect(laws.first == mutant.law)
        #expect(Set(laws) == [mutant.law])
    }

    @Test("each monkey law except repetition has a journal that breaks it")
    func noneIsMissing() {
        let broken = Set(Self.broken.map(\.law))
        #expect(MonkeyLaw.allCases.filter { !broken.contains($0) } == [.repetition])
    }

    @Test("recognizers that do not exclude each other may act together")
    func allowed() {
        let journal: [JournalEntry] = [
            .recognizerCall(recognizer: 1, .began, touch: 0), .recognizerCall(recognizer: 2, .began, touch: 0),
            Self.began,
            Self.acts(1, .began), .stateChanged(recognizer: 2, from: .possible, to: .ended), Self.acts(2, .ended),
        ]
        #expect(MonkeyLaws.violations(in: journal) == [])
    }

    @Test("two runs that differ in one line break the law of repetition")
    func repetition() {
        let world = MonkeyWorld(seed: 1, events: 20)
        let (first, second) = (world.play(), world.play())
        #expect(first.difference(from: second) == nil)
        var other = second
        other.facts.removeLast()
        #expect(first.difference(from: other)?.law == .repetition)
        other = second
        other.journal.swapAt(0, other.journal.count - 1)
        #expect(first.difference(from: other)?.law == .repetition)
    }
}
