// LoopModes.swift: the modes of the main loop: Apple's names, the numbers behind them, and which mode is on top.
//
// Station   loop
// Input     MainLoop: modes that UIKit pushes and pops, modes of timers and blocks
// Output    numbers for RunLoops
// Knows     names. No loop.

import Foundation
import RunLoops
import UIKit

struct LoopModes {
    /// Modes that an app invented, by number from 2.
    private var invented: [Foundation.RunLoop.Mode] = []
    /// The last one is on top: the loop runs in it. The first is the one the app lives in.
    private var stack: [Mode] = [.standard]

    var current: Mode { stack.last! }
    var isPushed: Bool { stack.count > 1 }

    /// The name of the mode on top.
    var name: Foundation.RunLoop.Mode {
        switch current {
        case .standard: .default
        case .tracking: .tracking
        case let other: invented[Int(other.index) - 2]
        }
    }

    /// The word of the mode on top in the conformance language.
    var word: String {
        switch current {
        case .standard: "default"
        case .tracking: "tracking"
        default: name.rawValue
        }
    }

    mutating func push(_ mode: Foundation.RunLoop.Mode) { stack.append(number(of: mode)) }

    /// - Returns: False if the mode is not on the stack, or is the one the app lives in.
    mutating func pop(_ mode: Foundation.RunLoop.Mode) -> Bool {
        let number = number(of: mode)
        guard let index = stack.lastIndex(of: number), index > 0 else { return false }
        stack.remove(at: index)
        return true
    }

    /// The number of a mode; a name that is new gets the next one.
    mutating func number(of mode: Foundation.RunLoop.Mode) -> Mode {
        if mode == .default { return .standard }
        if mode == .tracking { return .tracking }
        if let known = invented.firstIndex(of: mode) { return Mode(index: UInt8(known + 2)) }
        invented.append(mode)
        return Mode(index: UInt8(invented.count + 1))
    }

    mutating func set(_ modes: [Foundation.RunLoop.Mode]) -> ModeSet {
        var set = ModeSet()
        for mode in modes { set.insert(mode == .common ? .common : ModeSet(number(of: mode))) }
        return set
    }
}
