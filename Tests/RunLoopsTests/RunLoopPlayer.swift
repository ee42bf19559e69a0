import Basics
import RunLoops

/// Plays a script in `RunLoop`, on a clock that does not move.
struct RunLoopPlayer {
    private var loop = RunLoop(commonModes: [ModeSet(Self.first), ModeSet(Self.second)])
    private let script: Script
    private var log: [String] = []
    /// The number of log lines from before more than one port was ready, or one port had more than one message.
    private var certain: Int?
    private var messages: [Int]
    private let now = Instant(nanoseconds: 1_000_000_000)

    private var observers: [RunLoop.ObserverID: Int] = [:]
    private var sources0: [RunLoop.Source0ID: Int] = [:]
    private var sources1: [RunLoop.Source1ID: Int] = [:]
    private var timers: [RunLoop.TimerID: Int] = [:]
    private var blocks: [RunLoop.BlockID: (String, [Action])] = [:]
    private var calls: [Int]
    private var waits = 0
    private var waitObserver: RunLoop.ObserverID

    private static let first = Mode(index: 2)
    private static let second = Mode(index: 3)

    /// Returns the log and the number of its certain lines.
    ///
    /// If several ports are ready, the kernel chooses the first for CF, and `RunLoop` chooses for itself. CF on Linux
    /// watches its ports edge-triggered: it notices one of two waiting messages until the next one arrives. A Mach
    /// port, and `RunLoop`, call once for each message (C1 is about Mach ports).
    static func log(of script: Script) -> (lines: [String], certain: Int) {
        var player = RunLoopPlayer(script)
        player.perform(script.first)
        player.run(script.mode, polls: script.polls, returnsAfterSource: script.returnsAfterSource)
        return (player.log, player.certain ?? player.log.count)
    }

    private init(_ script: Script) {
        self.script = script
        calls = script.items.map { _ in 0 }
        messages = calls
        waitObserver = loop.addObserver(of: .beforeWaiting, order: .max, in: .common)
        for (index, thing) in script.items.enumerated() {
            let modes = Self.modes(thing.mode)
            switch thing.kind {
            case .source0(let order): sources0[loop.addSource0(order: order, in: modes)] = index
            case .source1: sources1[loop.addSource1(in: modes)] = index
            case .timer(let after, let repeats):
                let date = now.advanced(byNanoseconds: Int64(after - 100) * 1_000_000)
                timers[loop.addTimer(at: date, every: repeats ? .seconds(10_000) : nil, in: modes)] = index
            case .observer(let activities, let order, let repeats):
                let id = loop.addObserver(
                    of: Activity(rawValue: activities), order: order, repeats: repeats, in: modes)
                observers[id] = index
            }
        }
    }

    private static func modes(_ mode: ScriptMode) -> ModeSet {
        switch mode {
        case .first: ModeSet(first)
        case .second: ModeSet(second)
        case .both: .common
        }
    }

    private mutating func run(_ mode: ScriptMode, polls: Bool, returnsAfterSource: Bool) {
        loop.begin(
            in: mode == .second ? Self.second : Self.first, until: polls ? now : .never,
            returnsAfterSource: returnsAfterSource, at: now)
        while true {
            if certain == nil, loop.readyPorts(at: now) > 1 { certain = log.count }
            switch loop.next(at: now) {
            case .observe(let id, let activity):
                if id == waitObserver {
                    waits += 1
                    log.append("world \(waits)")
                    perform(waits <= script.waitActions.count ? script.waitActions[waits - 1] : [.stop])
                } else {
                    call(observers[id]!, " \(activity)")
                }
            case .source0(let id): call(sources0[id]!)
            case .source1(let id):
                messages[sources1[id]!] -= 1
                call(sources1[id]!)
            case .timer(let id): call(timers[id]!)
            case .block(let id):
                let (name, deeds) = blocks[id]!
                log.append("\(name)")
                perform(deeds)
            case .mainQueue, .busy:
                log.append("unexpected step")
                return
            case .sleep:
                // The oracle would hang in a sleep that only a later moment ends, so its world stops it before.
                log.append("asleep")
                return
            case .finished(let result):
                log.append("run \(result)")
                return
            }
        }
    }

    private mutating func call(_ index: Int, _ what: String = "") {
        log.append(script.items[index].name + what)
        calls[index] += 1
        if calls[index] <= script.items[index].actions.count { perform(script.items[index].actions[calls[index] - 1]) }
    }

    private mutating func perform(_ deeds: [Action]) {
        for deed in deeds {
            switch deed {
            case .signal(let index): sources0.first { $0.value == index }.map { loop.signal($0.key) }
            case .message(let index):
                messages[index] += 1
                if certain == nil, messages[index] > 1 { certain = log.count }
                sources1.first { $0.value == index }.map { loop.signal($0.key) }
            case .wakeUp: loop.wakeUp()
            case .stop: loop.stop()
            case .invalidate(let index): invalidate(index)
            case .perform(let name, let mode, let deeds): blocks[loop.perform(in: Self.modes(mode))] = (name, deeds)
            case .run(let mode, let polls, let returnsAfterSource):
                run(mode, polls: polls, returnsAfterSource: returnsAfterSource)
            }
        }
    }

    private mutating func invalidate(_ index: Int) {
        switch script.items[index].kind {
        case .source0: sources0.first { $0.value == index }.map { loop.invalidate($0.key) }
        case .source1: sources1.first { $0.value == index }.map { loop.invalidate($0.key) }
        case .timer: timers.first { $0.value == index }.map { loop.invalidate($0.key) }
        case .observer: observers.first { $0.value == index }.map { loop.invalidate($0.key) }
        }
    }
}
