// TestPhone+Reports.swift: what happened to a touch, and why.
//
//     facts of server and app ─▶ lines of a trace
//                             └▶ Explain ─▶ one receipt for each finger or key
//
// Sources   invented

import Basics
import Explain
import Simulator
import Trace
public import UIKit

extension TestPhone {
    /// What the processes did, a line for each fact, with the milliseconds since the phone was made:
    /// `app1             80.000 ms  gesture    tap on UIView "card" ended`.
    public var trace: [String] { text(lines) }

    /// The trace since a gesture began.
    public func trace(since gesture: PlayedGesture) -> [String] {
        text(lines.filter { $0.at >= gesture.began })
    }

    private func text(_ trace: [TraceLine]) -> [String] {
        trace.map { line in
            let space = String(repeating: " ", count: max(0, 13 - line.process.count))
            return line.process + space + line.text(since: Self.zero)
        }
    }

    /// Returns the receipt of a gesture: for each finger or key the view that it hit, what became of each recognizer, the
    /// actions that were sent, and the one cause of the outcome.
    ///
    ///     finger 1 at 187.5,333.5, down for 80.000 ms: app1, UIView "card" in UIWindow
    ///       tap on UIView "card"  acted: ended
    ///       tap on UIView "card" → CardViewController.open
    ///       so: tap on UIView "card" was recognized, ended: CardViewController.open
    public func receipt(of gesture: PlayedGesture) -> String {
        text(of: interactions.filter { $0.began >= gesture.began && $0.began <= gesture.ended })
    }

    /// Returns the receipts of all fingers that landed on a view, oldest first. Without one: what takes a touch at its
    /// center.
    ///
    /// Facts name a view by its class and identifier, so views need identifiers of their own.
    public func explain(_ view: UIView) -> String {
        let label = view.traceLabel
        let own = interactions.filter { $0.hit.view == label }
        guard own.isEmpty else { return text(of: own) }
        guard isRunning else { return "no finger landed on \(label): \(PhoneError.notRunning)" }
        guard let obstacle = obstacle(to: view) else {
            return "no finger landed on \(label); a touch at its center would"
        }
        return "no finger landed on \(label): \(obstacle)"
    }

    private var interactions: [Interaction] {
        var explain = Explain()
        for fact in facts { explain.add(fact) }
        return Array(explain.interactions)
    }

    private func text(of interactions: [Interaction]) -> String {
        interactions.flatMap(\.lines).joined(separator: "\n")
    }
}
