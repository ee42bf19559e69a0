// Stage.swift: one core, and everybody else as an input's bytes play them.
//
// The first byte says how and for whom; those behind it what happens, one thing after another. Between honest peers
// every law is demanded that one core can keep. Among others it may do what it likes but trap, and must serve the
// honest who come afterwards.

import Basics
import FuzzDriver
import Hosting

public protocol Stage {
    associatedtype Core: ProcessCore
    var host: CoreHost<Core> { get set }

    init(how: UInt8)
    /// What the core asks of anybody but its host.
    mutating func take(_ effect: Effect)
}

extension Stage {
    public var now: Instant { host.now }

    public mutating func give(_ input: Input) {
        for effect in host.answer(input) { take(effect) }
    }

    /// Lets time pass, firing timers when they are due, as a host does.
    ///
    /// - Parameter patience: After so many timers the rest is late.
    public mutating func pass(_ duration: Duration, patience: Int) {
        let end = now.advanced(by: duration)
        var fired = 0
        while fired < patience, let timer = host.expireTimer(by: end) {
            fired += 1
            give(.timerFired(timer))
        }
        host.leap(to: end)
    }
}

/// A core whose peers may be anybody.
public protocol ServedStage: Stage {
    /// Whether all peers are honest, and the laws hold.
    var isLegal: Bool { get }

    mutating func playLegal(_ choices: inout Choices)
    mutating func playAnything(_ choices: inout Choices)
    /// Whoever misbehaved is gone, and everybody is honest from here.
    mutating func beginAnew()
    /// All that was begun is let end; then nobody waits for anything.
    mutating func comeToRest()
}

extension ServedStage {
    public static func run(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        var stage = Self(how: choices.byte())
        if stage.isLegal {
            while !choices.isAtEnd { stage.playLegal(&choices) }
        } else {
            while !choices.isAtEnd { stage.playAnything(&choices) }
            stage.beginAnew()
        }
        stage.comeToRest()
    }
}
