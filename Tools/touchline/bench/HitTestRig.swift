// HitTestRig.swift: two windows with the same tree of views, of which one has an index for hit tests, and points in them.

import Basics
import CSystem
import Foundation
import Trace
import UIKit

/// A tree of views.
enum HitTestTree: String, CaseIterable {
    case nested, flat, grid, random

    /// The greatest number of views. The walk of a nested tree calls itself for each view.
    var limit: Int { self == .nested ? 10_000 : 1_000_000 }
}

/// A tree of views for hit tests.
final class HitTestRig {
    private struct Stage {
        let application: UIApplication
        let window: UIWindow
        var views: [UIView] = []
    }

    private var indexed: Stage
    private var walking: Stage
    private let points: [CGPoint]

    private static let size = CGSize(width: 1024, height: 1366)

    init(_ tree: HitTestTree, count: Int, seed: UInt64) {
        indexed = Self.stage(.always)
        walking = Self.stage(.never)
        indexed.views = Self.grow(tree, count, in: indexed, seed)
        walking.views = Self.grow(tree, count, in: walking, seed)
        var chance = SeededGenerator(seed: seed &+ 1)
        points = (0..<1024).map { _ in
            // As positions of touches: multiples of 2^-16 points.
            CGPoint(
                x: Double(chance.next() % (1024 << 16)) / 65536, y: Double(chance.next() % (1366 << 16)) / 65536)
        }
    }

    private static func stage(_ policy: HitIndexPolicy) -> Stage {
        var settings = UIKitSettings()
        settings.hitIndex = policy
        let application = UIApplication(settings: settings)
        application.trace.isEnabled = false
        let window = UIApplication.run(as: application) {
            let window = UIWindow(frame: CGRect(origin: .zero, size: size))
            window.isHidden = false
            return window
        }
        return Stage(application: application, window: window)
    }

    // MARK: Trees

    private static func grow(_ tree: HitTestTree, _ count: Int, in stage: Stage, _ seed: UInt64) -> [UIView] {
        switch tree {
        case .nested: return nest(count, in: stage.window)
        case .flat: return tile(count, in: stage.window)
        case .grid:
            let sections = max(1, count / 101)
            return tile(sections, in: stage.window).flatMap { [$0] + tile(100, in: $0) }
        case .random:
            var chance = SeededGenerator(seed: seed)
            var views: [UIView] = []
            for _ in 0..<count {
                let parent =
                    views.isEmpty || chance.next() % 4 == 0
                    ? stage.window : views[Int(chance.next() % UInt64(min(views.count, 100)))]
                let edge = 2 * Double(sign: .plus, exponent: Int(chance.next() % 8), significand: 1)
                let size = CGSize(width: edge, height: edge * Double(1 + chance.next() % 3) / 2)
                let view = UIView(
                    frame: CGRect(
                        x: Double(chance.next() % UInt64(max(1, parent.bounds.width))),
                        y: Double(chance.next() % UInt64(max(1, parent.bounds.height))), width: size.width,
                        height: size.height))
                parent.addSubview(view)
                views.append(view)
            }
            return views
        }
    }

    /// Views in one another, of which the last one has half the window's width and height.
    private static func nest(_ count: Int, in window: UIWindow) -> [UIView] {
        let step = CGSize(width: size.width / 4 / CGFloat(count), height: size.height / 4 / CGFloat(count))
        var views: [UIView] = []
        for _ in 0..<count {
            let parent = views.last ?? window
            let view = UIView(frame: parent.bounds.insetBy(dx: step.width, dy: step.height))
            parent.addSubview(view)
            views.append(view)
        }
        return views
    }

    /// Views beside each other that fill their superview.
    private static func tile(_ count: Int, in parent: UIView) -> [UIView] {
        let columns = Int(Double(count).squareRoot().rounded(.up))
        let rows = (count + columns - 1) / columns
        let size = CGSize(width: parent.bounds.width / CGFloat(columns), height: parent.bounds.height / CGFloat(rows))
        return (0..<count).map { index in
            let view = UIView(
                frame: CGRect(
                    x: CGFloat(index % columns) * size.width, y: CGFloat(index / columns) * size.height,
                    width: size.width, height: size.height))
            parent.addSubview(view)
            return view
        }
    }

    // MARK: Measuring

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
            let view = leaves[leaves.startIndex + (index >> 1) & 15]
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
