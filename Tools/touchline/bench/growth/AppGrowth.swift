// AppGrowth.swift: the cost of a hit test and of an event in one app: by views and by recognizers.
//
//     views         beside each other (flat) and in one another (nested), without recognizers
//     recognizers   on one view, half of them taps and half pans
//
// The rigs are those of `bench hit-test` and `bench dispatch`.

import Foundation

/// The measurement of one app in this process.
struct AppGrowth: ~Copyable {
    let repeats: Int
    /// The duration of each repeat.
    let seconds: Double
    /// Nil to count no instructions.
    let callgrind: Callgrind?
    /// The greatest tree whose instructions are counted. Callgrind takes a minute for 100,000 views beside each other, and
    /// four for 10,000 in one another, which are added one after the other to a tree that is deeper each time.
    private static func instructionLimit(_ tree: HitTestTree) -> Int { tree == .nested ? 1000 : 10_000 }

    static let trees = [HitTestTree.flat, .nested]

    init(repeats: Int, seconds: Double, callgrind: consuming Callgrind?) {
        (self.repeats, self.seconds) = (repeats, seconds)
        self.callgrind = callgrind
    }

    // MARK: Views

    /// Measures trees of these sizes.
    ///
    /// - Parameter show: Receives the progress.
    borrowing func byViews(_ counts: [Int], show: (String) -> Void) throws -> [BenchFigure] {
        var figures: [BenchFigure] = []
        for tree in Self.trees {
            for count in counts where count <= tree.limit {
                let label = "\(count) views, \(tree.rawValue)"
                show(label)
                let name = "views-\(tree.rawValue)-\(count)"
                figures += hitTests(tree, count, name)
                let load = DispatchLoad.views(tree, count)
                for gesture in [DispatchGesture.moved, .tap] {
                    figures.append(time(gesture, load, name) { show(label) })
                }
                guard count <= Self.instructionLimit(tree), callgrind != nil else { continue }
                show("\(label), instructions")
                if let count = try callgrind?.instructions(
                    ofHitTestIn: tree, views: count, meanwhile: { show("\(label), instructions") })
                {
                    figures.append(Self.figure(name, "hit-test-instructions", "count", [count]))
                }
                for gesture in [DispatchGesture.moved, .tap] {
                    figures += try instructions(gesture, load, name) { show("\(label), instructions") }
                }
            }
        }
        return figures
    }

    /// The names of HitTestRig's metrics here.
    private static let hitTestMetrics = [
        "test": "hit-test", "walk": "walk", "move": "index-move", "build": "index-build", "memory": "index-memory",
    ]

    private borrowing func hitTests(_ tree: HitTestTree, _ count: Int, _ name: String) -> [BenchFigure] {
        let rig = HitTestRig(tree, count: count, seed: 1)
        return rig.measure(repeats: repeats, seconds: seconds).map { metric, unit, values in
            Self.figure(name, Self.hitTestMetrics[metric] ?? metric, unit, values)
        }
    }

    // MARK: Recognizers

    /// Measures one view with these numbers of recognizers.
    borrowing func byRecognizers(_ counts: [Int], show: (String) -> Void) throws -> [BenchFigure] {
        var figures: [BenchFigure] = []
        for count in counts {
            let label = "\(count) \(count == 1 ? "recognizer" : "recognizers")"
            let (load, name) = (DispatchLoad.recognizers(count), "recognizers-\(count)")
            for gesture in DispatchGesture.allCases {
                figures.append(time(gesture, load, name) { show(label) })
                figures += try instructions(gesture, load, name) { show("\(label), instructions") }
            }
        }
        return figures
    }

    // MARK: One figure

    private borrowing func time(
        _ gesture: DispatchGesture, _ load: DispatchLoad, _ name: String, meanwhile: () -> Void
    ) -> BenchFigure {
        let rig = DispatchRig(load, isTraced: false)
        let (repeats, seconds) = (repeats, seconds)
        let measured = rig.run { rig.measure(gesture, repeats: repeats, seconds: seconds, meanwhile: meanwhile) }
        return Self.figure(name, gesture.rawValue, "ns", measured.times)
    }

    /// Empty without callgrind.
    private borrowing func instructions(
        _ gesture: DispatchGesture, _ load: DispatchLoad, _ name: String, meanwhile: () -> Void
    ) throws -> [BenchFigure] {
        guard let count = try callgrind?.instructions(of: gesture, on: load, meanwhile: meanwhile) else { return [] }
        return [Self.figure(name, "\(gesture.rawValue)-instructions", "count", [count])]
    }

    private static func figure(_ name: String, _ metric: String, _ unit: String, _ values: [Double]) -> BenchFigure {
        BenchFigure(group: GrowthCost.group, name: name, metric: metric, unit: unit, values: values)
    }
}
