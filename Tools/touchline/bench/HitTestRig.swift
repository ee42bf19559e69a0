// HitTestRig.swift: two windows with the same tree of views, of which one has an index for hit tests, and points in them.

import Basics
import CSystem
import Foundation
import Trace
import UIKit

/// A tree of views for hit tests.
final class HitTestRig {
    private struct Stage {
        let application: UIApplication
        let window: UIWindow
        let views: [UIView]
    }

    private let indexed: Stage
    /// Made when it is needed: a callgrind run only counts the index.
    private lazy var walking = Self.stage(.never, tree, count, seed)
    private let points: [CGPoint]
    private let tree: HitTestTree
    private let count: Int
    private let seed: UInt64

    private static let size = CGSize(width: 1024, height: 1366)

    init(_ tree: HitTestTree, count: Int, seed: UInt64) {
        (self.tree, self.count, self.seed) = (tree, count, seed)
        indexed = Self.stage(.always, tree, count, seed)
        var chance = SeededGenerator(seed: seed &+ 1)
        points = (0..<Self.pointCount).map { _ in
            // As positions of touches: multiples of 2^-16 points.
            CGPoint(
                x: Double(chance.next() % (1024 << 16)) / 65536, y: Double(chance.next() % (1366 << 16)) / 65536)
        }
    }

    private static func stage(_ policy: HitIndexPolicy, _ tree: HitTestTree, _ count: Int, _ seed: UInt64) -> Stage {
        var settings = UIKitSettings()
        settings.hitIndex = policy
        let application = UIApplication(settings: settings)
        application.trace.isEnabled = false
        let window = UIApplication.run(as: application) {
            let window = UIWindow(frame: CGRect(origin: .zero, size: size))
            window.isHidden = false
            return window
        }
        return Stage(
            application: application, window: window, views: tree.grow(count, in: window, seed: seed))
    }

    // MARK: Measuring

    /// The metrics of `measure`.
    static let metrics = ["test", "walk", "move", "build", "memory"]

    func measure(repeats: Int, seconds: Double) -> [(metric: String, unit: String, values: [Double])] {
        var (tests, walks, moves, builds): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        _ = hitTests(1, in: indexed)
        let (testCount, walkCount) = (filling(seconds, in: indexed), filling(seconds, in: walking))
        let moveCount = max(16, min(100_000, Int(seconds * 1e6)))
        let buildCount = max(1, min(1000, Int(seconds * 2e7) / max(1, indexed.views.count)))
        for _ in 0..<repeats {
            tests.append(hitTests(testCount, in: indexed))
            walks.append(hitTests(walkCount, in: walking))
            moves.append(moveViews(moveCount) - (tests.last ?? 0))
            builds.append(build(buildCount) / Double(indexed.views.count))
            // The next repetition begins with an index that no move has worn.
            _ = build(1)
        }
        let memory = Double(indexed.window.hitIndexByteCount) / Double(indexed.views.count)
        return [
            ("test", "ns", tests), ("walk", "ns", walks), ("move", "ns", moves), ("build", "ns", builds),
            ("memory", "bytes", [memory]),
        ]
    }

    /// The number of points in which hit tests take turns.
    static let pointCount = 1024

    /// Makes hit tests with the index, and measures nothing.
    func play(_ count: Int) { _ = hitTests(count, in: indexed) }

    /// The nanoseconds of one hit test.
    private func hitTests(_ count: Int, in stage: Stage) -> Double {
        let (window, event) = (stage.window, stage.application.touchTracker.event)
        var found = 0
        let start = system_clock()
        for index in 0..<count where window.hitTest(points[index & 1023], with: event) != nil { found += 1 }
        let elapsed = system_clock() - start
        precondition(found == count, "the window was missed")
        return Double(elapsed) / Double(count)
    }

    /// The number of hit tests that fill the time.
    private func filling(_ seconds: Double, in stage: Stage) -> Int {
        var count = 8
        while count < 1 << 26 {
            let each = hitTests(count, in: stage)
            if each * Double(count) >= seconds * 5e8 { return max(1, Int(seconds * 1e9 / each)) }
            count *= 2
        }
        return count
    }

    /// The nanoseconds of one change of a frame with the hit test after it. Each view moves away and back.
    private func moveViews(_ count: Int) -> Double {
        let (window, event) = (indexed.window, indexed.application.touchTracker.event)
        // In a nested tree, a view moves the views in it: the last views are leaves in each tree.
        let leaves = indexed.views.suffix(16)
        let start = system_clock()
        for index in 0..<count {
            let view = leaves[leaves.startIndex + (index >> 1) % leaves.count]
            view.center.x += index & 1 == 0 ? 1 : -1
            _ = window.hitTest(points[index & 1023], with: event)
        }
        return Double(system_clock() - start) / Double(count)
    }

    /// The nanoseconds of a new index, with one hit test.
    private func build(_ count: Int) -> Double {
        guard let last = indexed.views.last else { return 0 }
        var elapsed: UInt64 = 0
        for _ in 0..<count {
            // A view that is hidden and shown ends the index.
            last.isHidden = true
            last.isHidden = false
            let start = system_clock()
            _ = indexed.window.hitTest(points[0], with: nil)
            elapsed += UInt64(system_clock() - start)
        }
        return Double(elapsed) / Double(count)
    }
}
