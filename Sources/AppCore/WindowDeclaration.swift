// WindowDeclaration.swift: what the server has been told of the app's windows, and what it has yet to be told.
//
// Station   process
// Fed by    AppCore: the windows as they are after each turn, what the server says it has heard, a timer
// Feeds     AppCore: declarations for the server
// Knows     the windows it has declared. No link.
//
//     silent ──link open──▶ everything ──changes──▶ changes … ──not heard in time──▶ everything, again
//
// Nothing is said while nothing changes. A link may lose a declaration, or the word that it was heard: so the last is
// repeated, whole, until the server names its number.
//
// Sources   invented, after fault F15

import Basics
import Foundation
import UIKit
import Wire

struct WindowDeclaration: Sendable {
    /// How long the server may take to name a declaration's number.
    static let patience = Duration.milliseconds(100)
    /// As many as the server takes.
    static let limit = 10_000

    /// As last declared, back to front.
    private var declared: [SceneWindow] = []
    private var number: UInt32 = 0
    private var heard: UInt32 = 0
    private var isVoid = true

    /// Whether the server has yet to name the last one.
    var isUnheard: Bool { number != heard }

    /// The server knows nothing: its link is new.
    mutating func begin() { (declared, isVoid) = ([], true) }

    /// The server has named this number.
    mutating func hears(_ number: UInt32) { heard = number }

    /// - Parameter isLate: The last one has not been heard for too long.
    /// - Returns: What to say, in order; nothing when nothing has changed.
    mutating func changes(to windows: [SceneWindow], isLate: Bool) -> [WindowsDiff] {
        let isWhole = isVoid || (isLate && isUnheard)
        guard isWhole || windows != declared else { return [] }
        var changes: [WindowChange] = []
        if !isWhole {
            for old in declared where !windows.contains(where: { $0.id == old.id }) { changes.append(.remove(old.id)) }
        }
        for window in windows where isWhole || !declared.contains(window) { changes.append(.put(window)) }
        (declared, isVoid) = (windows, false)
        var diffs: [WindowsDiff] = []
        repeat {
            number &+= 1
            let part = changes.prefix(WindowsDiff.changeLimit)
            changes.removeFirst(part.count)
            diffs.append(WindowsDiff(number: number, isWhole: isWhole && diffs.isEmpty, changes: Array(part)))
        } while !changes.isEmpty
        return diffs
    }
}

extension UIApplication {
    /// Back to front, as the server is to know them; of more than it takes, those in front.
    var sceneWindows: [SceneWindow] {
        let edges = UInt8(deferredEdges.rawValue)
        return windows.suffix(WindowDeclaration.limit).enumerated().map { order, window in
            let frame = window.frame
            return SceneWindow(
                id: window.number,
                frame: Rect(
                    x: Fixed(orZero: frame.origin.x), y: Fixed(orZero: frame.origin.y),
                    width: max(.zero, Fixed(orZero: frame.size.width)),
                    height: max(.zero, Fixed(orZero: frame.size.height))),
                level: Fixed(orZero: window.windowLevel.rawValue), order: UInt32(clamping: order),
                isHidden: window.isHidden, takesTouches: window.isUserInteractionEnabled && window.alpha >= 0.01,
                isSecure: window.isSecure, deferredEdges: edges)
        }
    }
}

extension Fixed {
    /// An app may well compute what is no number; the server would not take it.
    fileprivate init(orZero value: CGFloat) { self = value.isNaN ? .zero : Fixed(Double(value)) }
}
