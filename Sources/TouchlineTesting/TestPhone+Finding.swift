// TestPhone+Finding.swift: views by target, and whether a touch would reach them.
//
//     target ─▶ shown windows, front to back, outermost view first ─▶ view ─▶ its center ─▶ hit test ─▶ point
//
// Sources   UIKit/Engine/Views/TouchObstacle.swift for the obstacles
//           invented    a gesture waits for its view, after XCUITest

import AppCore
import Basics
public import Foundation
public import UIKit
import ViewTrees

extension TestPhone {
    /// Returns the view of a target, after waiting for it at most `patience`.
    ///
    /// - Throws: `PhoneError.notFound` with the views that are shown; `ambiguous` if several views fit.
    public func find(_ target: Target) throws(PhoneError) -> UIView {
        guard isRunning else { throw .notRunning }
        advance(until: { !views(target).isEmpty })
        switch TargetChoice(among: views(target), isShown: { $0.concealment == nil }) {
        case .none:
            let views = allViews().filter { $0.concealment == nil }
            throw .notFound(target: "\(target)", shown: views.compactMap(\.searchDescription))
        case .one(let view): return view
        case .several(let views):
            if case .view(_, isFirst: true) = target.place { return views[0] }
            throw .ambiguous(target: "\(target)", found: views.map(\.traceLabel))
        }
    }

    /// Returns the view of a class, after waiting for it at most `patience`.
    ///
    /// - Parameter identifier: The view's `accessibilityIdentifier`; nil for any.
    /// - Throws: As `find(_:)`.
    public func find<View: UIView>(_ type: View.Type, _ identifier: String? = nil) throws(PhoneError) -> View {
        let name = identifier.map { "a \(type) \"\($0)\"" } ?? "a \(type)"
        let found = try find(
            .matching(name) { $0 is View && (identifier == nil || $0.accessibilityIdentifier == identifier) })
        guard let view = found as? View else { preconditionFailure("\(found) fits \(name)") }
        return view
    }

    /// Returns all views of a target that are shown now, frontmost window and outermost view first.
    public func findAll(_ target: Target) -> [UIView] { views(target).filter { $0.concealment == nil } }

    /// Returns the view that a touch at a point of the interface would reach; nil if none.
    public func hitTest(_ point: CGPoint) -> UIView? {
        guard isRunning else { return nil }
        let application = application
        return isTurning ? application.hitView(at: point) : run { application.hitView(at: point) }
    }

    // MARK: Searching

    private func allViews() -> [UIView] {
        guard isRunning else { return [] }
        return application.windows.reversed().flatMap { window in window.isHidden ? [] : window.withDescendants }
    }

    private func views(_ target: Target) -> [UIView] {
        guard case .view(let fits, _) = target.place else { return [] }
        let found = allViews().filter(fits)
        return target.containers.reduce(found) { found, container in
            let outside = views(container)
            return found.filter { view in outside.contains { $0 !== view && view.isDescendant(of: $0) } }
        }
    }

    // MARK: Places

    /// Returns a point of the interface that touches the target, after waiting until one does.
    ///
    /// - Parameter offset: A point in the view's coordinates; nil for its center.
    /// - Throws: `PhoneError` if no view fits, or a touch would not reach it.
    func place(of target: Target, at offset: CGPoint? = nil) throws(PhoneError) -> CGPoint {
        guard isRunning else { throw .notRunning }
        if case .point(let point) = target.place { return point }
        let view = try find(target)
        advance(until: { self.obstacle(to: view, at: offset) == nil })
        if let obstacle = obstacle(to: view, at: offset) {
            throw .notHittable(target: "\(target)", reason: obstacle)
        }
        return point(of: view, at: offset)
    }

    /// The point of the interface at an offset of a view, by default at its center.
    func point(of view: UIView, at offset: CGPoint? = nil) -> CGPoint {
        guard isRunning else { return offset ?? CGPoint(x: view.bounds.midX, y: view.bounds.midY) }
        return application.interfacePoint(of: view, at: offset)
    }

    /// Why a touch would not reach a view; nil if it would.
    func obstacle(to view: UIView, at offset: CGPoint? = nil) -> String? {
        let application = application
        return isTurning
            ? application.touchObstacle(to: view, at: offset)
            : run { application.touchObstacle(to: view, at: offset) }
    }
}

extension UIView {
    fileprivate var withDescendants: [UIView] { [self] + subviews.flatMap(\.withDescendants) }

    /// A line of a failed search; nil for a view that a test cannot name.
    fileprivate var searchDescription: String? {
        guard accessibilityIdentifier != nil || shownText != nil else { return nil }
        return traceLabel + (shownText.map { " with the text \"\($0)\"" } ?? "")
    }
}
