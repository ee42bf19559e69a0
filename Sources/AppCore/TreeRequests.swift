// TreeRequests.swift: the app's view tree or report in pages, for the commands that ask for it.
//
//     observe: tree, from 0 ─▶ one walk, kept as lines ─▶ first page
//     observe: tree, from n ─▶ the kept lines from n on ─▶ next page … the last page forgets the lines
//
// Station   process
// Input     AppCore: observations of the kinds `tree`, `touchTargets` and `report`
// Output    pages of lines (ViewTree+Lines.swift)
// Knows     lines, and the number of the observer for whom they are kept. The walk belongs to UIKit.
//
// All pages of one tree are of one moment. An app without a request makes no tree.
//
// Sources   invented

import UIKit
package import ViewTrees
import Wire

/// The trees whose pages have not all been sent.
struct TreeRequests {
    private var kept: [(id: UInt32, lines: [String])] = []

    /// Trees that are kept at once: each observer has one.
    private static let limit = 4

    /// Returns the page that an observation asks for.
    ///
    /// A page without lines means that the app has no tree with such a line: the observer begins again.
    mutating func page(for observation: Observation, from peer: Peer, lines: () -> [String]) -> FactPage {
        var page = FactPage(answering: observation, from: peer)
        if observation.from == 0 {
            kept.removeAll { $0.id == observation.id }
            kept.append((observation.id, lines()))
            if kept.count > Self.limit { kept.removeFirst() }
        }
        guard let index = kept.firstIndex(where: { $0.id == observation.id }),
            let first = Int(exactly: observation.from), first < kept[index].lines.count
        else { return page }
        for line in kept[index].lines[first...] {
            guard page.append(line: line) else {
                page.hasMore = true
                return page
            }
        }
        kept.remove(at: index)
        return page
    }

    /// Forgets the tree of an observer that has ended.
    mutating func forget(_ id: UInt32) { kept.removeAll { $0.id == id } }
}

extension AppCore {
    /// The shown windows of the app with their views.
    ///
    /// - Parameter touchTargets: Whether views with an identifier get the position at which a touch would reach them.
    package func viewTree(touchTargets: Bool = false) -> ViewTree {
        UIApplication.run(as: application) { application.viewTree(touchTargets: touchTargets) }
    }
}
