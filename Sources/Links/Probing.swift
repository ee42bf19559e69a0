// Probing.swift: when to ask the other end of a link how far it has heard us.
//
//     rest ──something unanswered──▶ waiting ──nothing heard for 100 ms──▶ probe ──nothing for 200 ms──▶ probe …
//
// The last frame before a rest has none behind it to show that it was lost, and so has its answer. So whoever waits for
// answers asks, more and more rarely while it hears nothing, because a peer that is stopped has to read them all.
//
// Sources   invented, after fault F6

public import Basics

public struct Probing: Sendable {
    /// How often whoever uses this looks whether it is time.
    public static let period = Duration.milliseconds(100)
    /// Between two probes that nothing came back for, at most.
    static let longest = Duration.milliseconds(1600)

    /// When an answer was last heard, or asked for.
    private var last = Instant.boot
    private var wait = Probing.period
    /// Numbers are missing from what was heard: there may have been answers among them.
    private var doubts = false

    public init() {}

    /// - Parameter isAnswer: Whether it answers something: what the other end says by itself, again and again, says nothing
    ///   of what it was asked.
    public mutating func heard(at now: Instant, missing: Bool, isAnswer: Bool = true) {
        if isAnswer { (last, wait) = (now, Self.period) }
        if missing { doubts = true }
    }

    /// Whether to ask now. Asked while something is unanswered; a yes is taken for done.
    public mutating func isDue(at now: Instant) -> Bool {
        guard doubts || now >= last.advanced(by: wait) else { return false }
        (last, wait, doubts) = (now, min(wait + wait, Self.longest), false)
        return true
    }
}
