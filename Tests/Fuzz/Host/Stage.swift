// Stage.swift: one core whose peers are played by an input's bytes.
//
// The first byte chooses the mode; the following bytes are events, one after another. Between legal peers every law that
// one core can keep must hold. With illegal peers the core may do anything but trap, and must work with the legal peers
// that come afterwards.

import Basics
import FuzzDriver
import Hosting

public protocol Stage {
    associatedtype Core: ProcessCore
    var host: CoreHost<Core> { get set }

    init(how: UInt8)
    /// Handles an effect that is not for the host.
    mutating func take(_ effect: Effect)
}

extension Stage {
    public var now: Instant { host.now }

    public mutating func give(_ input: Input) {
        for effect in host.answer(input) { take(effect) }
    }

    /// Advances the time and fires timers when they are due, as a host does.
    ///
    /// - Parameter patience: The number of timers that fire; the others are late.
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

/// A core whose peers may be illegal.
public protocol ServedStage: Stage {
    /// Whether all peers are legal, so that the laws must hold.
    var isLegal: Bool { get }

    mutating func playLegal(_ choices: inout Choices)
    mutating func playAnything(_ choices: inout Choices)
    /// Replaces all illegal peers by legal ones.
    mutating func beginAnew()
    /// Ends everything that was begun; then the core owes no answer.
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
