// Script.swift: the events of a run loop as a value that both players can play.
//
// A script has items (sources, timers, observers) with lists of actions. The first call of an item runs its first list,
// the second call its second list, and later calls run nothing. The outside world acts in an observer that comes last
// before each wait, so that nothing depends on real time. When the world has no actions left, it stops the run. Both
// players write the same log.

import Basics

/// The two modes of a script. `both` is for an item of the common modes.
enum ScriptMode: CaseIterable { case first, second, both }

struct Item {
    enum Kind {
        case source0(order: Int)
        case source1
        /// The milliseconds after the start. All timers are due when the run begins; repeating ones fire again only hours later.
        case timer(after: Int, repeats: Bool)
        case observer(UInt8, order: Int, repeats: Bool)
    }
    var name: String
    var kind: Kind
    var mode = ScriptMode.first
    var actions: [[Action]] = []
}

indirect enum Action {
    case signal(Int)
    case message(Int)
    case wakeUp
    case stop
    case invalidate(Int)
    /// Performs a block that has these actions.
    case perform(String, ScriptMode, [Action])
    /// Starts a nested run inside this callout.
    case run(ScriptMode, polls: Bool, returnsAfterSource: Bool)
}

struct Script {
    var items: [Item]
    /// The actions before the run.
    var first: [Action] = []
    /// The actions before each wait.
    var waitActions: [[Action]] = []
    var mode = ScriptMode.first
    var polls = false
    var returnsAfterSource = false
}

extension Script {
    /// Draws a script from a seed.
    ///
    /// A script has timers, or source1s, or neither, so that more than one port is seldom ready. The kernel chooses
    /// among several ready ports, and its choice is not compared.
    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        func mode() -> ScriptMode { chance(70) ? .first : ScriptMode.allCases.randomElement(using: &generator)! }

        var things: [Item] = []
        for index in 0..<Int.random(in: 1...4, using: &generator) {
            things.append(Item(name: "S\(index)", kind: .source0(order: index * 7 % 5), mode: mode()))
        }
        let (hasTimers, hasPorts) = (chance(50), chance(70))
        for index in 0..<(hasPorts ? Int.random(in: 1...3, using: &generator) : 0) {
            let kind: Item.Kind =
                hasTimers ? .timer(after: [5, 2, 9][index], repeats: chance(40)) : .source1
            things.append(Item(name: hasTimers ? "T\(index)" : "P\(index)", kind: kind, mode: mode()))
        }
        for index in 0..<Int.random(in: 1...5, using: &generator) {
            let activities: UInt8 = chance(40) ? 231 : [1, 2, 4, 32, 64, 128, 96, 6].randomElement(using: &generator)!
            let order = Int.random(in: -2...2, using: &generator)
            things.append(
                Item(name: "O\(index)", kind: .observer(activities, order: order, repeats: chance(70)), mode: mode()))
        }

        let sources0 = things.indices.filter { if case .source0 = things[$0].kind { true } else { false } }
        let sources1 = things.indices.filter { if case .source1 = things[$0].kind { true } else { false } }
        var blocks = 0
        func actions(_ depth: Int, mayRun: Bool) -> [Action] {
            (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
                switch Int.random(in: 0..<100, using: &generator) {
                case 0..<30: return .signal(sources0.randomElement(using: &generator)!)
                case 30..<45: return hasPorts ? nil : .wakeUp
                case 45..<60: return sources1.randomElement(using: &generator).map { .message($0) }
                case 60..<78:
                    guard depth > 0 else { return nil }
                    blocks += 1
                    let name = "B\(blocks)"
                    return .perform(name, mode(), actions(depth - 1, mayRun: mayRun))
                case 78..<82: return .stop
                case 82..<90: return .invalidate(Int.random(in: 0..<things.count, using: &generator))
                default:
                    return mayRun
                        ? .run(chance(50) ? .first : .second, polls: chance(50), returnsAfterSource: chance(30)) : nil
                }
            }
        }
        for index in things.indices {
            // A nested run inside a source0 or its blocks could handle the outer run's last source0. CFRunLoop.c, but
            // not C1, then takes the turn for one that handled none.
            let isSource0 = sources0.contains(index)
            things[index].actions = (0..<2).map { _ in actions(2, mayRun: !isSource0) }
        }
        self.items = things
        first = actions(2, mayRun: false)
        // The world always wakes the loop in the end. Its actions may be for another mode, and CF would wait forever.
        waitActions = (0..<3).map { _ in actions(1, mayRun: false) + [.wakeUp] }
        polls = chance(15)
        returnsAfterSource = chance(15)
    }
}
