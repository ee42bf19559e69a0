// Shrinking.swift: the search for a smaller world with the same failure.
//
// Input     a world and a closure that tells whether it fails
// Output    omissions, which have a text: `touchline monkey worlds --seed 4711 --without v2,g0,s3,s4`
// Knows     the elements of a world. No view.
//
// A smaller world is its seed with a list of omissions. Large parts are tried first: stretches of the script, then
// recognizers, views, relations and hooks, then single acts, pauses and the order. The search repeats until nothing
// more can be left out.
//
// Sources   invented

import UIKit

/// One element that is left out of a world.
package enum MonkeyOmission: Hashable, Sendable, CustomStringConvertible {
    case view(Int), recognizer(Int), relation(Int), hook(Int), step(Int)
    case act(step: Int, Int)
    /// The pause before a step becomes that of a display frame.
    case pause(Int)
    /// The order becomes the deterministic one.
    case disorder

    package var description: String {
        switch self {
        case .view(let index): "v\(index)"
        case .recognizer(let index): "g\(index)"
        case .relation(let index): "r\(index)"
        case .hook(let index): "h\(index)"
        case .step(let index): "s\(index)"
        case .act(let step, let index): "a\(step).\(index)"
        case .pause(let index): "p\(index)"
        case .disorder: "order"
        }
    }

    /// The reverse of `description`.
    package init?(_ text: some StringProtocol) {
        if text == "order" {
            self = .disorder
            return
        }
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        switch (text.first, numbers.count, numbers.first ?? nil, numbers.last ?? nil) {
        case ("v", 1, let index?, _) where index > 0: self = .view(index)
        case ("g", 1, let index?, _): self = .recognizer(index)
        case ("r", 1, let index?, _): self = .relation(index)
        case ("h", 1, let index?, _): self = .hook(index)
        case ("s", 1, let index?, _): self = .step(index)
        case ("p", 1, let index?, _): self = .pause(index)
        case ("a", 2, let step?, let index?): self = .act(step: step, index)
        default: return nil
        }
    }
}

extension MonkeyWorld {
    /// Returns the world without these elements.
    package func omitting(_ omissions: Set<MonkeyOmission>) -> MonkeyWorld {
        guard !omissions.isEmpty else { return self }
        var world = self
        for index in views.indices where omissions.contains(.view(index)) { world.views[index].isAbsent = true }
        for index in recognizers.indices where omissions.contains(.recognizer(index)) {
            world.recognizers[index].isAbsent = true
        }
        world.relations = relations.indices.filter { !omissions.contains(.relation($0)) }.map { relations[$0] }
        world.hooks = hooks.indices.filter { !omissions.contains(.hook($0)) }.map { hooks[$0] }
        world.script = []
        for (index, step) in script.enumerated() where !omissions.contains(.step(index)) {
            var kept = step
            kept.acts = step.acts.indices.filter { !omissions.contains(.act(step: index, $0)) }.map { step.acts[$0] }
            if omissions.contains(.pause(index)) { kept.milliseconds = 16 }
            world.script.append(kept)
        }
        if omissions.contains(.disorder) { world.disorder = nil }
        return world
    }

    /// All possible omissions, by kind, in the order in which they are tried.
    private var omissions: [[MonkeyOmission]] {
        [
            script.indices.map { .step($0) }, recognizers.indices.map { .recognizer($0) },
            views.indices.dropFirst().map { .view($0) }, relations.indices.map { .relation($0) },
            hooks.indices.map { .hook($0) },
            script.indices.flatMap { step in script[step].acts.indices.map { .act(step: step, $0) } },
            script.indices.filter { script[$0].milliseconds != 16 }.map { .pause($0) },
            disorder == nil ? [] : [.disorder],
        ]
    }

    /// Searches for omissions with which the world still fails.
    ///
    /// - Parameters:
    ///   - start: The omissions with which the search begins.
    ///   - limit: The greatest number of worlds to try.
    ///   - fails: Whether the world with these omissions still fails.
    /// - Returns: The omissions of the smallest failing world that was found.
    package func shrunk(
        from start: Set<MonkeyOmission> = [], limit: Int = 2000, while fails: (Set<MonkeyOmission>) -> Bool
    ) -> Set<MonkeyOmission> {
        var gone = start
        var tries = 0
        var isSmaller = true
        while isSmaller, tries < limit {
            isSmaller = false
            for kind in omissions {
                var size = max(1, kind.count / 2)
                while tries < limit {
                    var rest = kind.filter { !gone.contains($0) && isWorthTrying($0, without: gone) }[...]
                    while !rest.isEmpty, tries < limit {
                        let some = rest.prefix(size)
                        rest = rest.dropFirst(size)
                        tries += 1
                        guard fails(gone.union(some)) else { continue }
                        gone.formUnion(some)
                        isSmaller = true
                    }
                    if size == 1 { break }
                    size = max(1, size / 2)
                }
            }
        }
        return gone
    }

    /// Whether the omission has an effect: the parts of an omitted step are omitted already.
    private func isWorthTrying(_ omission: MonkeyOmission, without gone: Set<MonkeyOmission>) -> Bool {
        switch omission {
        case .act(let step, _), .pause(let step): !gone.contains(.step(step))
        case .view, .recognizer, .relation, .hook, .step, .disorder: true
        }
    }
}
