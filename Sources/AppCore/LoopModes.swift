// LoopModes.swift: the modes of the main loop: Apple's names, the numbers of RunLoops, and the stack of pushed modes.
//
// Station   loop
// Input     MainLoop: modes that UIKit pushes and pops, modes of timers and blocks
// Output    numbers for RunLoops
// Knows     names. No loop.
//
// Sources   Docs/Spec/Semantics.md C4

import Foundation
import RunLoops
import UIKit

/// The modes of one main loop.
struct LoopModes {
    /// The modes with an app's own names, by number from 2.
    private var invented: [Foundation.RunLoop.Mode] = []
    /// The stack of modes. The loop runs in the last one; the first one is never removed.
    private var stack: [Mode] = [.standard]

    var current: Mode { stack.last! }
    var isPushed: Bool { stack.count > 1 }

    /// The name of the current mode.
    var name: Foundation.RunLoop.Mode {
        switch current {
        case .standard: .default
        case .tracking: .tracking
        case let other: invented[Int(other.index) - 2]
        }
    }

    /// The name of the current mode in the conformance language.
    var conformanceName: String {
        switch current {
        case .standard: "default"
        case .tracking: "tracking"
        default: name.rawValue
        }
    }

    mutating func push(_ mode: Foundation.RunLoop.Mode) { stack.append(number(of: mode)) }

    /// Removes the topmost entry of the mode.
    ///
    /// - Returns: False if the mode is not on the stack, or is its first entry.
    mutating func pop(_ mode: Foundation.RunLoop.Mode) -> Bool {
        let number = number(of: mode)
        guard let index = stack.lastIndex(of: number), index > 0 else { return false }
        stack.remove(at: index)
        return true
    }

    /// The number of a mode. A new name gets the next number.
    mutating func number(of mode: Foundation.RunLoop.Mode) -> Mode {
        if mode == .default { return .standard }
        if mode == .tracking { return .tracking }
        if let known = invented.firstIndex(of: mode) { return Mode(index: UInt8(known + 2)) }
        invented.append(mode)
        return Mode(index: UInt8(invented.count + 1))
    }

    /// The mode set of RunLoops for modes by name.
    mutating func set(_ modes: [Foundation.RunLoop.Mode]) -> ModeSet {
        var set = ModeSet()
        for mode in modes { set.insert(mode == .common ? .common : ModeSet(number(of: mode))) }
        return set
    }
}
