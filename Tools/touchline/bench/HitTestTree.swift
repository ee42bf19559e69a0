// HitTestTree.swift: trees of views of any size, for the rigs of hit tests and of dispatch.

import Basics
import Foundation
import UIKit

/// A tree of views.
enum HitTestTree: String, CaseIterable {
    case nested, flat, grid, random

    /// The greatest number of views. The walk of a nested tree calls itself for each view.
    var limit: Int { self == .nested ? 10_000 : 1_000_000 }
}

extension HitTestTree {
    /// Adds views to a window.
    ///
    /// - Returns: The views, each after its superview.
    func grow(_ count: Int, in window: UIWindow, seed: UInt64) -> [UIView] {
        switch self {
        case .nested: return nest(count, in: window)
        case .flat: return tile(count, in: window)
        case .grid:
            let sections = max(1, count / 101)
            return tile(sections, in: window).flatMap { [$0] + tile(100, in: $0) }
        case .random:
            var chance = SeededGenerator(seed: seed)
            var views: [UIView] = []
            for _ in 0..<count {
                let parent =
                    views.isEmpty || chance.next() % 4 == 0
                    ? window : views[Int(chance.next() % UInt64(min(views.count, 100)))]
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
    private func nest(_ count: Int, in window: UIWindow) -> [UIView] {
        let size = window.bounds.size
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
    private func tile(_ count: Int, in parent: UIView) -> [UIView] {
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
}
