// WindowDeclaration.swift: the app's windows as declared to the server, and the changes that are still to be declared.
//
// Station   process
// Input     AppCore: the windows after each turn, the server's acknowledgements, a timer
// Output    declarations for the server, to AppCore
// Knows     the windows it has declared. No link.
//
//     silent ──link open──▶ everything ──changes──▶ changes … ──no acknowledgement in time──▶ everything, again
//
// The app declares nothing while nothing changes. A link may lose a declaration or its acknowledgement. So all windows
// are declared again until the server returns the number of the last declaration.
//
// Sources   invented, after fault F15

import Basics
import Foundation
import UIKit
import Wire

/// The declaration of an app's windows to the server.
struct WindowDeclaration: Sendable {
    /// The longest wait for the acknowledgement of a declaration.
    static let acknowledgementWaitLimit = Duration.milliseconds(100)
    /// The largest number of windows that the server accepts.
    static let limit = 10_000

    /// The windows as last declared, back to front.
    private var declared: [SceneWindow] = []
    private var number: UInt32 = 0
    private var acknowledged: UInt32 = 0
    private var declaresAll = true

    /// Whether the last declaration is not acknowledged.
    var isUnacknowledged: Bool { number != acknowledged }

    /// Starts again for a new link, whose server knows no window.
    mutating func begin() { (declared, declaresAll) = ([], true) }

    /// Records that the server has acknowledged this number.
    mutating func acknowledge(_ number: UInt32) { acknowledged = number }

    /// The declarations that are due, in order; empty if nothing has changed.
    ///
    /// - Parameter isOverdue: Whether the acknowledgement of the last declaration is overdue.
    mutating func changes(to windows: [SceneWindow], isOverdue: Bool) -> [WindowsDiff] {
        let isWhole = declaresAll || (isOverdue && isUnacknowledged)
        guard isWhole || windows != declared else { return [] }
        var changes: [WindowChange] = []
        if !isWhole {
            for old in declared where !windows.contains(where: { $0.id == old.id }) { changes.append(.remove(old.id)) }
        }
        for window in windows where isWhole || !declared.contains(window) { changes.append(.set(window)) }
        (declared, declaresAll) = (windows, false)
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
    /// The windows for the server, back to front. If there are more than it accepts, the frontmost ones.
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
    /// Converts a value, with zero for NaN. An app may compute NaN, which the server would refuse.
    fileprivate init(orZero value: CGFloat) { self = value.isNaN ? .zero : Fixed(Double(value)) }
}
